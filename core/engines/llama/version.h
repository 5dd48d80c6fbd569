// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace core::engines::llama {

/// The newest build whose rules are known, of llama.cpp and of ik_llama.cpp.
inline constexpr std::string_view kNewest = "2026-09";
inline constexpr std::string_view kNewestIk = "ik-2026-09";

/// A build, named by its date: "2025-10", "2026-01-24", "ik-2025-05" (ik_llama.cpp). A month is its first day.
struct Version {
    bool ik = false;
    int year = 0;
    int month = 0;
    int day = 1;

    bool since(int aYear, int aMonth, int aDay = 1) const
    {
        return 10'000 * year + 100 * month + day >= 10'000 * aYear + 100 * aMonth + aDay;
    }
};

/// "" is the newest; nothing where the text is no version.
std::optional<Version> version(std::string_view text);

/// What changed from build to build. The numbers name pull requests of ggml-org/llama.cpp or of ik_llama.cpp.
struct Rules {
    bool flashByDefault = true;    ///< 15434 (auto, counted as on); ik 863
    std::int64_t cellsPlain = 256; ///< multiple of cells without flash attention: 32 before 17046
    std::int64_t cellsFlash = 256;
    bool padsFirst = true;        ///< the whole context is rounded up before it is divided: 17046
    bool streams = true;          ///< a stretch of cells for each sequence: 14363
    bool windows = true;          ///< window layers have a cache of their own: 13194
    bool windowByBatch = false;   ///< which first held a whole batch besides, not what is computed at once
    bool latents = true;          ///< MLA is known: 12801
    bool latentValues = false;    ///< and keeps values besides: before 19067
    bool padsValues = true;       ///< without flash attention values are as wide as the widest
    bool indexKeys = true;        ///< caches of sparse attention's index keys
    bool indexValues = false;     ///< which had values too where attention keeps heads: before 28330
    bool rollsBackMore = true;    ///< states of Nemotron-H and LFM2 too: 26623
    bool oneLatentFormat = true;  ///< latents want K and V in one format: 25871
    bool countsOutput = true;     ///< the output counts as a layer of --n-gpu-layers
    bool printsStreams = true;    ///< "4/1 seqs"
    bool printsRollback = true;   ///< "2 rs_seq"
    bool printsHistory = true;    ///< "P (f32)"
    bool printsTrunk = true;      ///< layers of a recurrent state without those that draft
    bool forcedLatents = false;   ///< ik: -mla had an effect on models without latents
    bool latentsAsValues = false; ///< ik: without flash attention latents are kept in the type of values
};
Rules rulesOf(const Version& version);

} // namespace core::engines::llama
