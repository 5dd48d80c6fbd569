// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/message.h"
#include "core/readers/hf_families.h"

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

// One sentence for each law, so that each can be translated as a whole.
constexpr std::array<std::string_view, 13> kRefusals{
    "",
    KV_TEXT("core", "{0} has {1} (sliding-window attention), which KV Horizon does not read yet; nothing was changed; "
                    "choose another file or a catalogue model."),
    KV_TEXT("core", "{0} has {1} (chunked attention), which KV Horizon does not read yet; nothing was changed; choose "
                    "another file or a catalogue model."),
    KV_TEXT("core",
            "{0} has {1} (multi-head latent attention), which KV Horizon does not read yet; nothing was changed; "
            "choose another file or a catalogue model."),
    KV_TEXT("core",
            "{0} has {1} (multi-head latent attention with index keys), which KV Horizon does not read yet; nothing "
            "was changed; choose another file or a catalogue model."),
    KV_TEXT("core", "{0} has {1} (sparse attention with index keys), which KV Horizon does not read yet; nothing was "
                    "changed; choose another file or a catalogue model."),
    KV_TEXT("core", "{0} has {1} (compressed cache entries), which KV Horizon does not read yet; nothing was changed; "
                    "choose another file or a catalogue model."),
    KV_TEXT("core",
            "{0} has {1} (hybrid of attention and recurrent layers), which KV Horizon does not read yet; nothing "
            "was changed; choose another file or a catalogue model."),
    KV_TEXT("core", "{0} has {1} (recurrent layers without attention), which KV Horizon does not read yet; nothing was "
                    "changed; choose another file or a catalogue model."),
    KV_TEXT("core",
            "{0} has {1} (encoder and decoder), which KV Horizon does not read yet; nothing was changed; choose "
            "another file or a catalogue model."),
    KV_TEXT("core", "{0} has {1} (cross attention to images), which KV Horizon does not read yet; nothing was changed; "
                    "choose another file or a catalogue model."),
    KV_TEXT("core",
            "{0} has {1} (layers that share one cache), which KV Horizon does not read yet; nothing was changed; "
            "choose another file or a catalogue model."),
    KV_TEXT("core",
            "{0} has {1} (heads that differ from layer to layer), which KV Horizon does not read yet; nothing was "
            "changed; choose another file or a catalogue model."),
};

constexpr std::array kRefused{
    RefusedFamily{
        CacheLaw::Window,
        "gemma2 gemma3 gemma3_text gemma4 gemma4_text gpt_oss gpt_neo cohere2 exaone4 olmo3 laguna mimo_v2_flash "
        "step3p5 step3p7",
        "Gemma2ForCausalLM Gemma3ForCausalLM GptOssForCausalLM Cohere2ForCausalLM Exaone4ForCausalLM "
        "Olmo3ForCausalLM GPTNeoForCausalLM LagunaForCausalLM MiMoV2FlashForCausalLM"},
    RefusedFamily{CacheLaw::Chunked, "llama4 llama4_text", "Llama4ForCausalLM Llama4ForConditionalGeneration"},
    RefusedFamily{CacheLaw::Latent, "deepseek_v2 deepseek_v3 kimi_k2 kimi_k25 minicpm3 longcat_flash glm4_moe_lite",
                  "DeepseekV2ForCausalLM DeepseekV3ForCausalLM MiniCPM3ForCausalLM LongcatFlashForCausalLM"},
    RefusedFamily{CacheLaw::LatentIndex, "deepseek_v32 glm_moe_dsa", "DeepseekV32ForCausalLM GlmMoeDsaForCausalLM"},
    RefusedFamily{CacheLaw::Index, "minimax_m3", "MiniMaxM3ForCausalLM"},
    RefusedFamily{CacheLaw::Compressed, "deepseek_v4", "DeepseekV4ForCausalLM"},
    RefusedFamily{
        CacheLaw::Hybrid,
        "jamba bamba zamba zamba2 nemotron_h falcon_h1 qwen3_next qwen3_5 qwen3_5_text qwen3_5_moe "
        "qwen3_5_moe_text kimi_linear lfm2 lfm2_moe minimax minimax_text_01 bailing_moe_linear bailing_moe_v2_5 "
        "recurrent_gemma phi4flash plamo2",
        "JambaForCausalLM BambaForCausalLM Zamba2ForCausalLM NemotronHForCausalLM FalconH1ForCausalLM "
        "Qwen3NextForCausalLM KimiLinearForCausalLM Lfm2ForCausalLM MiniMaxText01ForCausalLM "
        "RecurrentGemmaForCausalLM"},
    RefusedFamily{CacheLaw::Recurrent, "mamba mamba2 falcon_mamba rwkv rwkv5 rwkv6 rwkv7 xlstm",
                  "MambaForCausalLM Mamba2ForCausalLM FalconMambaForCausalLM RwkvForCausalLM Rwkv5ForCausalLM"},
    RefusedFamily{CacheLaw::EncoderDecoder,
                  "t5 mt5 umt5 longt5 switch_transformers bart mbart whisper pegasus marian m2m_100 led blenderbot "
                  "prophetnet t5gemma",
                  "T5ForConditionalGeneration BartForConditionalGeneration WhisperForConditionalGeneration"},
    RefusedFamily{CacheLaw::Cross, "mllama mllama_text_model", "MllamaForConditionalGeneration"},
    RefusedFamily{CacheLaw::SharedKv, "gemma3n gemma3n_text hunyuan", "Gemma3nForCausalLM HunYuanForCausalLM"},
    RefusedFamily{CacheLaw::LayerVarying, "deci nemotron-nas openelm", "DeciLMForCausalLM OpenELMForCausalLM"},
};

constexpr std::array kTraps{
    Trap{"kv_lora_rank", TrapWhen::Positive, CacheLaw::Latent},
    Trap{"index_topk", TrapWhen::Positive, CacheLaw::LatentIndex},
    Trap{"indexer_types", TrapWhen::NonEmpty, CacheLaw::LatentIndex},
    Trap{"sparse_attention_config", TrapWhen::NonEmpty, CacheLaw::Index},
    Trap{"compress_ratios", TrapWhen::NonEmpty, CacheLaw::Compressed},
    Trap{"block_configs", TrapWhen::NonEmpty, CacheLaw::LayerVarying},
    Trap{"num_key_value_heads_per_layer", TrapWhen::NonEmpty, CacheLaw::LayerVarying},
    Trap{"use_cla", TrapWhen::True, CacheLaw::SharedKv},
    Trap{"num_kv_shared_layers", TrapWhen::Positive, CacheLaw::SharedKv},
    Trap{"hybrid_override_pattern", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"hybrid_layer_ids", TrapWhen::NonEmpty, CacheLaw::Hybrid},
    Trap{"attn_layer_indices", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"attn_layer_idx", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"attn_layer_period", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"full_attn_idxs", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"full_attention_interval", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"layer_group_size", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"linear_attn_config", TrapWhen::NonEmpty, CacheLaw::Hybrid},
    Trap{"ssm_cfg", TrapWhen::Present, CacheLaw::Recurrent},
    Trap{"hybrid_layer_pattern", TrapWhen::NonEmpty, CacheLaw::Window},
    Trap{"attention_layers", TrapWhen::NonEmpty, CacheLaw::Window},
    Trap{"attention_other_setting", TrapWhen::NonEmpty, CacheLaw::Window},
    Trap{"swa_num_key_value_heads", TrapWhen::Present, CacheLaw::Window},
    Trap{"attention_chunk_size", TrapWhen::Positive, CacheLaw::Chunked},
    Trap{"cross_attention_layers", TrapWhen::NonEmpty, CacheLaw::Cross},
    Trap{"is_encoder_decoder", TrapWhen::True, CacheLaw::EncoderDecoder},
};

struct LayerKind {
    std::string_view words;
    CacheLaw law;
};

constexpr std::array kLayerKinds{
    LayerKind{"full_attention attention full global global_attention", CacheLaw::Plain},
    LayerKind{"sliding_attention sliding local local_attention", CacheLaw::Window},
    LayerKind{"chunked_attention", CacheLaw::Chunked},
    LayerKind{"linear_attention mamba mamba2 conv recurrent hybrid moe mlp", CacheLaw::Hybrid},
};

template <typename Rows> auto rowOf(const Rows& rows, std::string_view type, bool byArchitecture)
{
    const auto found = std::ranges::find_if(
        rows, [&](const auto& row) { return hasWord(byArchitecture ? row.architectures : row.types, type); });
    return found == rows.end() ? nullptr : &*found;
}

} // namespace

std::string_view refusal(CacheLaw law)
{
    return kRefusals.at(static_cast<std::size_t>(law));
}

const RefusedFamily* refusedFamily(std::string_view type, bool byArchitecture)
{
    return rowOf(kRefused, type, byArchitecture);
}

std::span<const Trap> traps()
{
    return kTraps;
}

std::optional<CacheLaw> layerKind(std::string_view word)
{
    const auto* const found =
        std::ranges::find_if(kLayerKinds, [&](const LayerKind& kind) { return hasWord(kind.words, word); });
    return found == kLayerKinds.end() ? std::nullopt : std::optional(found->law);
}

} // namespace core::readers
