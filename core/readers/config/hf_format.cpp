// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_format.h"

#include "core/text/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

struct DtypeRow {
    std::string_view words;
    WeightFormat format;
};

constexpr std::array kDtypes{
    DtypeRow{"float32 torch.float32 fp32", WeightFormat::Fp32},
    DtypeRow{"bfloat16 torch.bfloat16 bf16", WeightFormat::Bf16},
    DtypeRow{"float16 torch.float16 fp16 half", WeightFormat::Fp16},
    DtypeRow{"float8_e4m3fn torch.float8_e4m3fn fp8", WeightFormat::Fp8},
};

/// A quantisation method and width; 0 bits: whatever the file says.
struct MethodRow {
    std::string_view method;
    std::int64_t bits;
    WeightFormat format;
};

constexpr std::array kMethods{
    MethodRow{"awq", 4, WeightFormat::Awq4},
    MethodRow{"gptq", 4, WeightFormat::Gptq4},
    MethodRow{"gptq", 8, WeightFormat::Int8},
    MethodRow{"fp8", 0, WeightFormat::Fp8},
    MethodRow{"fbgemm_fp8", 0, WeightFormat::Fp8},
    MethodRow{"mxfp4", 0, WeightFormat::Mxfp4},
    MethodRow{"nvfp4", 0, WeightFormat::Nvfp4},
    MethodRow{"bitsandbytes", 8, WeightFormat::Int8},
    MethodRow{"bitsandbytes", 4, WeightFormat::Bnb4},
    MethodRow{"mlx", 4, WeightFormat::Mlx4},
    MethodRow{"mlx", 6, WeightFormat::Mlx6},
    MethodRow{"mlx", 8, WeightFormat::Mlx8},
    MethodRow{"mlx mxfp4", 4, WeightFormat::Mxfp4},
    MethodRow{"mlx nvfp4", 4, WeightFormat::Nvfp4},
    MethodRow{"compressed-tensors mxfp4-pack-quantized", 4, WeightFormat::Mxfp4},
    MethodRow{"modelopt float", 8, WeightFormat::Fp8},
    MethodRow{"modelopt float", 4, WeightFormat::Nvfp4},
    MethodRow{"modelopt nvfp4", 0, WeightFormat::Nvfp4},
    MethodRow{"modelopt fp8", 0, WeightFormat::Fp8},
    MethodRow{"compressed-tensors float", 8, WeightFormat::Fp8},
    MethodRow{"compressed-tensors float", 4, WeightFormat::Nvfp4},
    MethodRow{"compressed-tensors int", 8, WeightFormat::Int8},
    MethodRow{"compressed-tensors int", 4, WeightFormat::Gptq4},
};

std::string textAt(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? toLower(found->get<std::string>()) : std::string();
}

std::optional<std::int64_t> countAt(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() ? wholeNumber(*found) : std::nullopt;
}

/// The `weights` object of the first of the `config_groups`, as modelopt and compressed-tensors write it.
const nlohmann::json* groupWeights(const nlohmann::json& quantization)
{
    const auto groups = quantization.find("config_groups");
    if (groups == quantization.end() || !groups->is_object() || groups->empty())
        return nullptr;
    const nlohmann::json& first = *groups->begin();
    const auto weights = first.is_object() ? first.find("weights") : first.end();
    return first.is_object() && weights != first.end() && weights->is_object() ? &*weights : nullptr;
}

bool isTrue(const nlohmann::json& object, const char* key)
{
    const auto found = object.find(key);
    return found != object.end() && found->is_boolean() && found->get<bool>();
}

/// "mlx", or "mlx mxfp4": MLX names no method, only group size, bits and perhaps a mode.
std::string mlxMethod(const nlohmann::json& quantization)
{
    const std::string mode = textAt(quantization, "mode");
    return mode.empty() || mode == "affine" ? std::string("mlx") : "mlx " + mode;
}

/// "awq", "compressed-tensors float": the method with what decides its format, and its bits.
std::pair<std::string, std::int64_t> methodOf(const nlohmann::json& quantization)
{
    std::string method = textAt(quantization, "quant_method");
    std::int64_t bits = countAt(quantization, "bits").value_or(0);
    if (method.empty() && bits > 0 && quantization.contains("group_size"))
        return {mlxMethod(quantization), bits};
    if (const nlohmann::json* weights = groupWeights(quantization)) {
        const std::string packed = textAt(quantization, "format");
        method += ' ';
        method += packed.starts_with("mxfp4") ? packed : textAt(*weights, "type");
        bits = countAt(*weights, "num_bits").value_or(0);
    } else if (const std::string algorithm = textAt(quantization, "quant_algo"); !algorithm.empty()) {
        method += ' ';
        method += algorithm;
    }
    if (isTrue(quantization, "load_in_8bit") || isTrue(quantization, "load_in_4bit"))
        bits = isTrue(quantization, "load_in_8bit") ? 8 : 4;
    return {method, bits};
}

/// A cache format as quantisation tools write it: a word, or a type and its bits.
struct KvRow {
    std::string_view words;
    std::string_view type;
    std::int64_t bits;
    KvFormat format;
};

constexpr std::array kKvRows{
    // "static" is FP8 with scales that were measured beforehand.
    KvRow{"fp8 fp8_e4m3 float8_e4m3fn static", "float", 8, KvFormat::Fp8},
    KvRow{"nvfp4", "float", 4, KvFormat::Nvfp4},
    KvRow{"int8", "int", 8, KvFormat::Int8},
    KvRow{"int4", "int", 4, KvFormat::Int4},
};

std::optional<KvFormat> kvFormatOf(const nlohmann::json& value)
{
    const std::string word = value.is_string() ? toLower(value.get<std::string>()) : std::string();
    const std::string type = value.is_object() ? textAt(value, "type") : std::string();
    const std::int64_t bits = value.is_object() ? countAt(value, "num_bits").value_or(0) : 0;
    const auto* const found = std::ranges::find_if(kKvRows, [&](const KvRow& row) {
        return value.is_object() ? row.type == type && row.bits == bits : hasWord(row.words, word);
    });
    return found == kKvRows.end() ? std::nullopt : std::optional(found->format);
}

/// The format of a known quantisation; a note for one that is not known.
std::optional<WeightFormat> quantized(ConfigValues& values)
{
    const nlohmann::json* quantization = values.anywhere("quantization_config");
    if (quantization == nullptr)
        quantization = values.anywhere("quantization"); // MLX
    if (quantization == nullptr || !quantization->is_object() || quantization->empty())
        return std::nullopt;
    const auto [method, bits] = methodOf(*quantization);
    const auto* const found = std::ranges::find_if(kMethods, [&method = method, &bits = bits](const MethodRow& row) {
        return row.method == method && (row.bits == 0 || row.bits == bits);
    });
    if (found != kMethods.end())
        return found->format;
    values.note(
        fmt::format("the weights are quantised ({}{}), which is not counted: their format is shown as if they were "
                    "not",
                    method.empty() ? "method not named" : method, bits > 0 ? fmt::format(", {} bits", bits) : ""));
    return std::nullopt;
}

} // namespace

std::optional<KvFormat> statedKvFormat(ConfigValues& values)
{
    const nlohmann::json* quantization = values.anywhere("quantization_config");
    for (const std::string_view key : {"kv_cache_scheme", "kv_cache_quant_algo"}) {
        const bool inside = quantization != nullptr && quantization->is_object() && quantization->contains(key);
        const nlohmann::json* value = inside ? &*quantization->find(key) : values.anywhere(key);
        if (value == nullptr || value->is_null())
            continue;
        const std::optional<KvFormat> format = kvFormatOf(*value);
        if (!format) {
            values.note(fmt::format("{} = {} is no cache format that is known", key, shown(*value)));
            continue;
        }
        values.read("kv_format", std::string(info(*format).id),
                    inside ? fmt::format("quantization_config.{}", key) : std::string(key));
        values.note(fmt::format("the file asks for a cache in {} ({}); sizes are shown in the format that is chosen",
                                info(*format).name, key));
        return format;
    }
    return std::nullopt;
}

void addQuantFile(const nlohmann::json& json, std::string_view file, Model& model)
{
    const auto found = json.is_object() ? json.find("quantization") : json.end();
    if (!json.is_object() || found == json.end() || !found->is_object())
        return;
    const auto cache = found->find("kv_cache_quant_algo");
    const std::optional<KvFormat> kv = cache != found->end() ? kvFormatOf(*cache) : std::nullopt;
    if (kv && !model.statedKvFormat) {
        model.statedKvFormat = kv;
        model.provenance.push_back({"kv_format",
                                    std::string(info(*kv).id),
                                    How::Read,
                                    std::string(file),
                                    "quantization.kv_cache_quant_algo",
                                    {}});
        model.notes.push_back(fmt::format("{} asks for a cache in {}; sizes are shown in the format that is chosen",
                                          file, info(*kv).name));
    }
    const std::optional<WeightFormat> weights = weightFormat(textAt(*found, "quant_algo"));
    const auto row = std::ranges::find(model.provenance, "weights_format", &Provenance::field);
    const bool byQuantization = row != model.provenance.end() && row->key == "quantization_config";
    if (!weights || byQuantization)
        return;
    model.weights.published = *weights;
    if (row != model.provenance.end())
        *row = {"weights_format",  std::string(info(*weights).id), How::Read,
                std::string(file), "quantization.quant_algo",      {}};
}

WeightFormat publishedFormat(ConfigValues& values)
{
    if (const std::optional<WeightFormat> format = quantized(values)) {
        values.read("weights_format", std::string(info(*format).id), "quantization_config");
        return *format;
    }
    for (const std::string_view key : {"torch_dtype", "dtype"}) {
        const nlohmann::json* value = values.anywhere(key);
        if (value == nullptr || !value->is_string())
            continue;
        const std::string dtype = value->get<std::string>();
        const auto* const found =
            std::ranges::find_if(kDtypes, [&](const DtypeRow& row) { return hasWord(row.words, dtype); });
        if (found != kDtypes.end()) {
            values.read("weights_format", std::string(info(found->format).id), key);
            return found->format;
        }
        values.note(fmt::format("{} = {} is no weight format that is known; bf16 is assumed", key, dtype));
    }
    values.defaulted("weights_format", "bf16", "no dtype in the file: bf16 assumed");
    return WeightFormat::Bf16;
}

} // namespace core::readers
