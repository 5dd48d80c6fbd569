// SPDX-License-Identifier: GPL-3.0-or-later
// Names: llama-arch.cpp of llama.cpp. Windows, states and index keys: its model loaders (2025-05 to 2026-08).
#include "core/readers/gguf/gguf_architectures.h"

#include "core/text/message.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::int64_t k4K = 4'096;
constexpr std::int64_t k8K = 8'192;

constexpr std::array kArchitectures{
    // K and V of each KV head and token in every layer, or one latent where the file has key_length_mla.
    GgufArchitecture{
        .names =
            "llama deci falcon baichuan grok gpt2 gptj gptneox mpt starcoder refact bloom stablelm qwen qwen2 qwen2moe "
            "qwen2vl qwen3 qwen3moe qwen3vl qwen3vlmoe phi2 plamo codeshell orion internlm2 minicpm minicpm3 gemma "
            "starcoder2 xverse command-r dbrx olmo olmoe openelm arctic deepseek deepseek2 deepseek2-ocr chatglm glm4 "
            "glm4moe bitnet bitnet-b1.58 bitnet-25 jais jais2 nemotron exaone granite granitemoe chameleon plm "
            "bailingmoe bailingmoe2 dots1 arcee ernie4_5 ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl hy_v3 hy-v3 "
            "smollm3 seed_oss grovemoe apertus minimax-m2 cogvlm pangu-embedded mistral3 mistral4 paddleocr maincoder "
            "talkie eagle3 llama-embed"},
    GgufArchitecture{.names = "phi3 phimoe", .window = GgufWindow::Disabled},

    // Windows: layer i is one where i % period < period - 1, or, with the full layer first, where i % period != 0.
    GgufArchitecture{.names = "gemma2", .window = GgufWindow::Always, .period = 2, .defaultWindow = k4K},
    GgufArchitecture{.names = "gemma3", .window = GgufWindow::Given, .period = 6},
    GgufArchitecture{.names = "gemma3n", .window = GgufWindow::Given, .period = 5, .ownLayers = 20},
    GgufArchitecture{.names = "gemma4", .window = GgufWindow::Given, .period = 6},
    GgufArchitecture{.names = "gpt-oss", .window = GgufWindow::Always, .period = 2, .defaultWindow = 128},
    GgufArchitecture{.names = "cohere2", .window = GgufWindow::Given, .period = 4},
    GgufArchitecture{
        .names = "llama4", .window = GgufWindow::Always, .period = 4, .defaultWindow = k8K, .chunked = true},
    GgufArchitecture{.names = "exaone4", .window = GgufWindow::Only64, .period = 4, .defaultWindow = k4K},
    GgufArchitecture{.names = "exaone-moe", .window = GgufWindow::Always, .period = 4, .defaultWindow = 128},
    GgufArchitecture{.names = "afmoe olmo2 mellum", .window = GgufWindow::Given, .period = 4},
    GgufArchitecture{
        .names = "smallthinker", .window = GgufWindow::Always, .period = 4, .fullFirst = true, .defaultWindow = k4K},
    GgufArchitecture{.names = "laguna", .window = GgufWindow::Given, .period = 4, .fullFirst = true},
    GgufArchitecture{.names = "plamo3", .window = GgufWindow::Given, .period = 8},
    GgufArchitecture{.names = "cohere2moe step35 mimo2 dflash", .window = GgufWindow::Given, .period = 1},

    // Sparse attention: index keys besides.
    GgufArchitecture{.names = "glm-dsa", .index = GgufIndex::Types},
    GgufArchitecture{.names = "deepseek32", .index = GgufIndex::All},
    GgufArchitecture{.names = "minimax-m3", .index = GgufIndex::AfterDense},
    GgufArchitecture{
        .names = "deepseek4", .window = GgufWindow::Given, .index = GgufIndex::Compressed, .compressed = true},

    // Recurrent states.
    GgufArchitecture{.names = "mamba", .recurrent = RecurrentKind::Mamba1, .where = GgufRecurrent::All},
    GgufArchitecture{.names = "mamba2", .recurrent = RecurrentKind::Mamba2, .where = GgufRecurrent::All},
    GgufArchitecture{
        .names = "rwkv6 rwkv7 rwkv6qwen2 arwkv7", .recurrent = RecurrentKind::Rwkv5, .where = GgufRecurrent::All},
    GgufArchitecture{.names = "jamba", .recurrent = RecurrentKind::Mamba1, .where = GgufRecurrent::WithoutHeads},
    GgufArchitecture{
        .names = "granitehybrid plamo2", .recurrent = RecurrentKind::Mamba2, .where = GgufRecurrent::WithoutHeads},
    GgufArchitecture{.names = "lfm2 lfm2moe",
                     .window = GgufWindow::Given,
                     .recurrent = RecurrentKind::ShortConv,
                     .where = GgufRecurrent::WithoutHeads},
    GgufArchitecture{.names = "kimi-linear", .recurrent = RecurrentKind::Kda, .where = GgufRecurrent::WithoutHeads},
    GgufArchitecture{
        .names = "nemotron_h nemotron_h_moe", .recurrent = RecurrentKind::Mamba2, .where = GgufRecurrent::WithoutMlp},
    GgufArchitecture{.names = "falcon-h1", .recurrent = RecurrentKind::Mamba2, .where = GgufRecurrent::Beside},
    GgufArchitecture{
        .names = "qwen3next qwen35 qwen35moe", .recurrent = RecurrentKind::DeltaNet, .where = GgufRecurrent::Interval},

    GgufArchitecture{.names = "t5", .encoder = true},
};

constexpr std::array kRefused{
    RefusedArchitecture{"bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert "
                        "gemma-embedding t5encoder wavtokenizer-dec",
                        KV_TEXT("core", "{0} has the architecture \"{1}\", an encoder, which keeps no cache between "
                                        "tokens; nothing was changed; choose a model that generates text.")},
    RefusedArchitecture{"dream llada llada-moe rnd1",
                        KV_TEXT("core", "{0} has the architecture \"{1}\", a diffusion model, which keeps no cache "
                                        "between tokens; nothing was changed; choose a model that generates text.")},
    RefusedArchitecture{"clip",
                        KV_TEXT("core", "{0} (architecture \"{1}\") is the part of a model for images or sound, which "
                                        "keeps no cache; nothing was changed; choose the GGUF file of the language "
                                        "model.")},
    RefusedArchitecture{"gemma4-assistant",
                        KV_TEXT("core", "{0} (architecture \"{1}\") is a draft that reads the cache of the model it "
                                        "assists; nothing was changed; choose the GGUF file of that model.")},
};

template <typename Rows> auto rowOf(const Rows& rows, std::string_view name)
{
    const auto found = std::ranges::find_if(rows, [&](const auto& row) { return hasWord(row.names, name); });
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

const GgufArchitecture* ggufArchitecture(std::string_view name)
{
    return rowOf(kArchitectures, name);
}

const RefusedArchitecture* refusedArchitecture(std::string_view name)
{
    return rowOf(kRefused, name);
}

} // namespace core::readers
