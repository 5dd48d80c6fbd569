// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/log_table.h"
#include "core/engines/sglang/sglang.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace core::engines::sglang {

namespace {

constexpr std::array kTable{
    LogPattern{.key = "rank", .words = "DP", .line = "KV Cache is allocated"}, // "[… DP0 TP1]"
    LogPattern{.key = "rank", .words = "PP", .line = "KV Cache is allocated"},
    LogPattern{.key = "rank", .words = "TP", .line = "KV Cache is allocated"},
    LogPattern{.key = "tokens", .words = "#tokens: ", .line = "KV Cache is allocated"},
    LogPattern{.key = "k", .words = "K size: ", .line = "KV Cache is allocated"},
    LogPattern{.key = "v", .words = "V size: ", .line = "K size: "},
    LogPattern{.key = "kv", .words = "KV size: ", .line = "KV Cache is allocated"},
    LogPattern{.key = "swa_pool", .words = "SWAKVPool mem usage: "},
    LogPattern{.key = "swa_tokens", .words = "swa size: "},
    LogPattern{.key = "full_tokens", .words = "full size: "},
    LogPattern{.key = "full_tokens", .words = "full_layer_tokens="},
    LogPattern{.key = "swa_tokens", .words = "swa_layer_tokens="},
    LogPattern{.key = "states", .words = "max_mamba_cache_size: "},
    LogPattern{.key = "conv", .words = "conv_state size: "},
    LogPattern{.key = "ssm", .words = "ssm_state size: "},
    LogPattern{.key = "max_tokens", .words = "max_total_num_tokens="},
    LogPattern{.key = "requests", .words = "max_running_requests="},
    LogPattern{.key = "length", .words = "context_len="},
    LogPattern{.key = "length", .words = "context_length="},
    LogPattern{.key = "free", .words = "avail mem=", .line = "Load weight end"},
    LogPattern{.key = "weights", .words = "mem usage=", .line = "Load weight end"},
    LogPattern{.key = "left", .words = "avail mem=", .line = "Memory pool end"},
    LogPattern{.key = "left", .words = "available_gpu_mem="},
    LogPattern{.key = "version", .words = "sglang: ", .isWord = true},
    LogPattern{.key = "tp", .words = "tp_size="},
    LogPattern{.key = "pp", .words = "pp_size="},
    LogPattern{.key = "dp", .words = " dp_size="}, // not that of moe_dp_size
    LogPattern{.key = "shared_ranks", .words = "enable_dp_attention=", .isWord = true},
    LogPattern{.key = "drafts", .words = "speculative_num_draft_tokens="},
    LogPattern{.key = "page", .words = "page_size="},
    LogPattern{.key = "kv_dtype", .words = "kv_cache_dtype=", .isWord = true},
    LogPattern{.key = "allocated_dtype", .words = "dtype: torch.", .isWord = true, .line = "KV Cache is allocated"},
    LogPattern{.key = "fraction", .words = "mem_fraction_static="},
    LogPattern{.key = "without_prefixes", .words = "disable_radix_cache=", .isWord = true},
};

/// Rows of the parts, in the order in which their lines were printed.
class Comparer {
public:
    Comparer(const SglangPlan& plan, const Reservation& reservation, const EngineLog& log)
        : m_log(log), m_hasWeights(plan.weights()), m_reservation(reservation)
    {
    }

    std::vector<LogComparison> rows()
    {
        for (const LogValue& value : m_log.values)
            add(value);
        return std::move(m_rows);
    }

private:
    /// The part of a line: of several, the one with its number of tokens that was not compared yet for its rank.
    const CachePart* partOf(const LogValue& tokens)
    {
        const CachePart* any = nullptr;
        for (const CachePart& part : m_reservation.caches()) {
            if (part.kind == "state" || m_used[m_rank].contains(&part))
                continue;
            any = any == nullptr ? &part : any;
            if (std::to_string(part.cells) == tokens.value)
                return &part;
        }
        return any;
    }

    /// The figures of lines that name their pool.
    struct Named {
        std::string_view key;
        std::string_view kind;
        std::string_view figure;
        Bytes CachePart::*size; ///< nullptr: its cells
    };
    static constexpr std::array<Named, 5> kNamed{Named{"swa_tokens", "kv_swa", "kv_swa tokens", nullptr},
                                                 Named{"full_tokens", "kv_full", "kv_full tokens", nullptr},
                                                 Named{"states", "state", "states", nullptr},
                                                 Named{"conv", "state", "convolution states GiB", &CachePart::k},
                                                 Named{"ssm", "state", "recurrent states GiB", &CachePart::v}};

    void add(const LogValue& value)
    {
        if (value.line != m_line)
            m_rank.clear();
        m_line = value.line;
        if (value.key == "rank")
            m_rank += value.value + ' ';
        const auto* const row = std::ranges::find(kNamed, value.key, &Named::key);
        const CachePart* part = row != kNamed.end() ? m_reservation.cache(row->kind) : nullptr;
        if (part != nullptr)
            addFigure(value, std::string(row->figure), *part, row->size);
        else if (value.key == "max_tokens" && m_reservation.cacheTokens)
            m_rows.push_back(comparedCount(value, "max_total_num_tokens", *m_reservation.cacheTokens, cause()));
        else if (value.key == "length" && m_reservation.requestTokens)
            m_rows.push_back(comparedCount(value, "context_len", *m_reservation.requestTokens, cause()));
        else if (value.key == "weights" && m_hasWeights)
            m_rows.push_back(comparedWeights(value, m_reservation));
        else
            addPool(value);
    }

    /// The figures of lines that do not: each line is of another pool.
    void addPool(const LogValue& value)
    {
        if (value.key == "tokens") {
            m_part = partOf(value);
            m_used[m_rank].insert(m_part);
        }
        if (m_part == nullptr)
            return;
        const std::string name(m_part->kind);
        if (value.key == "tokens")
            addFigure(value, name + " tokens", *m_part, nullptr);
        if (value.key == "k" || value.key == "kv")
            addFigure(value, name + (value.key == "k" ? " K GiB" : " GiB"), *m_part, &CachePart::k);
        if (value.key == "v")
            addFigure(value, name + " V GiB", *m_part, &CachePart::v);
    }

    void addFigure(const LogValue& value, std::string figure, const CachePart& part, Bytes CachePart::*size)
    {
        m_rows.push_back(size == nullptr ? comparedCount(value, std::move(figure), part.cells, cause())
                                         : comparedGib(value, std::move(figure), part.*size, cause()));
    }

    static Message cause()
    {
        return {KV_TEXT("core", "The model, its ranks, its formats or the size of the pool differ from the log's."),
                {}};
    }

    const EngineLog& m_log;
    bool m_hasWeights;
    const Reservation& m_reservation;
    std::int64_t m_line = 0;
    std::string m_rank;                                       ///< whose line it is; empty where it is not said
    std::map<std::string, std::set<const CachePart*>> m_used; ///< of each rank
    const CachePart* m_part = nullptr;
    std::vector<LogComparison> m_rows;
};

/// Ranks of data parallel attention are those of tensor parallel, not further ones.
void takeSharedRanks(Scenario& scenario, const EngineLog& log)
{
    const std::string* shared = log.find("shared_ranks");
    if (shared == nullptr)
        return;
    scenario.settings.erase(kSharedRanksFlag);
    if (*shared != "True")
        return;
    scenario.settings.set(kSharedRanksFlag, "on");
    const Parallelism& parallel = scenario.hardware.parallel;
    scenario.hardware.count = std::min(parallel.tensor.value_or(1) * parallel.pipeline.value_or(1), kMaxGpus);
}

} // namespace

EngineLog readLog(std::string_view text)
{
    return readByTable(text, kTable);
}

Scenario withLog(Scenario scenario, const EngineLog& log)
{
    if (const std::string* release = log.find("version"); release != nullptr && month(*release))
        scenario.engineVersion = *release;
    takeSpread(scenario, log);
    takeSharedRanks(scenario, log);
    if (const std::string* allocated = log.find("allocated_dtype"); allocated != nullptr && kvFormat(*allocated))
        scenario.kFormat = scenario.vFormat = *kvFormat(*allocated);
    takeLength(scenario, log);
    takeFlags(scenario, log, kEngine.settings,
              {{"page", "page-size"},
               {"fraction", "mem-fraction-static"},
               {"drafts", "num-speculative-tokens"},
               {"tokens", kTokensFlag},
               {"full_tokens", kTokensFlag},
               {"max_tokens", kTokensFlag},
               {"states", "max-mamba-cache-size"}});
    if (const std::string* without = log.find("without_prefixes")) {
        scenario.settings.erase("disable-radix-cache");
        if (*without == "True")
            scenario.settings.set("disable-radix-cache", "on");
    }
    return scenario;
}

std::vector<LogComparison> SglangPlan::compare(const Reservation& reservation, const EngineLog& log) const
{
    return Comparer(*this, reservation, log).rows();
}

} // namespace core::engines::sglang
