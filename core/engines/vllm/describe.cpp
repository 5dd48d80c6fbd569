// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/launch_command.h"
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
    LogWriter(const VllmPlan& plan, const Reservation& reservation)
        : m_scenario(plan.scenario()),
          m_plan(plan),
          m_pool(*reservation.pool),
          m_tokens(reservation.cacheTokens.value_or(0)),
          m_longest(reservation.requestTokens.value_or(1)),
          m_served(plan.longestServed(reservation).value_or(0))
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
        const Bytes weights = m_plan.weightsOf(m_plan.binding());
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
    const VllmPlan& m_plan;
    const Pool& m_pool;
    std::int64_t m_tokens;
    std::int64_t m_longest;
    std::int64_t m_served;
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

/// What the engine takes from its environment.
std::string environmentOf(const VllmPlan& plan)
{
    const Options& options = plan.options();
    std::string text;
    if (options.version.first && options.version.since(8))
        text += "VLLM_USE_V1=0 ";
    if (options.rules.latents && !options.latents && hasLatents(plan.scenario()))
        text += "VLLM_MLA_DISABLE=1 ";
    if (!options.partition.empty() && plan.spread().pipeline > 1)
        text += fmt::format("VLLM_PP_LAYER_PARTITION={} ", options.partition);
    return text;
}

/// The format of the cache, and its pool where that is given: by bytes where the release takes them.
void addCache(const VllmPlan& plan, const Reservation& reservation, LaunchCommand& command)
{
    const Scenario& scenario = plan.scenario();
    const Options& options = plan.options();
    if (scenario.kFormat == KvFormat::Fp32) // the cache follows the model
        command.add("dtype", "float32");
    else if (typeName(scenario.kFormat) != "auto")
        command.add("kv-cache-dtype", typeName(scenario.kFormat));
    else if (hasIndexKeys(scenario)) // "auto" would be another format here
        command.add("kv-cache-dtype", "bfloat16");
    if (scenario.cacheMemory && options.version.since(kFirstBudget) && !options.version.first)
        command.add("kv-cache-memory-bytes", scenario.cacheMemory->count());
    else if (scenario.cacheMemory && reservation.pool->blocks && scenario.settings.find(kBlocksFlag) == nullptr)
        command.add(kBlocksFlag, *reservation.pool->blocks);
    if (options.stateFormat)
        command.add("mamba-ssm-cache-dtype", torchName(*options.stateFormat));
}

void addDrafts(const VllmPlan& plan, LaunchCommand& command)
{
    const Options& options = plan.options();
    if (options.drafts == 0)
        return;
    const std::string_view method = options.draftLayers == std::int64_t{0}      ? "\"ngram\""
                                    : plan.scenario().model.draftGroups.empty() ? "\"eagle\",\"model\":\"DRAFT\""
                                                                                : "\"mtp\"";
    command.append(
        fmt::format(" --speculative-config '{{\"method\":{},\"num_speculative_tokens\":{}}}'", method, options.drafts));
}

std::string commandOf(const VllmPlan& plan, const Reservation& reservation)
{
    const Workload& workload = plan.scenario().workload;
    LaunchCommand command(plan.scenario(), environmentOf(plan) + "vllm serve MODEL");
    command.add("max-model-len", workload.maxContext.value_or(workload.context));
    command.addRanks("tensor-parallel-size", plan.spread().tensor);
    command.addRanks("pipeline-parallel-size", plan.spread().pipeline);
    command.addRanks("data-parallel-size", plan.spread().replicas);
    addCache(plan, reservation, command);
    for (const char* flag : {"gpu-memory-utilization", "block-size", "max-num-batched-tokens", "max-num-seqs",
                             "mamba-cache-mode", "decode-context-parallel-size", "num-gpu-blocks-override"})
        command.addTyped(flag);
    if (plan.options().version.first)
        command.addTyped("swap-space");
    command.addSwitch("enable-prefix-caching");
    command.addSwitch("disable-hybrid-kv-cache-manager");
    addDrafts(plan, command);
    return command.text();
}

} // namespace

void VllmPlan::print(const Reservation& reservation, Description& description) const
{
    if (reservation.pool)
        description.log = LogWriter(*this, reservation).lines();
    description.command = commandOf(*this, reservation);
}

} // namespace core::engines::vllm
