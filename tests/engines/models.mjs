// SPDX-License-Identifier: GPL-3.0-or-later
// Models with the layers, KV heads, windows and states of real ones. What is not of the cache is small, and there are
// fewer query heads than in truth where llama.cpp wants as wide a model as all of them.
import { Float } from "./write_keys.mjs";

/// Query heads, KV heads (a number, or one for each layer) and the sizes of K and V.
function heads(query, kv, key, value = key) {
    return { "attention.head_count": query, "attention.head_count_kv": kv, "attention.key_length": key,
             "attention.value_length": value, "rope.dimension_count": key };
}

/// Latents of 512 and 64, as all models of DeepSeek since V2 have them.
function latents(query, headKey = 192, headValue = 128) {
    return { ...heads(query, 1, 576, 512), "rope.dimension_count": 64, "attention.kv_lora_rank": 512,
             "attention.key_length_mla": headKey, "attention.value_length_mla": headValue };
}

/// A list that is repeated and cut: one entry for each layer.
function each(layers, ...pattern) {
    return Array.from({ length: layers }, (_, i) => pattern[i % pattern.length]);
}

/// One entry for each layer: `here` at the given ones, `elsewhere` at the others.
function at(layers, places, here, elsewhere = 0) {
    return Array.from({ length: layers }, (_, i) => (places.includes(i) ? here : elsewhere));
}

function window(tokens, pattern) {
    return { "attention.sliding_window": tokens, ...(pattern && { "attention.sliding_window_pattern": pattern }) };
}

function ssm(conv, inner, state, ranks, groups) {
    return { "ssm.conv_kernel": conv, "ssm.inner_size": inner, "ssm.state_size": state, "ssm.time_step_rank": ranks,
             ...(groups !== undefined && { "ssm.group_count": groups }) };
}

const experts = { expert_count: 4, expert_used_count: 2, expert_feed_forward_length: 32 };
const dense = { leading_dense_block_count: 1, expert_shared_count: 1, expert_shared_feed_forward_length: 32,
                expert_weights_scale: new Float(1), expert_gating_func: 2, ...experts };

/// The numbers of those of so many layers for which `has` is true.
function layers(count, has = () => true) {
    return Array.from({ length: count }, (_, i) => i).filter(has);
}

const nemotronMlp = [1, 3, 5, 8, 10, 12, 14, 16, 19, 21, 23, 25, 27, 30, 32, 34, 36, 38, 41, 43, 45, 47, 49, 51];
const deltaNet = (count) => ["attn_qkv.weight", "attn_gate.weight"].map((name) => [name,
                                                                        layers(count, (i) => i % 4 !== 3)]);

export const models = [
    // Plain attention.
    ["llama-3.1-8b", "llama", { block_count: 32, ...heads(32, 8, 128) }],
    ["qwen2.5-0.5b", "qwen2", { block_count: 24, embedding_length: 896, ...heads(14, 2, 64) }],
    ["qwen3-8b", "qwen3", { block_count: 36, ...heads(32, 8, 128) }],
    ["qwen3-30b-a3b", "qwen3moe", { block_count: 48, ...heads(32, 4, 128), ...experts }],
    ["phi-3-mini", "phi3", { block_count: 32, embedding_length: 3072, ...heads(32, 32, 96), ...window(2047) },
        [["attn_qkv.weight", layers(32)]]],
    ["command-r-plus", "command-r", { block_count: 64, embedding_length: 1024, ...heads(8, 8, 128),
        logit_scale: new Float(1) }],
    ["glm-4.5-air", "glm4moe", { block_count: 47, nextn_predict_layers: 1, ...heads(96, 8, 128), ...dense }],
    ["bloom-560m", "bloom", { block_count: 24, embedding_length: 1024, "attention.head_count": 16 }],
    ["openelm-270m", "openelm", { block_count: 16,
        ...heads([12, 12, 12, 12, 12, 16, 16, 16, 16, 16, 16, 16, 20, 20, 20, 20],
                 [3, 3, 3, 3, 3, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5], 64),
        feed_forward_length: each(16, 32) }],
    ["nemotron-super-49b", "deci", { block_count: 80, ...heads(each(80, 64, 64, 0), each(80, 8, 8, 0), 128),
        feed_forward_length: each(80, 32) }],

    // Windows and chunks.
    ["gemma-2-9b", "gemma2", { block_count: 42, ...heads(16, 8, 256), ...window(4096) }],
    ["gemma-3-1b", "gemma3", { block_count: 26, ...heads(4, 1, 256), ...window(512) }],
    ["gemma-3-27b", "gemma3", { block_count: 62, ...heads(32, 16, 128), ...window(1024) }],
    ["gemma-3n-e4b", "gemma3n", { block_count: 35, ...heads(8, 2, 256),
        ...window(512, each(35, true, true, true, true, false)), embedding_length_per_layer_input: 16 }],
    ["gemma-4-e4b", "gemma4", { block_count: 42, ...heads(8, 2, 512),
        "attention.key_length_swa": 256, "attention.value_length_swa": 256, "rope.dimension_count_swa": 256,
        "attention.shared_kv_layers": 18, embedding_length_per_layer_input: 16,
        ...window(512, each(42, true, true, true, true, true, false)) }],
    ["gemma-4-31b", "gemma4", { block_count: 60, ...heads(32, each(60, 16, 16, 16, 16, 16, 4), 512),
        "attention.key_length_swa": 256, "attention.value_length_swa": 256, "rope.dimension_count_swa": 256,
        "attention.shared_kv_layers": 0, embedding_length_per_layer_input: 0,
        ...window(1024, each(60, true, true, true, true, true, false)) }],
    ["gpt-oss-20b", "gpt-oss", { block_count: 24, ...heads(64, 8, 64), ...window(128), ...experts }],
    ["command-r7b", "cohere2", { block_count: 32, embedding_length: 1024, ...heads(8, 8, 128), ...window(4096),
        logit_scale: new Float(1) }],
    ["llama-4-scout", "llama4", { block_count: 48, ...heads(40, 8, 128), interleave_moe_layer_step: 1, ...experts }],
    ["exaone-4.0-32b", "exaone4", { block_count: 64, embedding_length: 1024, ...heads(8, 8, 128), ...window(4096) }],
    ["exaone-4.0-1.2b", "exaone4", { block_count: 30, embedding_length: 512, ...heads(8, 8, 64) }],
    ["olmo-3-32b", "olmo2", { block_count: 64, embedding_length: 1024, ...heads(8, 8, 128),
        ...window(4096, each(64, true, true, true, false)) }],
    ["smallthinker-4b", "smallthinker", { block_count: 32, ...heads(12, 2, 128), ...window(4096), ...experts,
        expert_gating_func: 2 }],

    // Latents, with index keys too.
    ["deepseek-v3", "deepseek2", { block_count: 61, ...latents(128), "attention.q_lora_rank": 64, ...dense }],
    ["deepseek-v2-lite", "deepseek2", { block_count: 27, ...latents(16), ...dense }],
    ["deepseek-v2-lite, old", "deepseek2", { block_count: 27, ...heads(16, 16, 192, 128),
        "attention.kv_lora_rank": 512, ...dense, "rope.dimension_count": 64 }],
    ["glm-5", "glm-dsa", { block_count: 79, nextn_predict_layers: 1, ...latents(64, 256, 256),
        "attention.q_lora_rank": 64, ...dense, "attention.indexer.head_count": 4, "attention.indexer.key_length": 128,
        "attention.indexer.top_k": 2048 },
        ["indexer.k_norm.weight", "indexer.k_norm.bias", "indexer.proj.weight", "indexer.attn_k.weight",
         "indexer.attn_q_b.weight"].map((name) => [name, layers(79)])],
    ["deepseek-v3.2", "deepseek32", { block_count: 61, ...latents(128), "attention.q_lora_rank": 64, ...dense,
        "attention.indexer.head_count": 4, "attention.indexer.key_length": 128, "attention.indexer.top_k": 2048 }],
    ["minicpm3-4b", "minicpm3", { block_count: 62, ...heads(40, 40, 96, 64), "rope.dimension_count": 32,
        "attention.q_lora_rank": 64, "attention.kv_lora_rank": 256 }],

    // States.
    ["mamba-130m", "mamba", { block_count: 24, embedding_length: 768, ...ssm(4, 1536, 16, 48) }],
    ["mamba2-370m", "mamba2", { block_count: 48, embedding_length: 1024, ...ssm(4, 2048, 128, 32, 1) }],
    ["rwkv6-1.6b", "rwkv6", { block_count: 24, embedding_length: 2048, "wkv.head_size": 64, rescale_every_n_layers: 6,
        time_mix_extra_dim: 32, time_decay_extra_dim: 64 }, [["time_mix_lerp_fused.weight", layers(24)]]],
    ["rwkv7-0.4b", "rwkv7", { block_count: 24, embedding_length: 1024, "wkv.head_size": 64,
        "attention.decay_lora_rank": 32, "attention.iclr_lora_rank": 32, "attention.value_residual_mix_lora_rank": 32,
        "attention.gate_lora_rank": 32 }],

    // States and attention.
    ["jamba-reasoning-3b", "jamba", { block_count: 28, embedding_length: 2560, ...heads(20, at(28, [7, 21], 1), 128),
        ...ssm(4, 5120, 16, 160) }],
    ["falcon-h1-0.5b", "falcon-h1", { block_count: 36, ...heads(8, 2, 64), ...ssm(4, 1536, 128, 24, 1) },
        [["ssm_conv1d.bias", layers(36)]]],
    ["granite-4-h-tiny", "granitehybrid", { block_count: 40, embedding_length: 1536,
        ...heads(12, at(40, [5, 15, 25, 35], 4), 128), ...ssm(4, 3072, 128, 48, 1), ...experts },
        [["ssm_conv1d.bias", layers(40, (i) => i % 10 !== 5)]]],
    ["nemotron-h-8b", "nemotron_h", { block_count: 52, ...heads(32, at(52, [7, 18, 29, 40], 8), 128),
        feed_forward_length: at(52, nemotronMlp, 32), ...ssm(4, 8192, 128, 128, 8) },
        [["ssm_conv1d.bias", layers(52, (i) => ![7, 18, 29, 40, ...nemotronMlp].includes(i))]]],
    ["plamo-2-1b", "plamo2", { block_count: 16, ...heads(32, each(16, 0, 4), 128), ...ssm(4, 4096, 64, 32, 0) }],
    ["lfm2-1.2b", "lfm2", { block_count: 16, embedding_length: 2048, ...heads(32, at(16, [2, 5, 8, 10, 12, 14], 8), 64),
        "shortconv.l_cache": 3 }],
    ["qwen3-next-80b", "qwen3next", { block_count: 48, ...heads(16, 2, 256), "rope.dimension_count": 64,
        ...ssm(4, 4096, 128, 32, 16), ...experts, expert_shared_feed_forward_length: 32 }, deltaNet(48)],
    ["qwen3.5-27b", "qwen35", { block_count: 64, ...heads(24, 4, 256),
        "rope.dimension_count": 64, "rope.dimension_sections": [11, 11, 10, 0], full_attention_interval: 4,
        ...ssm(4, 6144, 128, 48, 16) }, deltaNet(64)],
    ["kimi-linear-48b", "kimi-linear", { block_count: 27, ...latents(32),
        "attention.head_count_kv": at(27, [3, 7, 11, 15, 19, 23, 26], 1), "ssm.conv_kernel": 4, "kda.head_dim": 128,
        ...dense }],
];
