// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/model_folder.h"
#include "tests/core/readers/gguf_text.h"
#include "tests/core/reading.h"

#include <QMetaType>

#include <nlohmann/json.hpp>

#include <functional>

/// A small model in every kind of file.
namespace tests {

using Files = SparseFolder;

inline constexpr const char* kConfig =
    R"({"model_type":"llama","hidden_size":256,"num_attention_heads":4,"num_key_value_heads":2,)"
    R"("num_hidden_layers":2,"intermediate_size":512,"vocab_size":1000})";

/// The tensors of that config in BF16: 2 · (2 · 256 · 256 + 2 · 256 · 128 + 3 · 256 · 512 + 2 · 256) + 2 · 256,000 +
/// 256.
inline constexpr std::int64_t kParameters = 1'692'928;

inline void addLayer(SafetensorsWriter& writer, int layer)
{
    const std::string block = "model.layers." + std::to_string(layer) + ".";
    writer.bf16(block + "self_attn.q_proj.weight", {256, 256})
        .bf16(block + "self_attn.k_proj.weight", {128, 256})
        .bf16(block + "self_attn.v_proj.weight", {128, 256})
        .bf16(block + "self_attn.o_proj.weight", {256, 256})
        .bf16(block + "mlp.gate_proj.weight", {512, 256})
        .bf16(block + "mlp.up_proj.weight", {512, 256})
        .bf16(block + "mlp.down_proj.weight", {256, 512})
        .bf16(block + "input_layernorm.weight", {256})
        .bf16(block + "post_attention_layernorm.weight", {256});
}

inline SafetensorsWriter firstHalf()
{
    SafetensorsWriter writer;
    writer.bf16("model.embed_tokens.weight", {1'000, 256});
    addLayer(writer, 0);
    return writer;
}

inline SafetensorsWriter secondHalf()
{
    SafetensorsWriter writer;
    addLayer(writer, 1);
    writer.bf16("model.norm.weight", {256}).bf16("lm_head.weight", {1'000, 256});
    return writer;
}

inline SafetensorsWriter whole()
{
    SafetensorsWriter writer;
    writer.bf16("model.embed_tokens.weight", {1'000, 256});
    addLayer(writer, 0);
    addLayer(writer, 1);
    writer.bf16("model.norm.weight", {256}).bf16("lm_head.weight", {1'000, 256});
    return writer;
}

inline constexpr const char* kFirst = "model-00001-of-00002.safetensors";
inline constexpr const char* kSecond = "model-00002-of-00002.safetensors";

inline std::string indexOf(std::int64_t total)
{
    nlohmann::json index{{"metadata", {{"total_size", total}}}, {"weight_map", nlohmann::json::object()}};
    for (const auto& [file, writer] : {std::pair(kFirst, firstHalf()), std::pair(kSecond, secondHalf())}) {
        for (const std::string& name : writer.names())
            index["weight_map"][name] = file;
    }
    return index.dump();
}

inline void addSharded(Files& files)
{
    files.add("config.json", kConfig);
    files.add("model.safetensors.index.json", indexOf(2 * kParameters));
    files.files[kFirst] = firstHalf().file();
    files.files[kSecond] = secondHalf().file();
}

inline GgufWriter ggufPart(int number, int count, int tensors)
{
    GgufWriter writer;
    if (number == 0) {
        writer.text("general.architecture", "llama").text("general.name", "Small Model");
        tests::addKeys(writer, "llama", "block_count=2 embedding_length=64 attention.head_count=4");
    }
    writer.number("split.no", static_cast<std::uint32_t>(number));
    writer.number("split.count", static_cast<std::uint32_t>(count));
    writer.number("split.tensors.count", static_cast<std::uint32_t>(tensors));
    writer.tensor("blk." + std::to_string(number) + ".attn_q.weight", {64, 64}, "F16");
    return writer;
}

inline GgufWriter single(const char* name)
{
    GgufWriter writer;
    writer.text("general.architecture", "llama").text("general.name", name);
    tests::addKeys(writer, "llama", "block_count=2 embedding_length=64 attention.head_count=4");
    writer.tensor("token_embd.weight", {64, 100}, "Q8_0").tensor("output.weight", {64, 100}, "F16");
    return writer;
}

inline bool notes(const core::Model& model, const char* words)
{
    return std::ranges::any_of(model.notes, [&](const std::string& note) {
        return saysAll(QString::fromStdString(note), QString::fromUtf8(words));
    });
}

inline core::Result<core::Model> folder(const Files& files)
{
    return core::readers::readFolder(files, "here").map([](core::readers::FolderContent&& content) {
        return std::move(content.scenario.model);
    });
}

inline core::Result<core::Model> file(const Files& files, const char* name)
{
    return core::readers::readFileOf(files, name).map([](core::readers::FolderContent&& content) {
        return std::move(content.scenario.model);
    });
}

} // namespace tests

Q_DECLARE_METATYPE(std::function<void(tests::Files&)>)
