// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/log_table.h"
#include "core/engines/vllm/plan.h"
#include "core/engines/vllm/version.h"
#include "core/engines/vllm/vllm.h"
#include "core/scenario/kv_cache.h"

#include <array>
#include <string>

namespace core::engines::vllm {

namespace {

/// Lines of V0 and V1 of all releases.
constexpr std::array kTable{
    LogPattern{.key = "blocks", .words = "# GPU blocks: "},
    LogPattern{.key = "blocks", .words = "# cuda blocks: "},
    LogPattern{.key = "blocks", .words = "# xpu blocks: "},
    LogPattern{.key = "blocks", .words = "# rocm blocks: "},
    LogPattern{.key = "override", .words = "num_gpu_blocks_override="},
    LogPattern{.key = "cpu_blocks", .words = "# CPU blocks: "},
    LogPattern{.key = "tokens", .words = "GPU KV cache size: "},
    LogPattern{.key = "concurrency", .words = "tokens per request: "},
    LogPattern{.key = "length", .words = "Maximum concurrency for "},
    LogPattern{.key = "available", .words = "Available KV cache memory: "},
    LogPattern{.key = "available", .words = "the rest of the memory reserved for KV Cache is "},
    LogPattern{.key = "available", .words = "kv_cache_size=", .line = "GiB"},
    LogPattern{.key = "available", .words = "available KV cache memory ("},
    LogPattern{.key = "available_bytes", .words = " bytes", .behind = true, .line = "kv cache memory in use is"},
    LogPattern{.key = "in_use", .words = "kv cache memory in use is ", .line = "use is"},
    LogPattern{.key = "reserved", .words = "reserved ", .line = "GiB memory for KV Cache as specified"},
    LogPattern{.key = "attention_block", .words = "Setting attention block size to "},
    LogPattern{.key = "padding", .words = "Padding mamba page size by "},
    LogPattern{.key = "padding_layers", .words = " padding layers", .behind = true},
    LogPattern{.key = "padding_waste", .words = "may waste at most "},
    LogPattern{.key = "needed", .words = " GiB KV cache is needed", .behind = true},
    LogPattern{.key = "longest", .words = "estimated maximum model length is "},
    LogPattern{.key = "longest", .words = " to ", .line = "Auto-fit max_model_len"},
    LogPattern{.key = "length", .words = "max seq len ("},
    LogPattern{.key = "weights", .words = "Model loading took "},
    LogPattern{.key = "weights", .words = "Loading model weights took "},
    LogPattern{.key = "weights", .words = "model weights take "},
    LogPattern{.key = "weights", .words = " GiB for weight", .behind = true},
    LogPattern{.key = "consumed", .words = " GiB for consumed memory", .behind = true},
    LogPattern{.key = "non_torch", .words = " GiB for non-torch memory", .behind = true},
    LogPattern{.key = "non_torch", .words = "non_torch_memory takes "},
    LogPattern{.key = "non_torch", .words = "non_torch_memory="},
    LogPattern{.key = "activation", .words = " GiB for peak activation", .behind = true},
    LogPattern{.key = "activation", .words = "PyTorch activation peak memory takes "},
    LogPattern{.key = "graphs", .words = " GiB for CUDAGraph memory", .behind = true},
    LogPattern{.key = "graphs", .words = "took ", .line = "Graph capturing finished"},
    LogPattern{.key = "graphs", .words = "CUDA graph pool memory: "},
    LogPattern{.key = "estimated_graphs", .words = "Estimated CUDA graph memory: "},
    LogPattern{.key = "utilization", .words = "gpu_memory_utilization ("},
    LogPattern{.key = "utilization", .words = "gpu_memory_utilization="},
    LogPattern{.key = "utilization", .words = "Desired GPU memory utilization is ("},
    LogPattern{.key = "total", .words = "total_gpu_memory ("},
    LogPattern{.key = "total", .words = "total_gpu_memory="},
    LogPattern{.key = "total", .words = "/", .line = "Free memory on device"},
    LogPattern{.key = "suggested", .words = "` (", .line = "to fit into requested memory"},
    LogPattern{.key = "engine", .words = "Initializing a ", .isWord = true, .line = "LLM engine (v"},
    LogPattern{.key = "version", .words = "LLM engine (v", .isWord = true},
    LogPattern{.key = "version", .words = "vLLM API server version ", .isWord = true},
    LogPattern{.key = "tp", .words = "tensor_parallel_size="},
    LogPattern{.key = "pp", .words = "pipeline_parallel_size="},
    LogPattern{.key = "dp", .words = "data_parallel_size="},
    LogPattern{.key = "kv_dtype", .words = "kv_cache_dtype=", .isWord = true},
    LogPattern{.key = "length", .words = "max_seq_len="},
    LogPattern{.key = "length", .words = "Using max model len "},
    LogPattern{.key = "batched", .words = "max_num_batched_tokens="},
    LogPattern{.key = "prefixes", .words = "enable_prefix_caching=", .isWord = true},
    LogPattern{.key = "drafts", .words = "num_spec_tokens="},
};

/// The release, and the engine within it where another is the release's own: "0.9.2 V0". Empty where nothing tells.
std::string releaseOf(const EngineLog& log)
{
    const std::string* text = log.find("version");
    const std::optional<Version> release = text != nullptr ? version(*text) : std::nullopt;
    if (!release)
        return log.find("blocks") != nullptr ? "V0" : "";
    const std::string* engine = log.find("engine");
    const bool isOther = engine != nullptr && release->first != (*engine == "V0");
    return isOther && (*engine == "V0" || *engine == "V1") ? *text + " " + *engine : *text;
}

/// What is no tensor of torch, or is consumed beside the weights: all that is typed and estimated is part of it.
void takeMemoryBesideWeights(Scenario& scenario, const EngineLog& log)
{
    const std::optional<PrintedSize> consumed = leastSizeOf(log, "consumed");
    if (log.find("non_torch") == nullptr && !consumed)
        return;
    scenario.overhead = {};
    if (hasSeveralDevices(scenario))
        scenario.settings.set(kCommunicationRow.flag, "0GiB");
    if (!consumed)
        return;
    const VllmPlan plan(scenario);
    const Bytes others = consumed->size - plan.weightsOf(plan.binding());
    scenario.settings.set(kRuntimeRow.flag, std::to_string(std::max(others, Bytes()).count()));
}

} // namespace

EngineLog readLog(std::string_view text)
{
    return readByTable(text, kTable);
}

Scenario withLog(Scenario scenario, const EngineLog& log)
{
    if (const std::string release = releaseOf(log); !release.empty())
        scenario.engineVersion = release;
    takeSpread(scenario, log);
    takeLength(scenario, log);
    const std::optional<PrintedSize> printed = leastSizeOf(log, "available");
    const std::optional<std::int64_t> bytes = leastCountOf(log, "available_bytes");
    if (printed || bytes) {
        scenario.cacheMemory = bytes ? Bytes(*bytes) : printed->size;
        scenario.settings.erase(kBlocksFlag);
    }
    takeFlags(scenario, log, kEngine.settings,
              {{"batched", "max-num-batched-tokens"},
               {"drafts", "num-speculative-tokens"},
               {"override", kBlocksFlag},
               {"utilization", "gpu-memory-utilization"},
               {"activation", kActivationRow.flag, "GiB"},
               {"non_torch", kRuntimeRow.flag, "GiB"},
               {"graphs", kGraphFlag, "GiB"},
               {"estimated_graphs", kGraphFlag, "GiB"}});
    takeMemoryBesideWeights(scenario, log);
    if (printed && !bytes)
        scenario.cacheMemory = VllmPlan(scenario).memoryIn(log, *printed);
    return scenario;
}

} // namespace core::engines::vllm
