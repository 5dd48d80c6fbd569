// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log_table.h"
#include "core/engines/vllm/layout.h"

#include <array>
#include <optional>

namespace core::engines::vllm {

/// One pool of blocks on every rank. A workload needs the blocks of all its requests, and at least those of one request
/// of the longest length, without which the engine does not start.
class VllmPlan : public Plan {
public:
    explicit VllmPlan(const Scenario& given);
    using Plan::reserve;
    void reserve(const Workload& workload, Reservation& reservation) const override;

    const Options& options() const { return m_options; }
    const Layout& layout() const { return m_layout; }
    const Spread& spread() const { return m_spread; }
    const Budget& budget() const { return m_budget; }
    std::int64_t batched(std::int64_t longest) const;
    /// Blocks of a request of `tokens` tokens in each group of a type, or over all groups.
    std::int64_t blocksOf(const LayerType& type, std::int64_t tokens, std::int64_t batched) const;
    std::int64_t blocksOf(std::int64_t tokens, std::int64_t batched) const;
    /// Blocks of a pool of `memory` bytes on each rank.
    std::int64_t blocksIn(Bytes memory) const;
    /// The stage whose device holds most.
    std::size_t binding() const { return m_binding; }
    /// Bytes of the weights that one device of the stage holds.
    Bytes weightsOf(std::size_t stage) const { return m_weights.at(stage); }
    /// "GPU KV cache size" of so many blocks, as this release prints it, and "Maximum concurrency"; `ofLongest` blocks
    /// are those of a request of the longest length.
    std::int64_t printedTokens(std::int64_t blocks, std::int64_t longest, std::int64_t ofLongest) const;
    double concurrency(std::int64_t blocks, std::int64_t longest, std::int64_t ofLongest) const;
    std::int64_t printedTokens(std::int64_t blocks, std::int64_t longest) const
    {
        return printedTokens(blocks, longest, blocksOf(longest, batched(longest)));
    }
    double concurrency(std::int64_t blocks, std::int64_t longest) const
    {
        return concurrency(blocks, longest, blocksOf(longest, batched(longest)));
    }

    /// The exact memory behind a size that a log prints with two decimals. Of all sizes that are printed so, it is the
    /// one whose number of blocks agrees with the log's other figures.
    Bytes memoryIn(const EngineLog& log, const PrintedSize& printed) const;

protected:
    void print(const Reservation& reservation, Description& description) const override;
    std::vector<LogComparison> compare(const Reservation& reservation, const EngineLog& log) const override;

private:
    struct Demand;
    void addDevice(const Device& device, const Workload& workload, const Demand& demand,
                   Reservation& reservation) const;
    void addModelGroup(const LayerType& type, const ModelGroup& modelGroup, std::int64_t blocks, const Device& device,
                       const Workload& workload, const Demand& demand, DeviceShare& share) const;
    void addPart(const LayerType& type, const Demand& demand, Reservation& reservation) const;
    /// Tokens of the shared prefix that fill whole blocks of all groups: they are kept once.
    std::int64_t sharedTokens(const Workload& workload) const;
    /// Blocks that they take in each group of a type, or over all groups. Groups that keep all tokens share them, with
    /// all layers in them, also windows that are kept whole and drafts. Window groups drop the blocks of a prefix
    /// behind the window, and states are a request's own.
    std::int64_t sharedBlocks(const LayerType& type, std::int64_t shared) const;
    std::int64_t sharedBlocks(std::int64_t shared) const;
    Bytes reserved(const LayerType& type, std::size_t stage, std::int64_t blocks) const;
    void readMemory();

    Options m_options;
    Spread m_spread;
    Budget m_budget;
    Layout m_layout;
    ByStage<Bytes> m_weights{};
    ByStage<Bytes> m_room{};                  ///< beside weights and budget
    ByStage<std::optional<Bytes>> m_memory{}; ///< for the cache
    std::optional<std::int64_t> m_blocks;
    std::size_t m_binding = 0;
    bool m_hasCross = false;
};

} // namespace core::engines::vllm
