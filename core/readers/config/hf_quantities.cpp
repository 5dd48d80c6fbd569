// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_quantities.h"

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr Range kDim{1, 1'048'576};
constexpr Range kTokens{1, 1'000'000'000'000};
constexpr Range kExperts{0, 65'536};
constexpr Range kMlp{1, 16'777'216};

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
    QuantityInfo{Quantity::ValueDim, "value_dim", "v_head_dim", {0, 1'048'576}},
    QuantityInfo{
        Quantity::MaxContext, "max_context",
        "max_position_embeddings n_positions max_seq_len seq_length max_sequence_length model_max_length n_ctx "
        "max_context_length context_length",
        kTokens},
    QuantityInfo{Quantity::Vocabulary, "vocabulary", "vocab_size padded_vocab_size", {1, 1'000'000'000}},
    QuantityInfo{Quantity::VocabularyMultiple, "vocabulary_multiple", "pad_vocab_size_multiple", {1, 1'000'000}},
    QuantityInfo{Quantity::EmbeddingWidth, "embedding_width", "word_embed_proj_dim", kDim},
    QuantityInfo{Quantity::MlpWidth, "mlp_width",
                 "intermediate_size ffn_dim n_inner ffn_hidden_size ffn_config.ffn_hidden_size", kMlp},
    QuantityInfo{Quantity::DenseMlpWidth, "dense_mlp_width", "dense_intermediate_size intermediate_size_mlp", kMlp},
    QuantityInfo{Quantity::MlpRatio, "mlp_ratio", "expansion_ratio", {1, 1'024}},
    QuantityInfo{Quantity::Window, "window", "sliding_window sliding_window_size window_size attention_window_size",
                 kTokens},
    QuantityInfo{Quantity::WindowedFrom, "first_windowed_layer", "max_window_layers", {0, 65'535}},
    QuantityInfo{Quantity::Experts, "experts",
                 "num_local_experts num_experts n_routed_experts moe_num_experts ffn_config.moe_num_experts", kExperts},
    QuantityInfo{Quantity::ExpertsPerToken, "experts_per_token",
                 "num_experts_per_tok num_experts_per_token moe_topk moe_top_k moe_k experts_per_token "
                 "ffn_config.moe_top_k top_k_experts",
                 kExperts},
    QuantityInfo{Quantity::ExpertWidth, "expert_width",
                 "moe_intermediate_size expert_ffn_hidden_size moe_ffn_hidden_size expert_intermediate_size", kMlp},
    QuantityInfo{Quantity::ExpertLatent, "expert_latent", "moe_latent_size routed_expert_hidden_size", kDim},
    QuantityInfo{Quantity::IdleExperts, "idle_experts", "zero_expert_num", kExperts},
    QuantityInfo{Quantity::SharedExperts, "shared_experts",
                 "n_shared_experts num_shared_experts num_shared_expert moe_num_shared_experts", kExperts},
    QuantityInfo{Quantity::SharedExpertWidth,
                 "shared_expert_width",
                 "shared_expert_intermediate_size shared_intermediate_size moe_shared_expert_intermediate_size "
                 "share_expert_dim",
                 {0, 16'777'216}},
    QuantityInfo{Quantity::DenseLayers, "dense_layers", "first_k_dense_replace num_dense_layers", {0, 65'535}},
    QuantityInfo{Quantity::MoeStep, "moe_step", "decoder_sparse_step moe_layer_freq", {1, 65'535}},
    QuantityInfo{Quantity::Latent, "latent_dim", "kv_lora_rank", kDim},
    QuantityInfo{Quantity::RopeDim, "rope_dim", "qk_rope_head_dim", {0, 1'048'576}},
    QuantityInfo{Quantity::NopeDim, "nope_dim", "qk_nope_head_dim", {0, 1'048'576}},
    QuantityInfo{Quantity::QueryRank, "query_rank", "q_lora_rank", {0, 1'048'576}},
    QuantityInfo{Quantity::OutputRank, "output_rank", "o_lora_rank", kDim},
    QuantityInfo{Quantity::OutputGroups, "output_groups", "o_groups", kDim},
    QuantityInfo{Quantity::IndexDim, "index_dim", "index_head_dim sparse_attention_config.sparse_index_dim", kDim},
    QuantityInfo{Quantity::IndexHeads, "index_heads", "index_n_heads sparse_attention_config.sparse_num_index_heads",
                 kDim},
    QuantityInfo{Quantity::SharedKvLayers, "shared_kv_layers", "num_kv_shared_layers", {0, 65'535}},
    QuantityInfo{Quantity::ShareFactor, "share_factor", "cla_share_factor", {1, 65'535}},
    QuantityInfo{Quantity::ConvKernel,
                 "conv_kernel",
                 "conv_kernel mamba_d_conv d_conv conv1d_width conv_L_cache linear_conv_kernel_dim ssm_cfg.d_conv "
                 "linear_attn_config.short_conv_kernel_size",
                 {1, 4'096}},
    QuantityInfo{Quantity::StateSize, "state_size", "state_size ssm_state_size mamba_d_state d_state ssm_cfg.d_state",
                 kDim},
    QuantityInfo{Quantity::InnerWidth, "inner_width", "mamba_d_ssm mamba_intermediate_size lru_width", kMlp},
    QuantityInfo{Quantity::Expand, "expand", "mamba_expand expand ssm_cfg.expand", {1, 1'024}},
    QuantityInfo{Quantity::StateHeads, "state_heads",
                 "mamba_num_heads mamba_n_heads n_mamba_heads linear_num_value_heads linear_attn_config.num_heads",
                 kDim},
    QuantityInfo{Quantity::StateHeadDim, "state_head_dim",
                 "mamba_head_dim mamba_d_head mamba_headdim linear_value_head_dim linear_attn_config.head_dim "
                 "ssm_cfg.headdim head_size",
                 kDim},
    QuantityInfo{Quantity::StateKeyHeads, "state_key_heads", "linear_num_key_heads", kDim},
    QuantityInfo{Quantity::StateKeyDim, "state_key_dim", "linear_key_head_dim", kDim},
    QuantityInfo{Quantity::StateGroups, "state_groups", "n_groups mamba_n_groups mamba_ngroups ssm_cfg.ngroups", kDim},
    QuantityInfo{Quantity::DtRank, "dt_rank", "time_step_rank mamba_dt_rank ssm_cfg.dt_rank", kDim},
    QuantityInfo{Quantity::AttentionConv, "attention_conv", "attn_cfg.d_conv", {0, 4'096}},
    QuantityInfo{Quantity::PerLayerWidth, "per_layer_width", "hidden_size_per_layer_input", {0, 1'048'576}},
    QuantityInfo{
        Quantity::PerLayerVocabulary, "per_layer_vocabulary", "vocab_size_per_layer_input", {0, 1'000'000'000}},
    QuantityInfo{Quantity::LoraRank, "lora_rank", "adapter_rank laurel_rank", {0, 1'048'576}},
    QuantityInfo{Quantity::MemoryBlocks, "memory_blocks", "num_mem_blocks", {0, 65'535}},
    QuantityInfo{Quantity::EncoderLayers, "encoder_layers", "encoder_layers num_encoder_layers", {0, 65'535}},
    QuantityInfo{Quantity::EncoderMlpWidth, "encoder_mlp_width", "encoder_ffn_dim", kMlp},
    QuantityInfo{Quantity::EncoderTokens, "encoder_tokens", "max_source_positions", kTokens},
    QuantityInfo{Quantity::Mels, "mels", "num_mel_bins", kDim},
    QuantityInfo{Quantity::PositionBuckets, "position_buckets", "relative_attention_num_buckets", kDim},
};

} // namespace

const QuantityInfo& info(Quantity quantity)
{
    return kQuantities.at(static_cast<std::size_t>(quantity));
}

} // namespace core::readers
