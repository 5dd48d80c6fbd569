// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/flag_value.h"
#include "core/engines/longest.h"
#include "core/engines/vllm/plan.h"
#include "core/engines/vllm/vllm.h"
#include "core/scenario/kv_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

namespace core::engines::vllm {

namespace {

/// "1,077,542"
std::string grouped(std::int64_t number)
{
    std::string digits = std::to_string(number);
    for (std::size_t place = digits.size(); place > 3;)
        digits.insert(place -= 3, ",");
    return digits;
}

constexpr std::int64_t kMargin = std::int64_t{150} << 20; ///< that the hint leaves free

/// "19.54", "80.0": two decimals, of which a last 0 is left out.
std::string gibText(Bytes bytes)
{
    std::string text = fmt::format("{:.2f}", toGib(bytes));
    if (text.back() == '0')
        text.pop_back();
    return text;
}

/// The lines of one reservation.
class LogWriter {
public:
    LogWriter(const Scenario& scenario, const Reservation& reservation)
        : m_scenario(scenario),
          m_pool(*reservation.pool),
          m_tokens(reservation.cacheTokens.value_or(0)),
          m_longest(reservation.requestTokens.value_or(1)),
          m_served(longestServed(scenario, reservation).value_or(0)),
          m_plan(scenario, weightBytes(scenario).value_or(Bytes()))
    {
    }

    std::vector<std::string> lines()
    {
        if (m_plan.options().version.first)
            addFirst();
        else
            addPool();
        return std::move(m_lines);
    }

private:
    template <typename... Args> void add(fmt::format_string<Args...> text, Args&&... args)
    {
        m_lines.push_back(fmt::format(text, std::forward<Args>(args)...));
    }

    /// Blocks on the host do not depend on the pool.
    void addFirst()
    {
        const std::int64_t swap =
            gib(m_plan.options().swap).count() / std::max<std::int64_t>(m_pool.blockBytes.count(), 1);
        if (!m_pool.blocks)
            return add("# CPU blocks: {}", swap);
        addBudget();
        add("# {} blocks: {}, # CPU blocks: {}", m_plan.options().version.since(7) ? "cuda" : "GPU", *m_pool.blocks,
            swap);
        add("Maximum concurrency for {} tokens per request: {:.2f}x", m_longest, *m_pool.concurrency);
    }

    void addPool()
    {
        const Layout& layout = m_plan.layout();
        if (layout.attentionBlock > 0) {
            add("Setting attention block size to {} tokens to ensure that attention page size is >= mamba page size.",
                layout.attentionBlock);
            const double state = static_cast<double>(layout.state.count());
            const double padding = 100.0 * (static_cast<double>(layout.page.count()) - state) / state;
            if (layout.page > layout.state)
                add("Padding mamba page size by {:.2f}% to ensure that mamba page size and attention page size are "
                    "exactly equal.",
                    padding);
        }
        if (m_pool.memory)
            add("Available KV cache memory: {:.2f} GiB", toGib(*m_pool.memory));
        addPadding(layout);
        if (!m_pool.blocks)
            return;
        if (m_plan.options().blocks && m_pool.memory)
            add("Overriding num_gpu_blocks={} with num_gpu_blocks_override={}", m_plan.blocksIn(*m_pool.memory),
                *m_pool.blocks);
        if (m_pool.requestBlocks > *m_pool.blocks)
            return addRefusal();
        add("GPU KV cache size: {} tokens", grouped(m_tokens));
        add("Maximum concurrency for {} tokens per request: {:.2f}x", grouped(m_longest), *m_pool.concurrency);
        addBudget();
    }

    /// How the memory for the cache came about, where it is not given: on the device that binds.
    void addBudget()
    {
        const std::optional<Bytes> device = deviceMemory(m_scenario.hardware);
        const Options& options = m_plan.options();
        if (!device || !m_pool.memory || m_scenario.cacheMemory || options.blocks)
            return;
        const Bytes requested = fractionOf(*device, options.utilization);
        const Budget& budget = m_plan.budget();
        const Bytes weights = m_plan.weights(m_plan.binding());
        const Bytes others = budget.runtime + budget.communication + m_scenario.overhead;
        const double share = static_cast<double>(options.utilization) / 10'000;
        if (options.version.first) {
            add("the current vLLM instance can use total_gpu_memory ({:.2f}GiB) x gpu_memory_utilization ({:.2f}) = "
                "{:.2f}GiB",
                toGib(*device), share, toGib(requested));
            return add("model weights take {:.2f}GiB; non_torch_memory takes {:.2f}GiB; PyTorch activation peak memory "
                       "takes {:.2f}GiB; the rest of the memory reserved for KV Cache is {:.2f}GiB.",
                       toGib(weights), toGib(others), toGib(budget.buffers), toGib(*m_pool.memory));
        }
        if (!options.version.since(kFirstBudget))
            return;
        const Bytes graphs = options.graphs;
        const Bytes spent = weights + others + budget.buffers + graphs + Bytes(kMargin);
        const Bytes fitting = std::max(requested - spent, Bytes());
        const Bytes whole = std::max(*device - spent, Bytes());
        const std::string usage =
            options.version.since(27)
                ? fmt::format("{} GiB for consumed memory (weights + non-torch), {} GiB for peak activation",
                              gibText(weights + others), gibText(budget.buffers))
                : fmt::format("{} GiB for weight, {} GiB for peak activation, {} GiB for non-torch memory",
                              gibText(weights), gibText(budget.buffers), gibText(others));
        add("Free memory on device ({}/{} GiB) on startup. Desired GPU memory utilization is ({}, {} GiB). Actual "
            "usage is {}, and {} GiB for CUDAGraph memory. Replace gpu_memory_utilization config with "
            "`--kv-cache-memory={}` ({} GiB) to fit into requested memory, or `--kv-cache-memory={}` ({} GiB) to fully "
            "utilize gpu memory. Current kv cache memory in use is {} GiB.",
            gibText(*device), gibText(*device), share, gibText(requested), usage, gibText(graphs), fitting.count(),
            gibText(fitting), whole.count(), gibText(whole), gibText(*m_pool.memory));
    }

    void addPadding(const Layout& layout)
    {
        if (layout.isUniform)
            return;
        for (const LayerType& type : layout.types) {
            const std::int64_t missing = type.groups * layout.groupSize - type.count();
            if (missing > 0)
                add("Add {} padding layers, may waste at most {:.2f}% KV cache memory", missing,
                    100.0 * static_cast<double>(missing) / static_cast<double>(type.count()));
        }
    }

    /// One request of the longest length does not fit, so that the engine does not start.
    void addRefusal()
    {
        add("To serve at least one request with the model's max seq len ({}), ({:.2f} GiB KV cache is needed, which is "
            "larger than the available KV cache memory ({:.2f} GiB). Based on the available memory, the estimated "
            "maximum model length is {}.",
            m_longest, toGib(m_pool.blockBytes * m_pool.requestBlocks), toGib(m_pool.memory.value_or(Bytes())),
            m_served);
    }

    const Scenario& m_scenario;
    const Pool& m_pool;
    std::int64_t m_tokens;
    std::int64_t m_longest;
    std::int64_t m_served;
    VllmPlan m_plan;
    std::vector<std::string> m_lines;
};

/// What vLLM calls the format of a cache.
std::string_view typeName(KvFormat format)
{
    switch (format) {
    case KvFormat::Fp16:
    case KvFormat::Bf16:
    case KvFormat::Fp32:
        return "auto";
    default:
        return info(format).id;
    }
}

class Command {
public:
    Command(const Scenario& scenario, std::optional<std::int64_t> blocks)
        : m_scenario(scenario),
          m_options(optionsOf(scenario)),
          m_spread(spreadOf(scenario, m_options.partition)),
          m_blocks(blocks)
    {
    }

    std::string text()
    {
        const Workload& workload = m_scenario.workload;
        addEnvironment();
        m_text += "vllm serve MODEL";
        add("max-model-len", workload.maxContext.value_or(workload.context));
        addSpread();
        addCache();
        addTyped("gpu-memory-utilization");
        for (const char* flag : {"block-size", "max-num-batched-tokens", "max-num-seqs", "mamba-cache-mode",
                                 "decode-context-parallel-size", "num-gpu-blocks-override"})
            addTyped(flag);
        if (m_options.version.first)
            addTyped("swap-space");
        for (const char* flag : {"enable-prefix-caching", "disable-hybrid-kv-cache-manager"}) {
            if (const std::string* value = m_scenario.settings.find(flag); value != nullptr && isOn(*value))
                m_text.append(" --").append(flag);
        }
        if (const std::string* value = m_scenario.settings.find("enable-prefix-caching"); value && *value == "off")
            m_text.append(" --no-enable-prefix-caching");
        addDrafts();
        return std::move(m_text);
    }

private:
    template <typename T> void add(std::string_view flag, const T& value)
    {
        m_text += fmt::format(" --{} {}", flag, value);
    }
    void addTyped(std::string_view flag)
    {
        if (const std::optional<std::string> value = flagValue(settings(), m_scenario.settings, flag))
            add(flag, *value);
    }
    void addEnvironment()
    {
        if (m_options.version.first && m_options.version.since(8))
            m_text += "VLLM_USE_V1=0 ";
        if (m_options.rules.latents && !m_options.latents && hasLatents(m_scenario))
            m_text += "VLLM_MLA_DISABLE=1 ";
        if (!m_options.partition.empty() && m_spread.pipeline > 1)
            m_text += fmt::format("VLLM_PP_LAYER_PARTITION={} ", m_options.partition);
    }
    void addSpread()
    {
        if (m_spread.tensor > 1)
            add("tensor-parallel-size", m_spread.tensor);
        if (m_spread.pipeline > 1)
            add("pipeline-parallel-size", m_spread.pipeline);
        if (m_spread.replicas > 1)
            add("data-parallel-size", m_spread.replicas);
    }
    void addDrafts()
    {
        if (m_options.drafts == 0)
            return;
        const std::string_view method = m_options.draftLayers == std::int64_t{0} ? "\"ngram\""
                                        : m_scenario.model.draftGroups.empty()   ? "\"eagle\",\"model\":\"DRAFT\""
                                                                                 : "\"mtp\"";
        m_text += fmt::format(" --speculative-config '{{\"method\":{},\"num_speculative_tokens\":{}}}'", method,
                              m_options.drafts);
    }
    /// A given pool, by bytes where the release takes them.
    void addPool()
    {
        if (m_options.version.since(kFirstBudget) && !m_options.version.first)
            add("kv-cache-memory-bytes", m_scenario.cacheMemory->count());
        else if (m_blocks && m_scenario.settings.find(kBlocksFlag) == nullptr)
            add("num-gpu-blocks-override", *m_blocks);
    }
    void addCache()
    {
        const bool sparse = std::ranges::any_of(m_scenario.model.groups,
                                                [](const CacheGroup& group) { return group.kind == CacheKind::Index; });
        if (m_scenario.kFormat == KvFormat::Fp32) // the cache follows the model
            add("dtype", "float32");
        else if (typeName(m_scenario.kFormat) != "auto")
            add("kv-cache-dtype", typeName(m_scenario.kFormat));
        else if (sparse) // which takes a format of its own for "auto"
            add("kv-cache-dtype", "bfloat16");
        if (m_scenario.cacheMemory)
            addPool();
        if (m_options.stateFormat)
            add("mamba-ssm-cache-dtype", *m_options.stateFormat == KvFormat::Fp32   ? "float32"
                                         : *m_options.stateFormat == KvFormat::Fp16 ? "float16"
                                                                                    : "bfloat16");
    }

    const Scenario& m_scenario;
    Options m_options;
    Spread m_spread;
    std::optional<std::int64_t> m_blocks; ///< of the pool
    std::string m_text;
};

} // namespace

void describe(const Scenario& scenario, const Reservation& reservation, Description& description)
{
    if (reservation.pool)
        description.log = LogWriter(scenario, reservation).lines();
    description.command = Command(scenario, reservation.pool ? reservation.pool->blocks : std::nullopt).text();
}

} // namespace core::engines::vllm
