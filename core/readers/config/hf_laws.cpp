// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_families.h"
#include "core/text/message.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

// One sentence for each law, so that each can be translated as a whole.
constexpr std::array<std::string_view, 13> kRefusals{
    KV_TEXT("core", "{0} has {1} (a layer of full attention), which this family does not have; nothing was changed; "
                    "choose another file or a catalogue model."),
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
    RefusedFamily{CacheLaw::Hybrid, "minicpm_sala", "MiniCPMSALAForCausalLM"},
    RefusedFamily{CacheLaw::EncoderDecoder, "seamless_m4t vision-encoder-decoder encoder-decoder",
                  "SeamlessM4TModel VisionEncoderDecoderModel EncoderDecoderModel"},
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
    Trap{"linear_attn_config", TrapWhen::NonEmpty, CacheLaw::Hybrid},
    Trap{"layer_group_size", TrapWhen::Present, CacheLaw::Hybrid},
    Trap{"ssm_cfg", TrapWhen::Present, CacheLaw::Recurrent},
    Trap{"attention_chunk_size", TrapWhen::Positive, CacheLaw::Chunked},
    Trap{"is_encoder_decoder", TrapWhen::True, CacheLaw::EncoderDecoder},
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

CacheLaw lawOf(char kind)
{
    switch (kind) {
    case kWindow:
        return CacheLaw::Window;
    case kChunk:
        return CacheLaw::Chunked;
    case kCross:
        return CacheLaw::Cross;
    case kFull:
        return CacheLaw::Plain;
    default:
        return CacheLaw::Hybrid;
    }
}

const Family* family(std::string_view type, bool byArchitecture)
{
    for (const std::span<const Family> table : {plainFamilies(), mixedFamilies(), cacheOnlyFamilies()}) {
        const auto found = std::ranges::find_if(
            table, [&](const Family& row) { return hasWord(byArchitecture ? row.architectures : row.types, type); });
        if (found != table.end())
            return &*found;
    }
    return nullptr;
}

} // namespace core::readers
