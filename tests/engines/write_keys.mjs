// SPDX-License-Identifier: GPL-3.0-or-later
import { writeFileSync } from "node:fs";

/// A number that the file keeps as a float, though it may be whole.
export class Float {
    constructor(value) {
        this.value = value;
    }
}

// What a model needs to be loaded and what says nothing of its cache, where it does not say so itself.
const common = {
    "vocab_size": 32,
    "context_length": 8192,
    "embedding_length": 64,
    "feed_forward_length": 32,
    "attention.layer_norm_epsilon": new Float(1e-5),
    "attention.layer_norm_rms_epsilon": new Float(1e-5),
};

const [U32, I32, F32, BOOL, STRING, ARRAY] = [4, 5, 6, 7, 8, 9];

function u32(value) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32LE(value);
    return bytes;
}

function u64(value) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigUInt64LE(BigInt(value));
    return bytes;
}

function f32(value) {
    const bytes = Buffer.alloc(4);
    bytes.writeFloatLE(value);
    return bytes;
}

function text(value) {
    return Buffer.concat([u64(Buffer.byteLength(value)), Buffer.from(value)]);
}

/// The type of a value and its bytes.
function encode(value, number = U32) {
    if (typeof value === "string")
        return [STRING, text(value)];
    if (typeof value === "boolean")
        return [BOOL, Buffer.from([+value])];
    if (value instanceof Float)
        return [F32, f32(value.value)];
    if (!Array.isArray(value))
        return [number, u32(value)];
    const items = value.map((item) => encode(item, I32));
    return [ARRAY, Buffer.concat([u32(items[0][0]), u64(items.length), ...items.map(([, bytes]) => bytes)])];
}

/// A GGUF file without weights; `keys` are those of the architecture, `optional` the ends of the names of tensors that
/// the model has besides those that llama.cpp asks for, each with its layers. Their shapes do not matter here.
export function writeKeys(path, architecture, keys, optional = []) {
    const all = { "general.architecture": architecture, "tokenizer.ggml.model": "no_vocab" };
    for (const [key, value] of Object.entries({ ...common, ...keys }))
        all[`${architecture}.${key}`] = value;
    const names = optional.flatMap(([name, layers]) => layers.map((layer) => `blk.${layer}.${name}`));
    const parts = [Buffer.from("GGUF"), u32(3), u64(names.length), u64(Object.keys(all).length)];
    for (const [key, value] of Object.entries(all)) {
        const [type, bytes] = encode(value);
        parts.push(text(key), u32(type), bytes);
    }
    names.forEach((name, i) => parts.push(text(name), u32(1), u64(1), u32(0), u64(32 * i)));
    const header = Buffer.concat(parts);
    const padding = Buffer.alloc(-header.length & 31);
    writeFileSync(path, Buffer.concat([header, padding, Buffer.alloc(32 * names.length)]));
}
