// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/text/message.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace core {

/// Why reserved cache is not in use: the steps from the ideal cache to what an engine reserves.
enum class WasteCause : std::uint8_t {
    None,
    Share,          ///< the typed share of the reserved memory
    MaxContext,     ///< reserved for tokens that have not come yet
    PartialBlock,   ///< rest of each request's last block
    WholeWindow,    ///< windows that are kept for the whole context
    WindowBatch,    ///< windows that hold the tokens of the batch in hand besides
    Padding,        ///< cells up to a round number
    ExpandedLatent, ///< full heads where latents would do, or besides them
    SecondValue,    ///< values that are kept though they follow from the keys
    PaddedValue,    ///< values of each layer as wide as those of the widest
    StateFormat,    ///< recurrent states in another format than the model's
    Compressor,     ///< running states of the compressors of DeepSeek-V4
    Speculation,    ///< rows to roll back to, and the caches of draft layers
    Replication,    ///< heads and latents that several ranks keep
    Scales,         ///< another format of the engine's own, with its scales
    PagePadding,    ///< pages of one kind of layer as large as those of another
    PaddingLayers,  ///< layers that do not exist, so that all groups have as many
    CachedStates,   ///< states kept for prefixes that come again
    PoolSplit,      ///< pools whose sizes stand in a fixed ratio
    SpareSlots,     ///< slots that no request gets
};
inline constexpr std::size_t kWasteCauses = 20;

/// "share", "max_context", "partial_block", … in files.
std::string_view id(WasteCause cause);
/// In few words, for a row of a table: "padding to whole cells".
Message causeName(WasteCause cause);
/// One plain sentence that says why.
Message causeSentence(WasteCause cause);

/// Bytes by cause.
struct Waste {
    std::array<Bytes, kWasteCauses> byCause{};

    Bytes of(WasteCause cause) const { return byCause[static_cast<std::size_t>(cause)]; }
    void add(WasteCause cause, Bytes bytes) { byCause[static_cast<std::size_t>(cause)] += bytes; }
    Bytes total() const
    {
        Bytes sum;
        for (const Bytes bytes : byCause)
            sum += bytes;
        return sum;
    }
    /// The cause of most of it; None where there is none.
    WasteCause largest() const;

    friend bool operator==(const Waste&, const Waste&) = default;
};

} // namespace core
