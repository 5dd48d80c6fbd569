// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/tensor_names.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace core::readers {

namespace {

/// A piece of a name and the part it speaks of; the first row that a name contains counts.
struct Piece {
    std::string_view text;
    WeightPart part;
};

// llama-arch.cpp of llama.cpp.
constexpr std::array kGgufPieces{
    Piece{"nextn.", WeightPart::Draft},
    Piece{"mtp.", WeightPart::Draft},
    Piece{"_norm", WeightPart::Other},
    Piece{"per_layer_token_embd", WeightPart::LayerEmbedding},
    Piece{"token_embd", WeightPart::Embedding},
    Piece{"position_embd", WeightPart::Embedding},
    Piece{"token_types", WeightPart::Embedding},
    Piece{"ffn_gate_inp", WeightPart::Other}, // routers
    Piece{"ffn_gate_tid2eid", WeightPart::Other},
    Piece{"ffn_latent", WeightPart::Other},
    Piece{"_shexp", WeightPart::SharedExperts},
    Piece{"_exps", WeightPart::Experts},
    Piece{"_chexps", WeightPart::Experts},
    Piece{"exp_probs_b", WeightPart::Other},
    Piece{"attn_sinks", WeightPart::Other},
    Piece{"hc_", WeightPart::Other}, // hyper-connections
    Piece{"ffn_", WeightPart::Mlp},
    Piece{"ffn.", WeightPart::Mlp},
    Piece{"channel_mix_", WeightPart::Mlp},
    Piece{"vis_gate", WeightPart::Mlp},
    Piece{"vis_down", WeightPart::Mlp},
    Piece{"vis_up", WeightPart::Mlp},
    Piece{"attn", WeightPart::Attention},
    Piece{"ssm_", WeightPart::Attention},
    Piece{"shortconv.", WeightPart::Attention},
    Piece{"time_mix_", WeightPart::Attention},
    Piece{"indexer", WeightPart::Attention},
};

/// Experts of old files, one tensor each: "blk.3.ffn_gate.7.weight".
bool isSingleExpert(std::string_view name)
{
    for (const std::string_view piece : {"ffn_gate.", "ffn_down.", "ffn_up."}) {
        const std::size_t place = name.find(piece);
        if (place != std::string_view::npos && place + piece.size() < name.size())
            return name[place + piece.size()] >= '0' && name[place + piece.size()] <= '9';
    }
    return false;
}

bool contains(std::string_view name, std::string_view piece)
{
    return name.find(piece) != std::string_view::npos;
}

template <typename Pieces> WeightPart partOf(const Pieces& pieces, std::string_view name)
{
    const auto found = std::ranges::find_if(pieces, [&](const Piece& piece) { return contains(name, piece.text); });
    return found == pieces.end() ? WeightPart::Other : found->part;
}

std::optional<std::int64_t> numberBehind(std::string_view name, std::string_view piece)
{
    const std::size_t place = name.find(piece);
    if (place == std::string_view::npos || (place > 0 && name[place - 1] != '.'))
        return std::nullopt;
    const char* const begin = name.data() + place + piece.size();
    const char* const end = name.data() + name.size();
    std::int64_t number = 0;
    const auto [rest, error] = std::from_chars(begin, end, number);
    return error == std::errc() && rest != end && *rest == '.' ? std::optional(number) : std::nullopt;
}

// Names as the classes in Hugging Face transformers, or the modelling code published beside the weights, give them.
constexpr std::array kHubPieces{
    Piece{"norm", WeightPart::Other},
    Piece{"ln_", WeightPart::Other},
    Piece{".ln1", WeightPart::Other},
    Piece{".ln2", WeightPart::Other},
    Piece{"embed_tokens_per_layer", WeightPart::LayerEmbedding},
    Piece{"embed_tokens", WeightPart::Embedding},
    Piece{"wte.", WeightPart::Embedding},
    Piece{"wpe.", WeightPart::Embedding},
    Piece{"word_embeddings", WeightPart::Embedding},
    Piece{"tok_embeddings", WeightPart::Embedding},
    Piece{"embed_positions", WeightPart::Embedding},
    Piece{"embed_in.", WeightPart::Embedding},
    Piece{"embeddings.", WeightPart::Embedding},
    Piece{"embedding.", WeightPart::Embedding},
    Piece{"shared.weight", WeightPart::Embedding},
    Piece{"lm_head", WeightPart::Head},
    Piece{"embed_out", WeightPart::Head},
    Piece{"output_layer.", WeightPart::Head},
    Piece{"shared_expert_gate", WeightPart::Other},
    Piece{"shared_expert", WeightPart::SharedExperts},
    Piece{"shared_mlp", WeightPart::SharedExperts},
    Piece{"router", WeightPart::Other},
    Piece{"mlp.gate.", WeightPart::Other},
    Piece{"moe.gate.", WeightPart::Other},
    Piece{"mixer.gate.", WeightPart::Other},
    Piece{"feed_forward.gate.", WeightPart::Other},
    Piece{"e_score_correction_bias", WeightPart::Other},
    Piece{"experts", WeightPart::Experts},
    Piece{"input_linear", WeightPart::Experts}, // Granite
    Piece{"output_linear", WeightPart::Experts},
    Piece{"sinks", WeightPart::Other},
    Piece{"feed_forward", WeightPart::Mlp},
    Piece{"mlp", WeightPart::Mlp},
    Piece{"ffn", WeightPart::Mlp},
    Piece{"DenseReluDense", WeightPart::Mlp},
    Piece{"channel_mix", WeightPart::Mlp},
    Piece{".fc1", WeightPart::Mlp},
    Piece{".fc2", WeightPart::Mlp},
    Piece{"attn", WeightPart::Attention},
    Piece{"attention", WeightPart::Attention},
    Piece{"Attention", WeightPart::Attention},
    Piece{"mixer.", WeightPart::Attention},
    Piece{"mamba", WeightPart::Attention},
    Piece{"conv.", WeightPart::Attention},
    Piece{"temporal_block", WeightPart::Attention},
    Piece{"time_mix", WeightPart::Attention},
};

constexpr std::array<std::string_view, 12> kBeside{
    "vision", "visual",     "image",     "audio",  "multi_modal_projector", "mm_projector", "speech", "patch_embed",
    "vit.",   "connector.", "resampler", "talker."};

/// Ends of names of scales, zero points and the like, and of buffers that old checkpoints carry.
constexpr std::array<std::string_view, 23> kScales{".scales",
                                                   ".biases",
                                                   ".qzeros",
                                                   ".g_idx",
                                                   "_scale",
                                                   "_scale_inv",
                                                   "_scale_2",
                                                   "_scales",
                                                   "_zero_point",
                                                   "_shape",
                                                   ".absmax",
                                                   ".quant_map",
                                                   "_global_scale",
                                                   ".SCB",
                                                   ".nested_absmax",
                                                   ".nested_quant_map",
                                                   ".attn.bias",
                                                   ".attention.bias",
                                                   ".masked_bias",
                                                   ".inv_freq",
                                                   ".position_ids",
                                                   ".bitsandbytes__nf4",
                                                   ".bitsandbytes__fp4"};

} // namespace

WeightPart ggufPart(std::string_view name)
{
    if (name.starts_with("output."))
        return WeightPart::Head;
    if (isSingleExpert(name))
        return WeightPart::Experts;
    return partOf(kGgufPieces, name);
}

std::optional<std::int64_t> ggufBlock(std::string_view name)
{
    return name.starts_with("blk.") ? numberBehind(name, "blk.") : std::nullopt;
}

bool isGgufTable(std::string_view name)
{
    return name.starts_with("rope_") || contains(name, ".rope_");
}

TensorName hubName(std::string_view name)
{
    TensorName result;
    result.beside = std::ranges::any_of(kBeside, [&](std::string_view piece) { return contains(name, piece); });
    result.draft = name.starts_with("mtp") || contains(name, ".mtp");
    result.scale = std::ranges::any_of(kScales, [&](std::string_view piece) { return name.ends_with(piece); });
    result.part = result.beside             ? WeightPart::Other
                  : result.draft            ? WeightPart::Draft
                  : name == "output.weight" ? WeightPart::Head
                                            : partOf(kHubPieces, name);
    return result;
}

std::optional<std::int64_t> hubLayer(std::string_view name)
{
    for (const std::string_view piece : {"layers.", "h.", "blocks."}) {
        if (const std::optional<std::int64_t> layer = numberBehind(name, piece))
            return layer;
    }
    return std::nullopt;
}

} // namespace core::readers
