// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace core::engines::vllm {

/// The newest release whose rules are known.
inline constexpr std::string_view kNewest = "0.29";

/// The first release 0.x that prints the budget of its memory, and takes the memory of its cache in bytes.
inline constexpr int kFirstBudget = 11;

/// A release: "0.20", "0.8.3"; "V0" is the first engine, of 0.7 and before where nothing else is said ("0.7.0 V1").
struct Version {
    int minor = 0;
    int patch = 0;
    bool first = false; ///< the engine V0

    bool since(int aMinor, int aPatch = 0) const { return 1'000 * minor + patch >= 1'000 * aMinor + aPatch; }
};

/// "" is the newest; nothing where the text is no version. No number of one is above 999.
std::optional<Version> version(std::string_view text);

/// What "GPU KV cache size" and "Maximum concurrency" are.
enum class Print : std::uint8_t {
    Blocks,   ///< blocks · block; that / longest request
    Groups,   ///< (blocks / groups) · smallest block; blocks / blocks of a request
    Requests, ///< blocks / blocks of a request · longest request; likewise
};

/// What changed from release to release. The numbers name pull requests or issues of vllm-project/vllm.
struct Rules {
    bool groups = true;      ///< kinds of layers in groups of one pool: V1 since 0.9.1
    bool chunkGroups = true; ///< chunked layers too: not from 21761 until 29627
    Print print = Print::Requests;
    std::int64_t utilization = 9'200; ///< default, in ten-thousandths
    bool countsGraphs = false;        ///< an estimate of graphs is taken off the budget
    bool latents = true;              ///< MLA is known
    bool wholeModel = false;          ///< all layers are held against the memory of one stage: issue 34076
    bool givenStates = true;          ///< Nemotron-H keeps states in the format that its file names
};
Rules rulesOf(const Version& version);

} // namespace core::engines::vllm
