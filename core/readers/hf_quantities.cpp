// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/hf_families.h"

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr Range kDim{1, 1'048'576};
constexpr Range kTokens{1, 1'000'000'000'000};
constexpr Range kExperts{0, 65'536};

constexpr std::array kQuantities{
    QuantityInfo{Quantity::Layers,
                 "layers",
                 "num_hidden_layers n_layer n_layers num_layers num_transformer_layers decoder_layers",
                 {1, 65'535}},
    QuantityInfo{Quantity::Width, "width", "hidden_size n_embd n_embed d_model model_dim", kDim},
    QuantityInfo{Quantity::QueryHeads, "query_heads",
                 "num_attention_heads n_head n_heads num_heads num_query_heads decoder_attention_heads", kDim},
    QuantityInfo{Quantity::KvHeads, "kv_heads",
                 "num_key_value_heads num_kv_heads n_head_kv multi_query_group_num attn_config.kv_n_heads "
                 "num_attention_groups",
                 kDim},
    QuantityInfo{Quantity::HeadDim, "head_dim", "head_dim kv_channels attention_head_dim", kDim},
    QuantityInfo{
        Quantity::MaxContext, "max_context",
        "max_position_embeddings n_positions max_seq_len seq_length max_sequence_length model_max_length n_ctx "
        "max_context_length context_length",
        kTokens},
    QuantityInfo{Quantity::Vocabulary, "vocabulary", "vocab_size padded_vocab_size", {1, 1'000'000'000}},
    QuantityInfo{Quantity::EmbeddingWidth, "embedding_width", "word_embed_proj_dim", kDim},
    QuantityInfo{Quantity::MlpWidth,
                 "mlp_width",
                 "intermediate_size ffn_dim n_inner ffn_hidden_size ffn_config.ffn_hidden_size",
                 {1, 16'777'216}},
    QuantityInfo{Quantity::MlpRatio, "mlp_ratio", "expansion_ratio", {1, 1'024}},
    QuantityInfo{Quantity::Window, "window", "sliding_window sliding_window_size window_size", kTokens},
    QuantityInfo{Quantity::WindowedFrom, "first_windowed_layer", "max_window_layers", {0, 65'535}},
    QuantityInfo{Quantity::Experts, "experts",
                 "num_local_experts num_experts n_routed_experts moe_num_experts ffn_config.moe_num_experts", kExperts},
    QuantityInfo{Quantity::ExpertsPerToken, "experts_per_token",
                 "num_experts_per_tok num_experts_per_token moe_topk moe_top_k moe_k experts_per_token "
                 "ffn_config.moe_top_k",
                 kExperts},
    QuantityInfo{Quantity::ExpertWidth, "expert_width", "moe_intermediate_size", kDim},
    QuantityInfo{Quantity::SharedExperts, "shared_experts", "n_shared_experts", kExperts},
    QuantityInfo{Quantity::SharedExpertWidth,
                 "shared_expert_width",
                 "shared_expert_intermediate_size shared_intermediate_size",
                 {0, 16'777'216}},
    QuantityInfo{Quantity::DenseLayers, "dense_layers", "first_k_dense_replace", {0, 65'535}},
    QuantityInfo{Quantity::MoeStep, "moe_step", "decoder_sparse_step moe_layer_freq", {1, 65'535}},
};

} // namespace

const QuantityInfo& info(Quantity quantity)
{
    return kQuantities.at(static_cast<std::size_t>(quantity));
}

bool hasWord(std::string_view words, std::string_view word)
{
    for (std::size_t place = 0; place < words.size() && !word.empty();) {
        const std::size_t end = std::min(words.find(' ', place), words.size());
        if (words.substr(place, end - place) == word)
            return true;
        place = end + 1;
    }
    return false;
}

} // namespace core::readers
