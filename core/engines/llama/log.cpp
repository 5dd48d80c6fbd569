// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/llama.h"
#include "core/engines/llama/log_line.h"
#include "core/engines/log_table.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>

namespace core::engines::llama {

namespace {

/// Keys that say something of memory, as settings, facts of the model or its weights, with bars between them.
constexpr std::string_view kKeys =
    "n_seq_max|n_ctx|n_ctx_seq|n_ctx_per_seq|n_batch|n_ubatch|flash_attn|kv_unified|mla_attn|n_rs_seq|n_layer|"
    "n_layer_all|n_head|n_head_kv|n_embd_head_k|n_embd_head_v|n_embd_k_gqa|n_embd_v_gqa|n_swa|n_swa_pattern|n_rot|"
    "n_lora_kv|n_embd|n_ctx_train|n_vocab|n_expert|ssm_d_conv|ssm_d_inner|ssm_d_state|ssm_n_group|ssm_dt_rank|arch|"
    "model type|model ftype|file type|model params|model size|file size|type_k|type_v|kv_size|n_gqa|kv_lora_rank|"
    "n_stream|swa_full|n_parallel|n_gpu_layers|n_seq|n_embd_head_qk_rope|n_lora_q";

/// Words of lines that belong to a log and say nothing of memory, with bars between them.
constexpr std::string_view kIdle =
    "llama_model_loader:|llm_load_vocab|load: |load_tensors: |llm_load_tensors: |print_info: |llm_load_print_meta|"
    "graph nodes|graph splits|freq_base|freq_scale|causal_attn|attn_max_b|fused_moe|fused_up_gate|= -1, 0|"
    "system_info|ggml_cuda_init|ggml_metal_init|ggml_vulkan|build: |main: |srv |slot |set_abort_callback|"
    "common_init|pipeline parallelism|Device |skipping|dev = |attn_rot_|llama_context: constructing|sampler|"
    "llama_perf";

/// Sizes of buffers: "CUDA0 KV buffer size = 1024.00 MiB" is the value of "CUDA0 KV buffer".
constexpr std::string_view kBuffers[] = {"KV buffer size",      "RS buffer size",    "output buffer size",
                                         "compute buffer size", "model buffer size", "buffer size"};

/// Reads the lines of a log one by one.
class Reader {
public:
    EngineLog read(std::string_view text)
    {
        for (const std::string_view line : split(text, '\n')) {
            ++m_number;
            readLine(cleaned(line));
        }
        return std::move(m_log);
    }

private:
    void readLine(const std::string& line)
    {
        if (line.empty())
            return;
        const bool known = readCache(line) || readLatents(line) || readBuffer(line) || readWindow(line) ||
                           readOffload(line) || readValues(line);
        if (known)
            return;
        const bool idle =
            std::ranges::any_of(m_idle, [&](std::string_view words) { return line.find(words) != std::string::npos; });
        if (idle)
            ++m_log.skipped;
        else
            m_log.unknown.push_back({m_number, line});
    }

    void add(std::string key, std::string value)
    {
        m_log.values.push_back({m_number, std::move(key), std::move(value)});
    }

    /// "size = 96.00 MiB (  4096 cells,  12 layers,  1/1 seqs), K (f16): 48.00 MiB, V (f16): 48.00 MiB", and the older
    /// "KV self size  = 96.00 MiB, K (f16): …" and "kv self size  = 256.00 MB".
    bool readCache(const std::string& line)
    {
        LogCache cache{.line = m_number};
        const bool isNew = line.find("cells") != std::string::npos && line.find("layers") != std::string::npos;
        const bool isOld = toLower(line).find("kv self size") != std::string::npos;
        if (!isNew && !isOld)
            return false;
        cache.total = sizeBehind(line, "size");
        if (isNew) {
            cache.cells = countBefore(line, "cells");
            cache.layers = countBefore(line, "layers");
            readSequences(line, cache);
        }
        cache.isLatent = line.find("c^KV") != std::string::npos;
        cache.isState = line.find(" R (") != std::string::npos;
        const std::string_view first = cache.isLatent ? "c^KV (" : cache.isState ? " R (" : " K (";
        const std::string_view second = cache.isLatent ? "kv^T (" : cache.isState ? " S (" : " V (";
        readTyped(line, first, cache.kType, cache.k);
        readTyped(line, second, cache.vType, cache.v);
        if (line.find("kv^T: not used") != std::string::npos)
            cache.v = "0.00";
        if (cache.total.empty())
            return false;
        // Some builds of ik_llama.cpp print the size of latents twice, first as K and V.
        if (cache.isLatent && !m_log.caches.empty() && m_log.caches.back().total == cache.total &&
            m_log.caches.back().line + 1 == m_number)
            m_log.caches.pop_back();
        m_log.caches.push_back(std::move(cache));
        return true;
    }

    static void readSequences(const std::string& line, LogCache& cache)
    {
        cache.sequences = countBefore(line, "seqs");
        cache.rollback = countBefore(line, "rs_seq");
        const std::size_t slash = line.find('/', line.find("layers"));
        if (slash == std::string::npos)
            return;
        cache.streams = cache.sequences;
        cache.sequences = countBefore(line.substr(0, slash + 1), "/");
    }

    /// Old logs name the parts of a latent cache without its size in all.
    bool readLatents(const std::string& line)
    {
        const std::string_view key = "kv_lora_rank = ";
        if (line.find(key) == std::string::npos || line.find("layer ") == std::string::npos)
            return false;
        ++m_log.skipped;
        return true;
    }

    bool readBuffer(const std::string& line)
    {
        for (const std::string_view words : kBuffers) {
            const std::size_t place = line.find(words);
            if (place == std::string::npos)
                continue;
            const std::string size = sizeBehind(line, words);
            if (size.empty())
                return false;
            const std::string device = lastWord(line.substr(0, place));
            add(device + " " + std::string(words.substr(0, words.rfind(' '))), size);
            return true;
        }
        return false;
    }

    /// "creating non-SWA KV cache, size = 4096 cells", "using full-size SWA cache".
    bool readWindow(const std::string& line)
    {
        if (line.find("using full-size SWA cache") != std::string::npos) {
            add("swa_full", "1");
            return true;
        }
        if (line.find("creating") == std::string::npos || line.find("cache") == std::string::npos)
            return false;
        ++m_log.skipped; // the line of its size follows
        return true;
    }

    /// "offloaded 33/33 layers to GPU"
    bool readOffload(const std::string& line)
    {
        const std::size_t slash = line.find('/', line.find("offloaded "));
        if (line.find("offloaded ") == std::string::npos || slash == std::string::npos)
            return false;
        const std::optional<std::int64_t> on = countBefore(line.substr(0, slash + 1), "/");
        const std::optional<std::int64_t> all = countBefore(line, "layers");
        if (!on || !all)
            return false;
        add("n_gpu_layers", *on == *all ? "all" : std::to_string(*on));
        return true;
    }

    /// "n_ctx = 8192", "n_layer          : 32", or several with commas between.
    bool readValues(const std::string& line)
    {
        bool any = false;
        for (const std::string_view key : m_keys) {
            std::string value = valueOf(line, key);
            if (value.empty())
                continue;
            add(std::string(key), std::move(value));
            any = true;
        }
        return any;
    }

    const std::vector<std::string_view> m_keys = split(kKeys, '|');
    const std::vector<std::string_view> m_idle = split(kIdle, '|');
    EngineLog m_log;
    std::int64_t m_number = 0; ///< The number of the line that is read, from 1.
};

} // namespace

EngineLog readLog(std::string_view text)
{
    return Reader().read(text);
}

} // namespace core::engines::llama
