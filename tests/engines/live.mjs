// SPDX-License-Identifier: GPL-3.0-or-later
// live.mjs PROGRAM RUNNER BACKENDS FOLDER [MODEL]...: each model of models.mjs in each of the contexts below, once by
// llama.cpp and once by `kvhorizon size`. The lines of the caches must be the same text.
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync } from "node:fs";
import { models } from "./models.mjs";
import { writeKeys } from "./write_keys.mjs";

const [, , program, runner, backends, folder, ...wanted] = process.argv;
const least = 60; // comparisons, below which the check has not been made

const contexts = [
    // tokens  sequences  batch  ubatch  switches          K       V         rows to roll back to
    [ 4096,    1,         2048,   512,   "flash",          "f16",  "f16",    0],
    [ 8200,    1,         2048,   512,   "",               "f16",  "f16",    0],
    [ 8200,    3,         1024,   256,   "flash",          "q8_0", "iq4_nl", 0],
    [ 3000,    4,         2048,  2048,   "flash unified",  "q4_0", "q4_0",   0],
    [ 6001,    4,          300,    64,   "unified",        "q5_1", "f16",    0],
    [ 5000,    3,         2048,   768,   "flash whole",    "bf16", "bf16",   2],
    [  100,    1,         2048,   512,   "flash",          "q4_1", "f32",    0],
    [ 1024,    2,         2048,   512,   "",               "f16",  "q8_0",   0], // which llama.cpp refuses
];

/// What both programs are told of a context.
function describe([tokens, sequences, batch, ubatch, switches, k, v, rows]) {
    const has = (word) => switches.split(" ").includes(word);
    return { tokens, sequences, batch, ubatch, k, v, rows,
             flash: has("flash"), unified: has("unified"), whole: has("whole") };
}

function cacheLines(lines) {
    return lines.filter((line) => / size = .* cells, /.test(line)).map((line) => line.trim());
}

/// The log of llama.cpp for each context; throws where it does not load the model.
function byLlama(keys, file, settings) {
    const input = settings.map((s) => [s.tokens, s.sequences, s.batch, s.ubatch, +s.flash, +s.unified, +s.whole,
                                       s.k, s.v, s.rows].join(" "));
    const run = spawnSync(runner, [backends, keys, file], { input: input.join("\n"), encoding: "utf8",
                                                            maxBuffer: 1 << 28, env: { GGML_NO_BACKTRACE: "1" } });
    const logs = run.stdout.split(/^context$/m).map((log) => log.split("\n"));
    if (run.status !== 0 || logs.length !== settings.length + 1)
        throw new Error(`llama.cpp ended with ${run.status ?? run.signal} in part ${logs.length}: ` +
                        [...run.stdout.split("\n").filter((line) => /error/.test(line)), run.stderr].join("\n"));
    return logs.slice(1);
}

/// The same lines by our program, or null where it refuses. `ubatch` is what llama.cpp printed. Layers that draft have
/// a context of their own, which is not made here, so a model that `drafts` is sized without them.
function byUs(file, s, ubatch, drafts) {
    const name = (type) => type.replace(/^f(\d)/, "fp$1");
    const line = ["size", file, "--engine", "llama.cpp", "--json", "--context", s.tokens, "--parallel", s.sequences,
                  "--batch-size", s.batch, "--ubatch-size", ubatch, "--flash-attn", s.flash ? "on" : "off",
                  "--k-format", name(s.k), "--v-format", name(s.v), "--num-speculative-tokens", drafts ? 0 : s.rows,
                  ...(s.unified ? ["--kv-unified"] : []), ...(s.whole ? ["--swa-full"] : [])];
    const run = spawnSync(program, line.map(String), { encoding: "utf8", maxBuffer: 1 << 26 });
    if (run.status === 1)
        return { lines: null, said: run.stderr.trim() };
    if (run.status !== 0)
        throw new Error(`kvhorizon ${line.join(" ")}\n${run.stderr}`);
    return { lines: cacheLines(JSON.parse(run.stdout).engine.log), said: run.stderr.trim() };
}

/// What differs in one context, or nothing. A log without lines of caches would be a check of nothing.
function compare(name, printed, ours, log, context) {
    if (JSON.stringify(printed) === JSON.stringify(ours.lines) && printed?.length !== 0)
        return [];
    const said = log.filter((line) => line.startsWith("llama_init_from_model"));
    const list = (lines) => lines.join("\n             ");
    return [`${name}: ${context.join(" ")}`, `  llama.cpp: ${list(printed ?? said)}`,
            `  ours:      ${list(ours.lines ?? [ours.said])}`];
}

const settings = contexts.map(describe);
const all = models.filter(([name]) => wanted.length === 0 || wanted.includes(name));
const result = { agree: 0, refused: 0, differ: 0 };
const differences = [];
mkdirSync(folder, { recursive: true });
for (const [name, architecture, keys, optional] of all) {
    const file = `${folder}/${name}.gguf`;
    const before = result.differ;
    writeKeys(`${folder}/keys.gguf`, architecture, keys, optional);
    try {
        byLlama(`${folder}/keys.gguf`, file, settings).forEach((log, i) => {
            const printed = log.includes("refused") ? null : cacheLines(log);
            const ubatch = log.join("\n").match(/n_ubatch += (\d+)/)?.[1] ?? settings[i].ubatch;
            const ours = byUs(file, settings[i], ubatch, "nextn_predict_layers" in keys);
            const different = compare(name, printed, ours, log, contexts[i]);
            differences.push(...different);
            ++result[different.length > 0 ? "differ" : printed ? "agree" : "refused"];
        });
    } catch (error) {
        differences.push(`${name}: ${error.message}`);
        ++result.differ;
    }
    rmSync(file, { force: true });
    console.log(`${name.padEnd(24)} ${architecture.padEnd(14)} ${result.differ > before ? "DIFFERS" : "agrees"}`);
}
console.log(["", ...differences, ""].join("\n"));
console.log(`${result.agree} combinations agree to the printed digit, ${result.refused} are refused by both, ` +
            `${result.differ} differ.`);
const enough = result.agree >= (wanted.length === 0 ? least : 1);
if (!enough)
    console.log("Too few were compared.");
process.exit(result.differ > 0 || !enough ? 1 : 0);
