// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.h"

#include <cstdint>

/// How the mistakes of the library change a scenario; what each means stands at its text.
namespace core::changes {

// Of the model. True when the scenario has changed; `number` is the exercise's own.
bool queryHeads(Scenario& scenario, std::int64_t number);
bool keysOnly(Scenario& scenario, std::int64_t number);
bool headCountForDim(Scenario& scenario, std::int64_t number);
bool widthOverHeads(Scenario& scenario, std::int64_t number);
bool bits(Scenario& scenario, std::int64_t number);
bool oneLayer(Scenario& scenario, std::int64_t number);
bool otherLayers(Scenario& scenario, std::int64_t number);
bool everyLayer(Scenario& scenario, std::int64_t number);
bool noWindow(Scenario& scenario, std::int64_t number);
bool noWindowLayers(Scenario& scenario, std::int64_t number);
bool noStates(Scenario& scenario, std::int64_t number);
bool latentTwice(Scenario& scenario, std::int64_t number);
bool noRotaryPart(Scenario& scenario, std::int64_t number);
bool latentAsHeads(Scenario& scenario, std::int64_t number);

// Of formats and weights.
bool oneByte(Scenario& scenario, std::int64_t number);
bool twoBytes(Scenario& scenario, std::int64_t number);
bool fourBytes(Scenario& scenario, std::int64_t number);
bool noScales(Scenario& scenario, std::int64_t number);
bool oneByteWeights(Scenario& scenario, std::int64_t number);
bool twoByteWeights(Scenario& scenario, std::int64_t number);
bool fourByteWeights(Scenario& scenario, std::int64_t number);
bool weightsEach(Scenario& scenario, std::int64_t number);
bool noWeights(Scenario& scenario, std::int64_t number);
bool activeOnly(Scenario& scenario, std::int64_t number);
bool decimalWeights(Scenario& scenario, std::int64_t number);

// Of workload and hardware.
bool thousands(Scenario& scenario, std::int64_t number);
bool oneRequest(Scenario& scenario, std::int64_t number);
bool noCache(Scenario& scenario, std::int64_t number);
bool noWaste(Scenario& scenario, std::int64_t number);
bool oneGpu(Scenario& scenario, std::int64_t number);
bool noReserve(Scenario& scenario, std::int64_t number);
bool noOverhead(Scenario& scenario, std::int64_t number);
bool labelMemory(Scenario& scenario, std::int64_t number);
bool decimalMemory(Scenario& scenario, std::int64_t number);
bool binaryMemory(Scenario& scenario, std::int64_t number);

// Of engines with a pool, and of heads on several GPUs.
bool wholeCard(Scenario& scenario, std::int64_t number);
bool shareOfRest(Scenario& scenario, std::int64_t number);
bool noComputing(Scenario& scenario, std::int64_t number);
bool noOwnWork(Scenario& scenario, std::int64_t number);
bool weightsOnEach(Scenario& scenario, std::int64_t number);
bool oneLargeGpu(Scenario& scenario, std::int64_t number);
bool cutHeads(Scenario& scenario, std::int64_t number);
bool undividedHeads(Scenario& scenario, std::int64_t number);
bool noCopies(Scenario& scenario, std::int64_t number);

} // namespace core::changes
