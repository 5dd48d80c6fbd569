// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/bytes.h"
#include "core/model/element_format.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// What one layer keeps of each token; the laws stand at `CacheGroup`.
enum class CacheKind : std::uint8_t {
    Full,       ///< attention over all tokens: MHA, GQA, MQA
    Window,     ///< attention over the last `window` tokens
    Chunk,      ///< attention within chunks of `window` tokens
    Latent,     ///< multi-head latent attention: one compressed vector for all heads
    Index,      ///< keys of a sparse-attention indexer
    Compressed, ///< one vector, K = V, for every `ratio` tokens
    State,      ///< recurrent and convolution state: one entry, whatever the context
    Cross,      ///< cross attention to the encoder's tokens
    Shared,     ///< reads another layer's cache, keeps none
    None,       ///< no attention, no state
};

/// The kind's name in files and on the command line: "full", "window", ….
std::string_view id(CacheKind kind);
std::optional<CacheKind> cacheKind(std::string_view id);

/// Layer numbers from 0, ascending, without repetition.
class LayerSet {
public:
    LayerSet() = default;
    /// Layers first … last, both included.
    static LayerSet range(std::int64_t first, std::int64_t last);
    /// From text such as "0-3,8,16-19"; nothing when it is malformed, descending or beyond 65,535.
    static std::optional<LayerSet> fromText(std::string_view text);

    void add(std::int64_t layer); ///< a layer larger than all before
    std::int64_t count() const { return static_cast<std::int64_t>(m_layers.size()); }
    std::span<const std::int32_t> layers() const { return m_layers; }
    std::string toText() const;

    friend bool operator==(const LayerSet&, const LayerSet&) = default;

private:
    std::vector<std::int32_t> m_layers;
};

/// The layers that hold one kind of cache, and what one such layer keeps. Fields that a kind does not use are 0.
/// The cache of one request is exactly Σ over groups of layers · entry bytes · entries(tokens), where
///
/// | kind         | elements of one entry (K; V)                   | entries for t tokens |
/// |--------------|------------------------------------------------|----------------------|
/// | full         | kvHeads·keyDim; kvHeads·valueDim               | t                    |
/// | window,chunk | the same                                       | min(t, window)       |
/// | latent       | latentDim + ropeDim, once (fp8_ds_mla: apart)  | t                    |
/// | index        | indexDim                                       | t, or floor(t/ratio) |
/// | compressed   | keyDim, K = V                                  | floor(t / ratio)     |
/// | state        | convElements; recurrentElements, own formats   | 1                    |
/// | cross        | kvHeads·keyDim; kvHeads·valueDim               | encoder tokens       |
/// | shared, none | –                                              | 0                    |
///
/// What an engine may keep instead of a latent: full K and V of `queryHeads` heads of `keyDim` and `valueDim`, which a
/// latent group names where they are known. `kvHeads` = 1 in a latent group says that its file holds the projections
/// absorbed and can be run with latents only. A full group with a `latentDim` is the reverse: heads of a file that
/// could be run with latents of `latentDim` + `ropeDim`.
///
/// Sources: GQA arXiv:2305.13245; MLA arXiv:2405.04434 section 2.1; sliding window arXiv:2310.06825.
struct CacheGroup {
    CacheKind kind = CacheKind::Full;
    LayerSet layers;
    std::int64_t queryHeads = 0; ///< shares the KV heads; for comparison only, not cached
    std::int64_t kvHeads = 0;
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t window = 0; ///< tokens
    std::int64_t latentDim = 0;
    std::int64_t ropeDim = 0;
    std::int64_t indexDim = 0;
    std::int64_t ratio = 0; ///< tokens per entry; 0 is 1
    std::int64_t convElements = 0;
    KvFormat convFormat = KvFormat::Bf16;
    std::int64_t recurrentElements = 0;
    KvFormat recurrentFormat = KvFormat::Fp32;

    friend bool operator==(const CacheGroup&, const CacheGroup&) = default;
};

/// One stored vector of an entry.
struct EntryPart {
    std::int64_t elements = 0;
    KvFormat format = KvFormat::Fp16;
    std::int64_t heads = 1; ///< that it consists of
};

/// True for the kinds that keep K and V of heads: full, window, chunk, cross.
bool hasHeads(CacheKind kind);

/// True for the kinds that keep no more than a window of tokens: window, chunk.
bool isWindow(CacheKind kind);

/// The two vectors of one entry of one layer (K and V, or what the kind keeps in their place; 0 elements = none), with
/// K and V stored in `k` and `v` and `kvHeads` heads where the kind has any. States keep their own formats.
std::array<EntryPart, 2> entryParts(const CacheGroup& group, std::int64_t kvHeads, KvFormat k, KvFormat v);

/// The same with the group's own heads.
inline std::array<EntryPart, 2> entryParts(const CacheGroup& group, KvFormat k, KvFormat v)
{
    return entryParts(group, group.kvHeads, k, v);
}

/// Bytes of one entry of one layer: each part rounded up to whole blocks.
Bytes entryBytes(const CacheGroup& group, std::int64_t kvHeads, KvFormat k, KvFormat v);
inline Bytes entryBytes(const CacheGroup& group, KvFormat k, KvFormat v)
{
    return entryBytes(group, group.kvHeads, k, v);
}

/// Tokens that one entry stands for: `ratio` for compressed entries and their index keys, else 1.
std::int64_t tokensPerEntry(const CacheGroup& group);

/// Entries that one layer of the group keeps for a request of `tokens` tokens (and `encoderTokens` encoder tokens).
std::int64_t entries(const CacheGroup& group, std::int64_t tokens, std::int64_t encoderTokens);

/// True if the number of entries can still grow beyond `tokens` tokens.
bool growsBeyond(const CacheGroup& group, std::int64_t tokens);

} // namespace core
