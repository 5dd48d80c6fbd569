// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer target: any bytes as a safetensors file, of known and of unknown size, joined with a config.json, and as an
// index.
#include "core/readers/safetensors/safetensors_weights.h"
#include "tests/core/readers/weight_files.h"
#include "tests/fuzz/check_model.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>

namespace {

constexpr const char* kConfig =
    R"({"model_type":"mixtral","hidden_size":64,"num_attention_heads":4,"num_key_value_heads":2,"num_hidden_layers":2,)"
    R"("intermediate_size":128,"vocab_size":100,"num_local_experts":8,"num_experts_per_tok":2})";

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const nlohmann::json config = nlohmann::json::parse(kConfig);
    static const core::Model fresh = core::readers::readModelText(kConfig, "config.json").value();
    const std::string bytes(data, data + size);
    core::readers::MemorySource memory(bytes);
    const auto alone = core::readers::readSafetensorsHeader(memory, "a.safetensors");
    fuzz::require(alone || !core::english(alone.error().message).empty());
    tests::SparseSource unsized({bytes, std::int64_t{1} << 50U}, false);
    auto tensors = core::readers::readSafetensorsHeader(unsized, "a.safetensors");
    if (tensors) {
        core::Model model = fresh;
        const auto joined =
            core::readers::joinTensors(model, config, {std::move(*tensors), "a.safetensors", {"a note"}});
        fuzz::require(joined || !core::english(joined.error().message).empty());
        fuzz::checkModel(model);
    }
    const auto index = core::readers::readSafetensorsIndex(bytes, "index.json");
    fuzz::require(index || !core::english(index.error().message).empty());
    return 0;
}
