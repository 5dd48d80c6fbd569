// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/vllm/plan.h"
#include "core/engines/vllm/vllm.h"
#include "core/evaluate.h"
#include "core/limits.h"

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

/// The lines of one reservation.
class LogWriter {
public:
    LogWriter(const Scenario& scenario, const Reservation& reservation)
        : m_scenario(scenario),
          m_pool(*reservation.pool),
          m_tokens(reservation.cacheTokens.value_or(0)),
          m_longest(reservation.requestTokens.value_or(1)),
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

    void addFirst()
    {
        if (!m_pool.blocks)
            return;
        const std::int64_t swap =
            gib(m_plan.options().swap).count() / std::max<std::int64_t>(m_pool.blockBytes.count(), 1);
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
        if (m_pool.requestBlocks > *m_pool.blocks)
            return addRefusal();
        add("GPU KV cache size: {} tokens", grouped(m_tokens));
        add("Maximum concurrency for {} tokens per request: {:.2f}x", grouped(m_longest), *m_pool.concurrency);
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
        Scenario one = m_scenario;
        one.workload = {.context = 1, .maxContext = std::nullopt, .batch = 1, .encoderTokens = 0, .spareTokens = 0};
        const std::int64_t fits = maxContextOf(one).value.value_or(0);
        add("To serve at least one request with the model's max seq len ({}), ({:.2f} GiB KV cache is needed, which is "
            "larger than the available KV cache memory ({:.2f} GiB). Based on the available memory, the estimated "
            "maximum model length is {}.",
            m_longest, toGib(m_pool.blockBytes * m_pool.requestBlocks), toGib(m_pool.memory.value_or(Bytes())), fits);
    }

    const Scenario& m_scenario;
    const Pool& m_pool;
    std::int64_t m_tokens;
    std::int64_t m_longest;
    VllmPlan m_plan;
    std::vector<std::string> m_lines;
};

/// What vLLM calls the format of a cache.
std::string_view typeName(KvFormat format)
{
    switch (format) {
    case KvFormat::Fp16:
        return "auto";
    case KvFormat::Bf16:
        return "bfloat16";
    case KvFormat::Fp32:
        return "float32";
    default:
        return info(format).id;
    }
}

class Command {
public:
    explicit Command(const Scenario& scenario)
        : m_scenario(scenario), m_options(optionsOf(scenario)), m_spread(spreadOf(scenario, m_options.partition))
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
        if (m_options.drafts > 0)
            m_text += fmt::format(" --speculative-config '{{\"method\":\"mtp\",\"num_speculative_tokens\":{}}}'",
                                  m_options.drafts);
        return std::move(m_text);
    }

private:
    template <typename T> void add(std::string_view flag, const T& value)
    {
        m_text += fmt::format(" --{} {}", flag, value);
    }
    void addTyped(std::string_view flag)
    {
        const std::string* value = m_scenario.settings.find(flag);
        if (value != nullptr && *value != "auto")
            add(flag, *value);
    }
    void addEnvironment()
    {
        if (m_options.version.first && m_options.version.since(8))
            m_text += "VLLM_USE_V1=0 ";
        if (!m_options.latents)
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
    void addCache()
    {
        const bool sparse = std::ranges::any_of(m_scenario.model.groups,
                                                [](const CacheGroup& group) { return group.kind == CacheKind::Index; });
        if (m_scenario.kFormat != KvFormat::Fp16 || sparse) // sparse attention takes its own format for "auto"
            add("kv-cache-dtype", sparse && m_scenario.kFormat == KvFormat::Fp16 ? std::string_view("bfloat16")
                                                                                 : typeName(m_scenario.kFormat));
        if (m_scenario.cacheMemory)
            add("kv-cache-memory-bytes", m_scenario.cacheMemory->count());
        if (m_options.stateFormat)
            add("mamba-ssm-cache-dtype", *m_options.stateFormat == KvFormat::Fp32   ? "float32"
                                         : *m_options.stateFormat == KvFormat::Fp16 ? "float16"
                                                                                    : "bfloat16");
    }

    const Scenario& m_scenario;
    Options m_options;
    Spread m_spread;
    std::string m_text;
};

} // namespace

void describe(const Scenario& scenario, const Reservation& reservation, Description& description)
{
    if (reservation.pool)
        description.log = LogWriter(scenario, reservation).lines();
    description.command = Command(scenario).text();
}

} // namespace core::engines::vllm
