// SPDX-License-Identifier: GPL-3.0-or-later
// Families whose cache is known from the modelling code, but whose weights are not counted. Defaults are those of the
// classes of the same names in Hugging Face transformers, or of the modelling code published beside the weights.
#include "core/readers/config/hf_families.h"

#include <array>

namespace core::readers {

namespace {

using Q = Quantity;

constexpr Shape kUncounted{.uncounted = 1};

constexpr ClassDefault kJetmoe[] = {{Q::Layers, 12},         {Q::Width, 2'048}, {Q::KvHeads, 16},
                                    {Q::ExpertsPerToken, 2}, {Q::HeadDim, 128}, {Q::MaxContext, 4'096},
                                    {Q::QueryHeads, 32},     {Q::Experts, 8}};
constexpr ClassDefault kArctic[] = {{Q::Layers, 32}, {Q::Width, 4'096}, {Q::QueryHeads, 32}, {Q::MaxContext, 4'096}};
constexpr ClassDefault kDoge[] = {{Q::Layers, 32}, {Q::Width, 1'024}, {Q::QueryHeads, 8}, {Q::MaxContext, 2'048}};
constexpr ClassDefault kDiffllama[] = {{Q::Layers, 16}, {Q::Width, 2'048}, {Q::QueryHeads, 32}, {Q::MaxContext, 2'048}};
constexpr ClassDefault kModernbert[] = {
    {Q::Layers, 22}, {Q::Width, 768}, {Q::QueryHeads, 12}, {Q::MaxContext, 8'192}, {Q::Window, 64}};
constexpr ClassDefault kOlmoHybrid[] = {
    {Q::Layers, 32}, {Q::Width, 3'840}, {Q::QueryHeads, 30}, {Q::MaxContext, 65'536}, {Q::ConvKernel, 4}};
constexpr ClassDefault kPlamo2[] = {{Q::Layers, 32},     {Q::Width, 4'096},     {Q::QueryHeads, 32},
                                    {Q::KvHeads, 4},     {Q::HeadDim, 128},     {Q::MaxContext, 10'485'760},
                                    {Q::Window, 2'048},  {Q::StateSize, 64},    {Q::ConvKernel, 4},
                                    {Q::StateHeads, 64}, {Q::StateHeadDim, 128}};
constexpr ClassDefault kSambaY[] = {{Q::StateSize, 16}, {Q::ConvKernel, 4}, {Q::Expand, 2}};
constexpr ClassDefault kXlstm[] = {{Q::Layers, 32}, {Q::Width, 4'096}, {Q::StateHeads, 8}};
constexpr ClassDefault kT5Gemma[] = {{Q::Layers, 26},   {Q::Width, 2'304},      {Q::QueryHeads, 8}, {Q::KvHeads, 4},
                                     {Q::HeadDim, 256}, {Q::MaxContext, 8'192}, {Q::Window, 4'096}};
constexpr ClassDefault kSwitch[] = {
    {Q::Layers, 12}, {Q::Width, 768}, {Q::QueryHeads, 12}, {Q::HeadDim, 64}, {Q::MaxContext, 512}};
constexpr ClassDefault kNllbMoe[] = {{Q::Layers, 12}, {Q::Width, 1'024}, {Q::QueryHeads, 16}, {Q::MaxContext, 1'024}};
constexpr ClassDefault kProphetnet[] = {{Q::Layers, 12}, {Q::Width, 1'024}, {Q::QueryHeads, 16}, {Q::MaxContext, 512}};
constexpr ClassDefault kMoonshine[] = {{Q::Layers, 6}, {Q::Width, 288}, {Q::QueryHeads, 8}, {Q::MaxContext, 512}};

constexpr Spelling kPlamo2Keys[] = {
    {Q::HeadDim, "hidden_size_per_head"}, {Q::StateHeadDim, "hidden_size_per_head"}, {Q::MaxContext, ""}};
constexpr Spelling kXlstmKeys[] = {
    {Q::Layers, "num_hidden_layers num_blocks"}, {Q::Width, "hidden_size embedding_dim"}, {Q::StateHeads, "num_heads"}};
constexpr Spelling kRwkv7Keys[] = {{Q::StateHeadDim, "head_dim"}, {Q::InnerWidth, "attention_hidden_size"}};
constexpr Spelling kSwitchKeys[] = {{Q::Layers, "num_decoder_layers / num_layers"}, {Q::HeadDim, "d_kv"}};
constexpr Spelling kBartKeys[] = {{Q::Layers, "decoder_layers / num_hidden_layers"},
                                  {Q::QueryHeads, "decoder_attention_heads / num_attention_heads"}};
constexpr Spelling kProphetnetKeys[] = {{Q::Layers, "num_decoder_layers"},
                                        {Q::QueryHeads, "num_decoder_attention_heads"}};
constexpr Spelling kMoonshineKeys[] = {{Q::Layers, "decoder_num_hidden_layers"},
                                       {Q::QueryHeads, "decoder_num_attention_heads"},
                                       {Q::KvHeads, "decoder_num_key_value_heads"}};

constexpr unsigned kEncoder = laws({CacheLaw::EncoderDecoder});

constexpr std::array kCacheOnly{
    Family{.types = "jetmoe",
           .architectures = "JetMoeForCausalLM",
           .configClass = "JetMoeConfig",
           .defaults = kJetmoe,
           .shape = kUncounted},
    Family{.types = "arctic",
           .architectures = "ArcticForCausalLM",
           .configClass = "ArcticConfig",
           .defaults = kArctic,
           .shape = kUncounted},
    // Qwen, Llama or MiniCPM with pictures, all under one name; which of them it is changes the weights only.
    Family{.types = "minicpmv minicpmo",
           .architectures = "MiniCPMV MiniCPMO",
           .configClass = "MiniCPMVConfig",
           .shape = kUncounted},
    Family{.types = "doge",
           .architectures = "DogeForCausalLM",
           .configClass = "DogeConfig",
           .defaults = kDoge,
           .shape = kUncounted},
    Family{.types = "diffllama",
           .architectures = "DiffLlamaForCausalLM",
           .configClass = "DiffLlamaConfig",
           .defaults = kDiffllama,
           .shape = kUncounted},
    Family{.types = "modernbert-decoder",
           .architectures = "ModernBertDecoderForCausalLM",
           .configClass = "ModernBertDecoderConfig",
           .defaults = kModernbert,
           .shape = kUncounted,
           .pattern = "WWF"},
    Family{.types = "olmo_hybrid",
           .architectures = "OlmoHybridForCausalLM",
           .configClass = "OlmoHybridConfig",
           .defaults = kOlmoHybrid,
           .shape = kUncounted,
           .kinds = "FR",
           .pattern = "RRRF",
           .recurrent = RecurrentKind::DeltaNet},
    Family{.types = "plamo2",
           .architectures = "Plamo2ForCausalLM PlamoForCausalLM",
           .configClass = "Plamo2Config",
           .defaults = kPlamo2,
           .shape = kUncounted,
           .kinds = "RWF",
           .pattern = "RW",
           .recurrent = RecurrentKind::Mamba1, // its convolution is that of Mamba 1
           .spellings = kPlamo2Keys},
    Family{.types = "phi4flash",
           .architectures = "Phi4FlashForCausalLM",
           .configClass = "Phi4FlashConfig",
           .defaults = kSambaY,
           .shape = kUncounted,
           .kinds = "RWF0",
           .recurrent = RecurrentKind::Mamba1,
           .known = laws({CacheLaw::SharedKv}),
           .secondHalfShares = true},
    Family{.types = "xlstm",
           .architectures = "xLSTMForCausalLM",
           .configClass = "xLSTMConfig",
           .defaults = kXlstm,
           .shape = kUncounted,
           .kinds = "R",
           .recurrent = RecurrentKind::Mlstm,
           .spellings = kXlstmKeys},
    Family{.types = "rwkv7",
           .architectures = "RWKV7ForCausalLM",
           .configClass = "RWKV7Config",
           .shape = kUncounted,
           .kinds = "R",
           .recurrent = RecurrentKind::Rwkv5,
           .spellings = kRwkv7Keys},
    Family{.types = "t5_gemma_module t5gemma",
           .architectures = "T5GemmaForConditionalGeneration",
           .configClass = "T5GemmaModuleConfig",
           .defaults = kT5Gemma,
           .shape = kUncounted,
           .pattern = "WF",
           .known = kEncoder},
    Family{.types = "switch_transformers",
           .architectures = "SwitchTransformersForConditionalGeneration",
           .configClass = "SwitchTransformersConfig",
           .defaults = kSwitch,
           .shape = kUncounted,
           .kinds = "F",
           .spellings = kSwitchKeys,
           .known = kEncoder},
    Family{.types = "nllb-moe",
           .architectures = "NllbMoeForConditionalGeneration",
           .configClass = "NllbMoeConfig",
           .defaults = kNllbMoe,
           .shape = kUncounted,
           .kinds = "F",
           .spellings = kBartKeys,
           .known = kEncoder},
    Family{.types = "prophetnet xlm-prophetnet",
           .architectures = "ProphetNetForConditionalGeneration",
           .configClass = "ProphetNetConfig",
           .defaults = kProphetnet,
           .shape = kUncounted,
           .kinds = "F",
           .spellings = kProphetnetKeys,
           .known = kEncoder},
    Family{.types = "moonshine",
           .architectures = "MoonshineForConditionalGeneration",
           .configClass = "MoonshineConfig",
           .defaults = kMoonshine,
           .shape = kUncounted,
           .kinds = "F",
           .spellings = kMoonshineKeys,
           .known = kEncoder},
};

} // namespace

std::span<const Family> cacheOnlyFamilies()
{
    return kCacheOnly;
}

} // namespace core::readers
