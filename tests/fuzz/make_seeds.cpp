// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the inputs that the fuzzers of weight files begin with: make_seeds FOLDER, which has gguf and safetensors.
#include "tests/core/readers/weight_files.h"

#include <cstdio>
#include <initializer_list>
#include <string>
#include <utility>

namespace {

using tests::GgufWriter;
using Numbers = std::initializer_list<std::pair<const char*, std::uint32_t>>;

GgufWriter gguf(const std::string& architecture, Numbers numbers)
{
    GgufWriter writer;
    writer.text("general.architecture", architecture).text("general.name", "Seed").number("general.file_type", 15);
    const Numbers common{{"block_count", 4},          {"context_length", 4'096},         {"embedding_length", 64},
                         {"attention.head_count", 4}, {"nextn_predict_layers", 1},       {"expert_count", 8},
                         {"expert_used_count", 2},    {"attention.sliding_window", 128}, {"ssm.conv_kernel", 4}};
    for (const Numbers& list : {common, numbers}) {
        for (const auto& [key, value] : list)
            writer.number(architecture + "." + key, value);
    }
    writer.list(architecture + ".attention.head_count_kv", {0, 2, 2, 0});
    writer.list(architecture + ".attention.sliding_window_pattern", {1, 0, 1, 0}, GgufWriter::Bool);
    writer.texts("tokenizer.ggml.tokens", {"a", "b"});
    writer.tensor("token_embd.weight", {64, 2}, "F16").tensor("blk.3.attn_q.weight", {64, 64}, "Q8_0");
    writer.tensor("blk.0.ffn_up_exps.weight", {64, 32, 8}, "F32");
    return writer;
}

void write(const std::string& path, const std::string& bytes)
{
    std::ofstream(path, std::ios::binary) << bytes;
}

} // namespace

int main(int argc, char** argv)
{
    if (argc != 2)
        return 2;
    const std::string folder = argv[1];
    const Numbers latent{{"attention.key_length", 20},
                         {"attention.value_length", 16},
                         {"attention.key_length_mla", 24},
                         {"attention.value_length_mla", 16},
                         {"attention.kv_lora_rank", 16},
                         {"attention.indexer.key_length", 8},
                         {"kda.head_dim", 16}};
    const Numbers state{{"ssm.inner_size", 128},    {"ssm.state_size", 16},           {"ssm.group_count", 1},
                        {"shortconv.l_cache", 3},   {"full_attention_interval", 4},   {"wkv.head_size", 16},
                        {"feed_forward_length", 0}, {"attention.shared_kv_layers", 1}};
    const std::initializer_list<std::pair<const char*, const Numbers*>> all{
        {"llama", &state},       {"gemma4", &state},       {"gemma3n", &state}, {"gpt-oss", &state},
        {"deepseek2", &latent},  {"glm-dsa", &latent},     {"lfm2", &state},    {"qwen35", &state},
        {"nemotron_h", &state},  {"kimi-linear", &latent}, {"rwkv6", &state},   {"falcon-h1", &state},
        {"minimax-m3", &latent}, {"t5", &state},           {"llama4", &state}};
    for (const auto& [name, numbers] : all)
        write(folder + "/gguf/" + name, gguf(name, *numbers).file().bytes);
    write(folder + "/gguf/split",
          gguf("llama", {{"x", 1}}).number("split.count", 2).number("split.no", 0).file().bytes);
    tests::SafetensorsWriter tensors;
    tensors.bf16("model.embed_tokens.weight", {100, 64}).tensor("model.layers.0.a.qweight", {8, 8}, "I32", 32);
    tensors.tensor("model.layers.0.mlp.experts.0.w1.weight", {8, 8}, "U8", 8);
    tensors.tensor("model.layers.0.mlp.experts.0.w1.weight_scale", {8}, "F8_E4M3", 8);
    write(folder + "/safetensors/tensors", tensors.file().bytes);
    write(folder + "/safetensors/index", R"({"metadata":{"total_size":1},"weight_map":{"a":"1.safetensors"}})");
    return 0;
}
