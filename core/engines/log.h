// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"
#include "core/text/message.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core::engines {

/// A cache whose size an engine printed. Texts are as printed, but with a decimal point; empty where nothing is.
struct LogCache {
    std::int64_t line = 0; ///< from 1
    bool isState = false;
    std::optional<std::int64_t> cells{};
    std::optional<std::int64_t> layers{};
    std::optional<std::int64_t> sequences{};
    std::optional<std::int64_t> streams{};
    std::optional<std::int64_t> rollback{};
    bool isLatent = false; ///< printed as a latent (ik_llama.cpp)
    std::string kType{};
    std::string vType{};
    std::string k{}; ///< MiB
    std::string v{};
    std::string total{};
};

/// "n_ctx", "8192": a setting or a fact of the model. Keys are those of the engine.
struct LogValue {
    std::int64_t line = 0;
    std::string key;
    std::string value;
};

/// A line that nobody understood.
struct LogRest {
    std::int64_t line = 0;
    std::string text;
};

/// What an engine printed, understood as far as it goes.
struct EngineLog {
    EngineId engine = EngineId::LlamaCpp; ///< that printed it, as far as can be told
    std::vector<LogCache> caches;
    std::vector<LogValue> values; ///< settings, facts of the model, sizes of buffers
    std::int64_t skipped = 0;     ///< lines that are known and say nothing of memory
    std::vector<LogRest> unknown;

    /// Figures that were understood.
    std::size_t understood() const { return values.size() + caches.size(); }
    /// The last value of `key`; nullptr when it was not printed.
    const std::string* find(std::string_view key) const;
};

/// A figure as printed and as predicted.
struct LogComparison {
    std::int64_t line = 0;
    std::string figure; ///< "kv_full K", in MiB where it is a size
    std::string printed;
    std::string predicted;
    std::string difference; ///< predicted − printed; empty where they agree or are no numbers
    bool agrees = false;
    Message cause; ///< why it differs, as far as it can be told; empty where it agrees
};

/// Reads what an engine printed, whatever stands before its lines (times, thread names, quotes, colours). Which engine
/// it was is seen from the lines: of several that understand as much, it is `likely`.
EngineLog readLog(std::string_view text, EngineId likely = EngineId::LlamaCpp);

/// `scenario` with the settings that the log shows: engine and era, context and sequences, batches, formats, switches.
Scenario withLog(Scenario scenario, const EngineLog& log);

} // namespace core::engines
