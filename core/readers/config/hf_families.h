// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/config/hf_quantities.h"
#include "core/readers/config/hf_shape.h"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>

namespace core::readers {

// What is known of the families of config.json files, as tables. A new family of known cache laws is one row in
// `hf_families.cpp`, `hf_families_mixed.cpp` or `hf_families_cache.cpp`: its model types, class defaults, layer
// pattern, weight shape and the switches that change the shape. A new spelling of a known quantity is one word in its
// row of quantities; a new way to write a layer pattern is one row in `hf_pattern.cpp`.

/// How the cache of a family works, as far as a key of a file can show it.
enum class CacheLaw : std::uint8_t {
    Plain,          ///< every layer keeps K and V of every token: MHA, GQA, MQA
    Window,         ///< sliding windows in some or all layers
    Chunked,        ///< chunked attention
    Latent,         ///< multi-head latent attention
    LatentIndex,    ///< the same with the index keys of sparse attention
    Index,          ///< full attention with the index keys of sparse attention
    Compressed,     ///< compressed entries
    Hybrid,         ///< attention and recurrent layers
    Recurrent,      ///< recurrent layers only
    EncoderDecoder, ///< encoder and decoder
    Cross,          ///< cross attention to images
    SharedKv,       ///< layers that share a cache
    LayerVarying,   ///< heads that differ from layer to layer
};

/// A set of laws.
constexpr unsigned laws(std::initializer_list<CacheLaw> list)
{
    unsigned set = 0;
    for (const CacheLaw law : list)
        set |= 1U << static_cast<unsigned>(law);
    return set;
}

/// The sentence that refuses a family of this law, with {0} file and {1} what the file says ("model_type "jamba"").
std::string_view refusal(CacheLaw law);

// The kind of a layer is one letter, so that the layers of a model are a text: "WWWWWF".
inline constexpr char kFull = 'F';
inline constexpr char kWindow = 'W';
inline constexpr char kChunk = 'C';
inline constexpr char kRecurrent = 'R';
inline constexpr char kBoth = 'B';    ///< attention and a recurrent mixer in one layer
inline constexpr char kCross = 'X';   ///< cross attention in place of self-attention
inline constexpr char kMlpOnly = '-'; ///< no mixer, a dense MLP
inline constexpr char kExperts = 'E'; ///< no mixer, experts
inline constexpr char kNothing = '0'; ///< a layer that keeps nothing (attention left out)

/// What the attention of a family keeps.
enum class AttentionKind : std::uint8_t {
    Heads,      ///< K and V of each KV head
    Latent,     ///< one latent and one rotary part for all heads
    Compressed, ///< one vector, K = V: the raw last ones and one for every so many tokens
};

/// The recurrent mixer of a family: what its state is made of.
enum class RecurrentKind : std::uint8_t {
    None,
    Mamba1,    ///< arXiv:2312.00752
    Mamba2,    ///< arXiv:2405.21060
    ShortConv, ///< gated short convolution (LFM2)
    DeltaNet,  ///< gated delta net, arXiv:2412.06464
    Kda,       ///< Kimi delta attention, arXiv:2510.26692
    Lightning, ///< lightning attention, arXiv:2401.04658
    Lru,       ///< real-gated linear recurrent unit, arXiv:2402.19427
    Rwkv4,     ///< arXiv:2305.13048
    Rwkv5,     ///< arXiv:2404.05892: matrix-valued state; the same for RWKV 6 and 7
    Mlstm,     ///< matrix memory with a normalizer and a maximum, arXiv:2405.04517
};

/// Where the feed-forward networks stand.
enum class MlpRule : std::uint8_t {
    EveryLayer,
    OwnLayers, ///< in layers of their own
    None,
};

/// A true-or-false key and what its absence means.
struct Flag {
    std::string_view key; ///< empty: never true
    bool absent = false;
};

/// How a class finds its number of KV heads: the key counts where `keyIf` is true (always by default); else there is
/// one KV head where `oneIf` is true; else there are as many as query heads.
struct KvHeadRule {
    Flag keyIf{"", true};
    Flag oneIf{"", false};
};

/// When the window that a file declares is in force.
enum class WindowRule : std::uint8_t {
    Never,        ///< the class does not know one
    WhenDeclared, ///< where it is given and below the maximum length
    WhenSwitched, ///< only where `use_sliding_window` is true, in the layers from `max_window_layers` on
};

/// The value of a quantity where the file does not give it.
struct ClassDefault {
    Quantity quantity;
    std::int64_t value;
};

/// Other keys for a quantity than those of its row.
struct Spelling {
    Quantity quantity;
    std::string_view keys;
};

struct Family {
    std::string_view types;         ///< model_type values, with blanks between
    std::string_view architectures; ///< of files without model_type
    std::string_view configClass;   ///< whose defaults apply: "LlamaConfig"
    std::span<const ClassDefault> defaults{};
    Shape shape{};
    std::span<const Switch> switches{};
    KvHeadRule kvHeads{};
    WindowRule window = WindowRule::Never;
    std::string_view kinds = "FW"; ///< the letters that its layers can be
    std::string_view pattern{};    ///< letters to repeat where the file has no pattern; empty: all layers alike
    bool lastIsFull = false;       ///< the last layer is full attention in any case
    AttentionKind attention = AttentionKind::Heads;
    RecurrentKind recurrent = RecurrentKind::None;
    MlpRule mlp = MlpRule::EveryLayer;
    std::span<const Spelling> spellings{};
    unsigned known = 0; ///< laws beside those of `kinds` and `attention` whose keys this family reads
    /// The layers from the second behind the middle on read the last cache and the last state before them
    /// (arXiv:2507.06607).
    bool secondHalfShares = false;
};

/// Families that are known by name but whose cache law is not read yet.
struct RefusedFamily {
    CacheLaw law;
    std::string_view types;
    std::string_view architectures;
};

/// The tables of families: decoders whose layers are all alike, all others, and those whose weights are not counted.
std::span<const Family> plainFamilies();
std::span<const Family> mixedFamilies();
std::span<const Family> cacheOnlyFamilies();

/// The row of a model type or (`byArchitecture`) of a class name; nullptr when there is none.
const Family* family(std::string_view type, bool byArchitecture = false);
const RefusedFamily* refusedFamily(std::string_view type, bool byArchitecture = false);

/// When a key shows that a file's cache is not plain, whatever its model_type says.
enum class TrapWhen : std::uint8_t {
    Present,  ///< given and not null
    Positive, ///< a number above 0, or a list
    True,     ///< true
    NonEmpty, ///< a list or an object that is not empty
};

struct Trap {
    std::string_view key;
    TrapWhen when;
    CacheLaw law;
};

std::span<const Trap> traps();

/// The law that a kind of layer belongs to.
CacheLaw lawOf(char kind);

} // namespace core::readers
