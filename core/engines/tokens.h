// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/budget.h"
#include "core/engines/parallel.h"
#include "core/engines/plan.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace core::engines {

/// How an engine keeps pools of tokens.
struct TokenRules {
    std::int64_t page = 1;        ///< tokens of a block
    std::int64_t windowRatio = 0; ///< tokens of the window pool for 10,000 of the other; 0: windows are kept whole
    std::int64_t stateRatio = 0;  ///< memory of states for 10,000 bytes of the other; 0: what is needed
    std::int64_t statesOfRequest = 1;
    bool sharesPrefixes = false; ///< Requests share the whole pages of a common prefix (SGLang's radix cache).
    std::int64_t sparePages = 0; ///< pages and states that no request gets
    std::int64_t spareStates = 0;
    std::int64_t drafts = 0;                   ///< tokens drafted at once
    std::optional<std::int64_t> draftLayers{}; ///< nothing: by model
    bool statesDraft = false;                  ///< states are kept for the tokens that are drafted
    std::optional<std::int64_t> draftStates{}; ///< their number, set aside; nothing: by the requests
    bool roundsUp = false;                     ///< the last block of a pool may be larger than its memory
    bool scalesSparse = false; ///< FP8 of sparse attention has scales, and index keys on every latent layer have
    bool indexApart = false;   ///< index keys are printed in a line of their own
    bool pricesShared = false; ///< layers that share a cache have one nevertheless
    std::optional<KvFormat> stateFormat; ///< nothing: FP32
    std::optional<std::int64_t> tokens;  ///< most tokens, given
    std::optional<std::int64_t> states;  ///< of all requests, given
};

/// Pools of tokens on every rank: one for layers that keep all tokens, one for windows, one for states, one for layers
/// that draft. Where pools are in a fixed ratio, the one that is needed most sets them all.
class TokenPlan : public Plan {
public:
    /// `usable`: memory of a device for weights, overhead and cache; nothing where there is none. `share`:
    /// ten-thousandths of what these leave.
    TokenPlan(const Scenario& given, const TokenRules& rules, const Budget& budget, std::optional<Bytes> usable,
              std::int64_t share = 10'000);
    using Plan::reserve;
    void reserve(const Workload& workload, Reservation& reservation) const override;

protected:
    const TokenRules& rules() const { return m_rules; }
    const Spread& spread() const { return m_spread; }

private:
    enum class Kind : std::uint8_t { Full, Index, Window, Draft, State };

    /// Alike layers of one kind.
    struct TokenRow {
        Kind kind = Kind::Full;
        const CacheGroup* group = nullptr; ///< whose ideal cache it is; nothing: it has none
        Bytes ideal{};                     ///< entry of a layer on all ranks together
        Bytes idealOnRank{};
        Bytes k{}; ///< of an entry on one rank; of a state: convolution
        Bytes v{};
        WasteCause cause = WasteCause::Scales;
        std::array<std::int64_t, static_cast<std::size_t>(kMaxStages)> layers{};
    };
    /// Bytes of one token, one token of windows and one state in all layers of a stage.
    struct Entry {
        Bytes token;
        Bytes window;
        Bytes state;
    };
    /// A line that the engine prints, for one entry on the device that binds.
    struct Line {
        Kind kind = Kind::Full;
        std::string_view name;
        std::int64_t layers = 0;
        Bytes k{};
        Bytes v{};
    };
    /// What a pool of each kind costs on a device.
    struct Cost {
        Bytes tokens; ///< all but states
        Bytes states;
        Bytes total() const { return tokens + states; }
    };
    /// Sizes of the pools.
    struct Sizes {
        std::int64_t tokens = 0;
        std::int64_t states = 0;
    };
    struct Demand;

    void addRows(const CacheGroup& group, bool drafts);
    void addShared(const CacheGroup& group);
    /// Adds a row with the layers of `group`, or puts it in the place of the last.
    void pushRow(TokenRow row, const CacheGroup& group, bool inPlace = false);
    TokenRow rowOf(const CacheGroup& group) const;
    void readMemory(std::optional<Bytes> usable, std::int64_t share);
    void chooseBindingStage(std::size_t stage);
    void sumUp();
    void makeLines();
    Sizes sizesOf(std::size_t stage, Bytes memory) const;
    std::int64_t tokensIn(std::size_t stage, Bytes memory) const;
    Cost cost(std::size_t stage, std::int64_t tokens, std::int64_t states) const;
    std::int64_t tokensOf(Kind kind, std::int64_t tokens) const;
    Bytes needed(std::size_t stage, const Demand& demand) const;
    Bytes draftStatesOf(std::size_t stage, const Demand& demand) const;
    /// Tokens of the shared prefix that are kept once, in the pool of all tokens. The pools of windows, which drop a
    /// prefix behind the window, and of states keep every request's own; with an encoder nothing is shared.
    std::int64_t sharedTokens(const Workload& workload) const;
    Demand demandOf(const Workload& workload, std::int64_t requests) const;
    void addDevice(const Device& device, const Workload& workload, const Demand& longest,
                   Reservation& reservation) const;
    void addRow(const TokenRow& row, const Device& device, const Workload& workload, const Demand& demand,
                DeviceShare& share) const;
    void addParts(const Sizes& sizes, std::int64_t sequences, Reservation& reservation) const;

    template <typename T> using ByStage = std::array<T, static_cast<std::size_t>(kMaxStages)>;
    TokenRules m_rules;
    Spread m_spread;
    Budget m_budget;
    std::vector<TokenRow> m_rows;
    std::vector<Line> m_lines;
    ByStage<Entry> m_entries{};
    ByStage<Bytes> m_weights{};
    ByStage<Bytes> m_room{};                  ///< beside weights and budget
    ByStage<std::optional<Bytes>> m_memory{}; ///< for the cache
    ByStage<Bytes> m_spare{};                 ///< pages and slots that no request gets
    std::optional<Sizes> m_sizes;             ///< of the pools, where they are known
    Bytes m_pageBytes;                        ///< on the device that binds; windows by their ratio
    std::int64_t m_window = 0;                ///< longest window with a pool of its own
    std::size_t m_binding = 0;                ///< stage whose device holds most
    bool m_hasWindows = false;
    bool m_hasStates = false;
};

} // namespace core::engines
