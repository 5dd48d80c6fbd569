// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/text/message.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace core {

/// What a piece of advice changes.
enum class Lever : std::uint8_t { Batch, Context, KvFormat, WeightFormat, GpuCount, Gpu };

/// "batch", "context", "kv_format", "weights_format", "gpus", "gpu".
std::string_view id(Lever lever);

/// One change that makes the scenario fit, or, when it fits, one that its headroom is worth.
struct Advice {
    Lever lever = Lever::Batch;
    Message action;    ///< "Batch 8"
    Message result;    ///< "0.44 GiB free": by a fresh evaluation of `scenario`
    Scenario scenario; ///< the scenario with that change
};

/// Ways to make it fit: the largest batch and context that do, the least smaller cache format and weights format, the
/// fewest GPUs, the next larger GPU of `gpus`. When it fits: the largest batch, the longest context, a better cache and
/// weights format. Each alone; what does not help is left out. Empty without a capacity or with issues.
std::vector<Advice> advise(const Evaluation& evaluation, std::span<const Gpu> gpus);

} // namespace core
