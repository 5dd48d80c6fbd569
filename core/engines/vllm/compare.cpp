// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/log_table.h"
#include "core/engines/vllm/plan.h"
#include "core/engines/vllm/vllm.h"
#include "core/scenario/kv_cache.h"
#include "core/text/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace core::engines::vllm {

namespace {

constexpr std::int64_t kMostTried = 100'000; ///< numbers of blocks that a printed memory may stand for
constexpr std::int64_t kMostBlocks = std::int64_t{1} << 38;

/// Puts the rows of a comparison together.
class Comparer {
public:
    Comparer(const VllmPlan& plan, const Reservation& reservation, const EngineLog& log)
        : m_log(log),
          m_printed(leastSizeOf(log, "available")),
          m_bytes(leastCountOf(log, "available_bytes")),
          m_length(countOf(log, "length")),
          m_figures{countOf(log, "blocks"), countOf(log, "tokens"), numberOf(log, "concurrency")},
          m_estimatesGraphs(log.find("estimated_graphs") != nullptr),
          m_plan(plan),
          m_reservation(reservation),
          m_longest(reservation.requestTokens.value_or(1))
    {
        findBlocks();
    }

    /// See memoryIn below.
    Bytes memoryIn(const PrintedSize& printed) const
    {
        const bool fits = m_plan.blocksIn(printed.low) <= m_blocks && m_blocks <= m_plan.blocksIn(printed.high);
        const Bytes blocks = m_plan.layout().block.at(m_plan.binding()) * m_blocks;
        return fits ? std::max(blocks, printed.low) : printed.size;
    }

    std::vector<LogComparison> rows()
    {
        for (const LogValue& value : m_log.values)
            add(value);
        return std::move(m_rows);
    }

private:
    /// One number of blocks for all figures of the pool: that of the range the memory allows which explains most.
    void findBlocks()
    {
        std::optional<std::int64_t> first = m_reservation.pool->blocks;
        std::optional<std::int64_t> last = first;
        if (m_plan.options().blocks) {
            first = last = m_plan.options().blocks;
        } else if (m_bytes) {
            first = last = m_plan.blocksIn(Bytes(*m_bytes));
        } else if (m_printed) {
            first = m_plan.blocksIn(m_printed->low);
            last = m_plan.blocksIn(m_printed->high);
        }
        if (!first)
            first = last = m_figures.blocks;
        if (!first || *last > kMostBlocks)
            return;
        m_blocks = *first;
        int best = explained(*first);
        const std::int64_t others = std::min(*last - *first, kMostTried);
        for (std::int64_t more = 1; more <= others; ++more) {
            if (explained(*first + more) > best) {
                best = explained(*first + more);
                m_blocks = *first + more;
            }
        }
    }

    /// How many of the pool's figures so many blocks explain.
    int explained(std::int64_t blocks) const
    {
        int count = 0;
        if (m_figures.blocks)
            count += *m_figures.blocks == blocks ? 1 : 0;
        if (m_figures.tokens)
            count += *m_figures.tokens == m_plan.printedTokens(blocks, m_longest) ? 1 : 0;
        if (m_figures.concurrency)
            count += std::abs(*m_figures.concurrency - m_plan.concurrency(blocks, m_longest)) <= 0.005 + 1e-9 ? 1 : 0;
        return count;
    }

    void add(const LogValue& value)
    {
        if (m_blocks > 0 && addPool(value))
            return;
        const Layout& layout = m_plan.layout();
        if (value.key == "attention_block" && layout.attentionBlock > 0)
            m_rows.push_back(comparedCount(value, "attention block", layout.attentionBlock, layoutCause()));
        if (value.key == "padding" && layout.state > Bytes())
            addPercent(value, "state padding %", layout.page - layout.state, layout.state);
        if (value.key == "padding_layers")
            addPaddingLayers(value);
        const Pool& pool = *m_reservation.pool;
        if (value.key == "needed") // by one request of the longest length
            m_rows.push_back(comparedGib(value, "needed GiB", pool.blockBytes * pool.requestBlocks, layoutCause()));
        if (value.key == "longest")
            addLongest(value);
        addProfile(value);
        if (value.key == "length")
            m_rows.push_back(comparedCount(value, "max_model_len", m_longest, settingCause()));
        if (value.key == "cpu_blocks")
            m_rows.push_back(
                comparedCount(value, "CPU blocks",
                              gib(m_plan.options().swap).count() / std::max<std::int64_t>(pool.blockBytes.count(), 1),
                              layoutCause()));
    }

    /// What a profile of the memory printed: weights, and what is an estimate here.
    void addProfile(const LogValue& value)
    {
        const Budget& budget = m_plan.budget();
        const auto addEstimate = [&](std::string figure, Bytes predicted) {
            m_rows.push_back(
                comparedGib(value, std::move(figure), predicted, {KV_TEXT("core", "It is an estimate here."), {}}));
        };
        if (value.key == "weights" && m_plan.weightsOf(m_plan.binding()) > Bytes())
            m_rows.push_back(comparedWeights(value, m_reservation));
        const bool counts = m_printed && decimalOf(value.value) <= toGib(m_printed->high); // for all ranks: the least
        if (value.key == "available" && m_reservation.pool->memory && counts)
            addEstimate("available GiB", *m_reservation.pool->memory);
        if (value.key == "activation")
            addEstimate("activation GiB", budget.buffers);
        const Bytes others = budget.runtime + budget.communication + m_plan.scenario().overhead;
        if (value.key == "non_torch")
            addEstimate("non-torch GiB", others);
        if (value.key == "consumed")
            addEstimate("consumed GiB", m_plan.weightsOf(m_plan.binding()) + others);
        if (value.key == (m_estimatesGraphs ? "estimated_graphs" : "graphs"))
            addEstimate("graphs GiB", m_plan.options().graphs);
    }

    bool addPool(const LogValue& value)
    {
        if (value.key == "blocks")
            m_rows.push_back(comparedCount(value, "GPU blocks", m_blocks, poolCause()));
        else if (value.key == "tokens")
            m_rows.push_back(
                comparedCount(value, "KV cache tokens", m_plan.printedTokens(m_blocks, m_longest), poolCause()));
        else if (value.key == "concurrency")
            addNumber(value, "concurrency", m_plan.concurrency(m_blocks, m_longest),
                      m_length.value_or(m_longest) == m_longest ? poolCause() : lengthCause());
        else
            return false;
        return true;
    }

    void addNumber(const LogValue& value, std::string name, double predicted, const Message& cause)
    {
        const bool agrees = std::abs(decimalOf(value.value) - predicted) <= 0.005 + 1e-9;
        m_rows.push_back(compared(value, std::move(name), fmt::format("{:.2f}", predicted), agrees, cause));
    }

    void addPercent(const LogValue& value, std::string name, Bytes part, Bytes whole)
    {
        addNumber(value, std::move(name),
                  100.0 * static_cast<double>(part.count()) / static_cast<double>(whole.count()), layoutCause());
    }

    void addPaddingLayers(const LogValue& value)
    {
        const Layout& layout = m_plan.layout();
        for (const LayerType& type : layout.types) {
            const std::int64_t missing = type.groups * layout.groupSize - type.count();
            if (!layout.isUniform && std::to_string(missing) == value.value)
                return m_rows.push_back(comparedCount(value, "padding layers", missing, layoutCause()));
        }
        m_rows.push_back(comparedCount(value, "padding layers", 0, layoutCause()));
    }

    /// The longest request is right where it fits the memory and one token more does not.
    void addLongest(const LogValue& value)
    {
        const std::int64_t printed = parseCount(value.value).value_or(0);
        if (!m_printed || printed < 1 || printed > kMostBlocks)
            return;
        const auto needed = [&](std::int64_t tokens) { return m_plan.blocksOf(tokens, m_plan.batched(tokens)); };
        const std::int64_t first = m_plan.blocksIn(m_printed->low);
        const std::int64_t last = m_plan.blocksIn(m_printed->high);
        const bool agrees =
            needed(printed) <= last && needed(printed + 1) > first && needed(printed + 1) > needed(printed);
        const std::int64_t middle = m_plan.blocksIn(m_printed->size);
        std::int64_t low = 0;
        std::int64_t high = 2 * kMaxContext;
        while (high - low > 1) {
            const std::int64_t tokens = low + (high - low) / 2;
            (needed(tokens) <= middle ? low : high) = tokens;
        }
        m_rows.push_back(
            compared(value, "estimated length", agrees ? value.value : std::to_string(low), agrees, layoutCause()));
    }

    Message poolCause() const
    {
        if (!m_printed && !m_bytes)
            return {KV_TEXT("core", "The memory for the cache, the model, its ranks or its format differ from the "
                                    "log's."),
                    {}};
        return {KV_TEXT("core", "The model, its ranks, its format or the given blocks differ from the log's."), {}};
    }
    static Message lengthCause() { return {KV_TEXT("core", "The longest request is another than the log's."), {}}; }
    static Message layoutCause()
    {
        return {KV_TEXT("core", "The model, its ranks, its formats, the batched tokens or the release differ from "
                                "the log's."),
                {}};
    }
    static Message settingCause() { return {KV_TEXT("core", "The engine ran with another setting."), {}}; }

    /// Of the pool, as printed last.
    struct Figures {
        std::optional<std::int64_t> blocks;
        std::optional<std::int64_t> tokens;
        std::optional<double> concurrency;
    };

    // What is looked for in the log is looked for once: it may be long.
    const EngineLog& m_log;
    std::optional<PrintedSize> m_printed; ///< memory for the cache
    std::optional<std::int64_t> m_bytes;  ///< the same, in bytes
    std::optional<std::int64_t> m_length; ///< of the longest request
    Figures m_figures;
    bool m_estimatesGraphs; ///< before they are recorded; that counts, whatever they take then
    const VllmPlan& m_plan;
    const Reservation& m_reservation;
    std::int64_t m_longest;
    std::int64_t m_blocks = 0; ///< 0: not known
    std::vector<LogComparison> m_rows;
};

} // namespace

Bytes VllmPlan::memoryIn(const EngineLog& log, const PrintedSize& printed) const
{
    return Comparer(*this, reserve(scenario().workload), log).memoryIn(printed);
}

std::vector<LogComparison> VllmPlan::compare(const Reservation& reservation, const EngineLog& log) const
{
    return Comparer(*this, reservation, log).rows();
}

} // namespace core::engines::vllm
