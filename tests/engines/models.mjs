// SPDX-License-Identifier: GPL-3.0-or-later
import { Float } from "./write_keys.mjs";

/// Query heads, KV heads, and their sizes.
function heads(query, kv, key, value = key) {
    return { "attention.head_count": query, "attention.head_count_kv": kv, "attention.key_length": key,
             "attention.value_length": value, "rope.dimension_count": key };
}

export const models = [
    ["llama-3.1-8b", "llama", { block_count: 32, ...heads(32, 8, 128) }],
    ["gemma-3-4b", "gemma3", { block_count: 34, ...heads(8, 4, 256), "attention.sliding_window": 1024 }],
];
