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
    Share,          ///< A typed share of what is reserved is empty.
    MaxContext,     ///< Room is held for tokens that have not come yet.
    PartialBlock,   ///< Each request's last block is not full.
    WholeWindow,    ///< Windows are kept for the whole context.
    WindowBatch,    ///< Windows hold the tokens of the batch in hand besides.
    Padding,        ///< The number of cells is rounded up.
    ExpandedLatent, ///< Full heads are kept where latents would do, or besides them.
    SecondValue,    ///< Values are kept though they follow from the keys.
    PaddedValue,    ///< The values of each layer are as wide as those of the widest.
    StateFormat,    ///< Recurrent states are kept in another format than the model's.
    Compressor,     ///< The compressors of DeepSeek-V4 have running states.
    Speculation,    ///< Rows are kept to roll back to, and draft layers have caches.
    Replication,    ///< Several ranks keep the same heads and latents.
    Scales,         ///< The engine keeps entries in a format of its own, with scales.
    PagePadding,    ///< Pages of one kind of layer are as large as those of another.
    PaddingLayers,  ///< Layers that do not exist give all groups the same size.
    CachedStates,   ///< States are kept for prefixes that may come again.
    PoolSplit,      ///< The sizes of pools stand in a fixed ratio.
    SpareSlots,     ///< There are slots that no request gets.
};
inline constexpr std::size_t kWasteCauses = 20;

/// "share", "max_context", "partial_block", … in files.
std::string_view id(WasteCause cause);
/// In few words, for a row of a table: "padding to whole cells".
Message causeName(WasteCause cause);
/// One plain sentence that says why.
Message causeSentence(WasteCause cause);

/// The bytes of each cause.
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
    /// The cause of most of the waste; None where there is none.
    WasteCause largest() const;

    friend bool operator==(const Waste&, const Waste&) = default;
};

} // namespace core
