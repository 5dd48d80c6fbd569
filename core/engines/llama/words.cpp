// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/words.h"

#include "core/engines/llama/devices.h"
#include "core/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace core::engines::llama {

namespace {

struct Backend {
    std::string_view vendor;
    std::string_view name;
};

constexpr std::array kBackends{Backend{"nvidia", "CUDA"}, Backend{"amd", "ROCm"}, Backend{"apple", "MTL"},
                               Backend{"intel", "SYCL"}};

} // namespace

std::string typeName(KvFormat format)
{
    switch (format) {
    case KvFormat::Fp32:
        return "f32";
    case KvFormat::Fp16:
        return "f16";
    case KvFormat::Q8Kv:
        return "q8_KV";
    default:
        return std::string(info(format).id);
    }
}

std::optional<KvFormat> typeOf(std::string_view name)
{
    return kvFormat(name);
}

std::string mibText(Bytes bytes)
{
    const float size = static_cast<float>(bytes.count()) / (1024.0F * 1024.0F);
    return fmt::format("{:.2f}", static_cast<double>(size));
}

std::string deviceName(const Scenario& scenario, std::size_t place)
{
    if (place == kHost || !deviceMemory(scenario.hardware))
        return "CPU";
    const std::string vendor = scenario.hardware.gpu ? toLower(scenario.hardware.gpu->vendor) : std::string();
    const auto* const found = std::ranges::find(kBackends, vendor, &Backend::vendor);
    return fmt::format("{}{}", found != kBackends.end() ? found->name : "GPU", place);
}

} // namespace core::engines::llama
