// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/log_table.h"
#include "core/engines/trtllm/trtllm.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>
#include <array>

namespace core::engines::trtllm {

namespace {

constexpr std::array kTable{
    LogPattern{.key = "pool", .words = "max sequence length="}, // first of its line
    LogPattern{.key = "free", .words = "available: ", .line = "when calculating max tokens in paged kv cache"},
    LogPattern{.key = "total", .words = "total: ", .line = "when calculating max tokens in paged kv cache"},
    LogPattern{.key = "blocks", .words = "blocks in KV cache primary pool: "},
    LogPattern{.key = "second_blocks", .words = "blocks in KV cache secondary pool: "},
    LogPattern{.key = "blocks", .words = "primary blocks="},
    LogPattern{.key = "second_blocks", .words = "secondary blocks="},
    LogPattern{.key = "pages", .words = "Max KV cache pages per sequence: "},
    LogPattern{.key = "pages", .words = "Max KV cache blocks per sequence: "},
    LogPattern{.key = "block_tokens", .words = "tokens per block="},
    LogPattern{.key = "length", .words = "max sequence length="},
    LogPattern{.key = "block_tokens", .words = "Number of tokens per block: "},
    LogPattern{.key = "allocated", .words = "Allocated ", .line = "for max tokens in paged KV cache"},
    LogPattern{.key = "tokens", .words = "for max tokens in paged KV cache ("},
    LogPattern{.key = "bytes", .words = " bytes for k/v cache", .behind = true},
    LogPattern{.key = "tokens", .words = " tokens in paged KV cache", .behind = true},
    LogPattern{.key = "length", .words = "max_seq_len="},
    LogPattern{.key = "tp", .words = "tp_size="},
    LogPattern{.key = "pp", .words = "pp_size="},
};

} // namespace

EngineLog readLog(std::string_view text)
{
    return readByTable(text, kTable);
}

Scenario withLog(Scenario scenario, const EngineLog& log)
{
    takeSpread(scenario, log);
    takeLength(scenario, log);
    takeFlags(scenario, log, kEngine.settings, {{"block_tokens", "tokens-per-block"}, {"tokens", kTokensFlag}});
    return scenario;
}

std::vector<LogComparison> TrtllmPlan::compare(const Reservation& reservation, const EngineLog& log) const
{
    const Message cause{
        KV_TEXT("core", "The model, its ranks, its format or the size of the pool differ from the log's."), {}};
    const Bytes size = allocated(reservation);
    struct Figure {
        std::string_view key;
        std::string_view name;
        std::optional<std::int64_t> predicted;
    };
    const std::array figures{Figure{"blocks", "blocks", reservation.pool->blocks},
                             Figure{"tokens", "tokens", reservation.cacheTokens},
                             Figure{"pages", "blocks of a request", reservation.pool->requestBlocks},
                             Figure{"block_tokens", "tokens of a block", reservation.pool->blockTokens},
                             Figure{"bytes", "allocated bytes", size.count()}};
    std::vector<LogComparison> rows;
    const std::string* last = log.find("pool");
    std::string pool;
    for (const LogValue& value : log.values) {
        if (value.key == "pool")
            pool = value.value;
        if (!pool.empty() && pool != *last)
            continue; // a first pool of short requests, made to see what a batch takes
        const auto* const figure = std::ranges::find(figures, value.key, &Figure::key);
        if (figure != figures.end() && figure->predicted)
            rows.push_back(comparedCount(value, std::string(figure->name), *figure->predicted, cause));
        if (value.key == "allocated")
            rows.push_back(comparedGib(value, "allocated GiB", size, cause));
    }
    return rows;
}

} // namespace core::engines::trtllm
