// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/mistake_turns.h"

#include "core/engines/engine.h"
#include "core/scenario/kv_cache.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace core::turns {

namespace {

double shareOf(const Scenario& scenario)
{
    return static_cast<double>(scenario.waste.hundredths) / 10'000.0;
}

double bytesOf(const Task& task, Asked asked)
{
    return solve({asked, task.scenario, {}}).value_or(0);
}

/// Of the engine's pool; 0 where it has none.
double blockBytesOf(const Scenario& scenario)
{
    const std::optional<engines::Pool> pool = engines::reserve(scenario).pool;
    return pool ? static_cast<double>(pool->blockBytes.count()) : 0;
}

std::optional<double> devicesOf(const Task& task)
{
    const std::int64_t count = task.scenario.hardware.count;
    return count > 1 ? std::optional(static_cast<double>(count)) : std::nullopt;
}

} // namespace

Turned markUp(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    const double share = shareOf(task.scenario);
    return share > 0 ? Turned(bytesOf(task, Asked::Cache) * (1 + share)) : std::nullopt;
}

Turned takenOff(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    const double share = shareOf(task.scenario);
    return share > 0 ? Turned(bytesOf(task, Asked::Cache) * (1 - share)) : std::nullopt;
}

Turned statePerToken(const Task& task, double right, std::int64_t /*number*/)
{
    const Workload& workload = task.scenario.workload;
    const double fixed = bytesOf(task, Asked::FixedCache);
    const std::int64_t requests = task.asked == Asked::Cache ? workload.batch : 1;
    return fixed > 0 ? Turned(right + fixed * static_cast<double>((workload.context - 1) * requests)) : std::nullopt;
}

Turned sixteenth(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    constexpr double kSixteen = 16;
    Task wide = task;
    wide.scenario.kFormat = KvFormat::Bf16;
    wide.scenario.vFormat = KvFormat::Bf16;
    const Turned number = solve(wide);
    return number ? Turned(*number / kSixteen) : std::nullopt;
}

Turned timesNumber(const Task& /*task*/, double right, std::int64_t number)
{
    return right * static_cast<double>(number);
}

Turned theNumber(const Task& /*task*/, double /*right*/, std::int64_t number)
{
    return static_cast<double>(number);
}

Turned squared(const Task& /*task*/, double right, std::int64_t /*number*/)
{
    return right * right;
}

Turned one(const Task& /*task*/, double /*right*/, std::int64_t /*number*/)
{
    return 1;
}

Turned upsideDown(const Task& /*task*/, double right, std::int64_t /*number*/)
{
    return right > 0 ? Turned(1 / right) : std::nullopt;
}

/// An engine that rounds up itself gives no occasion.
Turned oneMore(const Task& task, double right, std::int64_t /*number*/)
{
    const bool isUp = task.asked == Asked::Blocks && right * blockBytesOf(task.scenario) > bytesOf(task, Asked::Pool);
    return isUp ? std::nullopt : Turned(right + 1);
}

Turned oneLess(const Task& /*task*/, double right, std::int64_t /*number*/)
{
    return right - 1;
}

Turned nextDoubling(const Task& /*task*/, double right, std::int64_t /*number*/)
{
    return static_cast<double>(std::bit_ceil(static_cast<std::uint64_t>(right)));
}

Turned nextDoublingInThousands(const Task& task, double right, std::int64_t number)
{
    return *nextDoubling(task, right, number) / 1024 * 1000;
}

Turned widthOverKvHeads(const Task& task, double right, std::int64_t /*number*/)
{
    const Turned sharing = solve({Asked::Sharing, task.scenario, {}});
    return sharing ? Turned(right * *sharing) : std::nullopt;
}

Turned widthOverLayers(const Task& task, double right, std::int64_t /*number*/)
{
    const CacheGroup* group = headsOf(task.scenario.model);
    const std::int64_t layers = task.scenario.model.layers;
    if (group == nullptr || layers == 0)
        return std::nullopt;
    return right * static_cast<double>(group->queryHeads) / static_cast<double>(layers);
}

Turned kvHeadCount(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    const CacheGroup* group = headsOf(task.scenario.model);
    return group != nullptr ? Turned(static_cast<double>(kvHeads(task.scenario, *group))) : std::nullopt;
}

Turned queryHeadCount(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    const CacheGroup* group = headsOf(task.scenario.model);
    return group != nullptr ? Turned(static_cast<double>(group->queryHeads)) : std::nullopt;
}

Turned shareOfUsed(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    return 100.0 * bytesOf(task, Asked::Waste) / std::max(bytesOf(task, Asked::Cache), 1.0);
}

Turned usedShare(const Task& /*task*/, double right, std::int64_t /*number*/)
{
    return 100.0 - right;
}

Turned perTokenBlocks(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    const double token = blockBytesOf(task.scenario) / static_cast<double>(blockTokensOf(task.scenario));
    return token > 0 ? Turned(std::floor(bytesOf(task, Asked::Pool) / token)) : std::nullopt;
}

Turned inTokens(const Task& task, double right, std::int64_t /*number*/)
{
    return right * static_cast<double>(blockTokensOf(task.scenario));
}

Turned onAllGpus(const Task& task, double right, std::int64_t /*number*/)
{
    const Turned devices = devicesOf(task);
    return devices ? Turned(right * *devices) : std::nullopt;
}

Turned onOneGpu(const Task& task, double right, std::int64_t /*number*/)
{
    const Turned devices = devicesOf(task);
    return devices ? Turned(right / *devices) : std::nullopt;
}

Turned wholeBlock(const Task& task, double /*right*/, std::int64_t /*number*/)
{
    const Scenario& scenario = task.scenario;
    if (scenario.engine != EngineId::Paged)
        return std::nullopt;
    return bytesOf(task, Asked::PerToken) * static_cast<double>(scenario.blockTokens * scenario.workload.batch);
}

} // namespace core::turns
