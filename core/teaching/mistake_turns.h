// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/asked.h"

#include <cstdint>
#include <optional>

/// How the mistakes of the library turn a right number into a wrong one, or nothing where the task gives no occasion;
/// what each means stands at its text.
namespace core::turns {

using Turned = std::optional<double>;
Turned markUp(const Task& task, double right, std::int64_t number);
Turned takenOff(const Task& task, double right, std::int64_t number);
Turned statePerToken(const Task& task, double right, std::int64_t number);
Turned sixteenth(const Task& task, double right, std::int64_t number);
Turned timesNumber(const Task& task, double right, std::int64_t number);
Turned theNumber(const Task& task, double right, std::int64_t number);
Turned squared(const Task& task, double right, std::int64_t number);
Turned one(const Task& task, double right, std::int64_t number);
Turned upsideDown(const Task& task, double right, std::int64_t number);
Turned oneMore(const Task& task, double right, std::int64_t number);
Turned oneLess(const Task& task, double right, std::int64_t number);
Turned nextDoubling(const Task& task, double right, std::int64_t number);
Turned nextDoublingInThousands(const Task& task, double right, std::int64_t number);
Turned widthOverKvHeads(const Task& task, double right, std::int64_t number);
Turned widthOverLayers(const Task& task, double right, std::int64_t number);
Turned kvHeadCount(const Task& task, double right, std::int64_t number);
Turned queryHeadCount(const Task& task, double right, std::int64_t number);
Turned shareOfUsed(const Task& task, double right, std::int64_t number);
Turned usedShare(const Task& task, double right, std::int64_t number);
Turned perTokenBlocks(const Task& task, double right, std::int64_t number);
Turned inTokens(const Task& task, double right, std::int64_t number);
Turned onAllGpus(const Task& task, double right, std::int64_t number);
Turned onOneGpu(const Task& task, double right, std::int64_t number);
Turned wholeBlock(const Task& task, double right, std::int64_t number);

} // namespace core::turns
