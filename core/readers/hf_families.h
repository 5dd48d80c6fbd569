// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json_reader.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace core::readers {

// What is known of the families of config.json files, as tables. A new family of a known cache law is one row in
// `hf_families.cpp`: its model types, class defaults, weight shape and the switches that change the shape. A new
// spelling of a known quantity is one word in its row of quantities.

/// A number that config.json files give, under one of several keys.
enum class Quantity : std::uint8_t {
    Layers,
    Width,
    QueryHeads,
    KvHeads,
    HeadDim,
    MaxContext,
    Vocabulary,
    EmbeddingWidth,
    MlpWidth,
    MlpRatio,
    Window,
    WindowedFrom,
    Experts,
    ExpertsPerToken,
    ExpertWidth,
    SharedExperts,
    SharedExpertWidth,
    DenseLayers,
    MoeStep,
};

struct QuantityInfo {
    Quantity quantity;
    std::string_view field; ///< in provenance: "kv_heads"
    std::string_view keys;  ///< spellings, first choice first, with blanks between; "a.b" is b inside a
    Range range;
};

const QuantityInfo& info(Quantity quantity);

/// True where `word` is one of `words`, which are separated by blanks.
bool hasWord(std::string_view words, std::string_view word);

/// How the cache of a family works, as far as it decides whether this program can read its config.json.
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

/// The sentence that refuses a family of this law, with {0} file and {1} what the file says ("model_type "jamba"").
std::string_view refusal(CacheLaw law);

/// The weights of a layer beside its widths, as small numbers: what a row of the table says and switches change.
struct Shape {
    int tied = 0;             ///< 1: the head is the embedding, where the file does not say
    int qkvBias = 0;          ///< 1: biases on the query, key and value projections
    int outBias = 0;          ///< 1: a bias on the output projection
    int mlpBias = 0;          ///< 1: biases in the MLP
    int headBias = 0;         ///< 1: a bias on the output head
    int gated = 1;            ///< 1: gate, up and down matrix; 0: up and down
    int mlpRatio = 0;         ///< MLP width / width where the file gives no MLP width; 0: it must
    int mlpDivisor = 1;       ///< the MLP width in the file counts for this many matrices
    int normsPerLayer = 2;    ///< norms over the width
    int finalNorms = 1;       ///< norms over the width behind the last layer
    int embeddingNorms = 0;   ///< norms over the width before the first layer
    int normScale = 1;        ///< 0: norms without parameters
    int normBias = 0;         ///< 1: norms have a bias too
    int headNorms = 0;        ///< 1: one query and one key norm over a head, shared by all heads
    int headNormBias = 0;     ///< 1: these have a bias too
    int projectionNorms = 0;  ///< 1: query and key norm over all heads
    int positions = 0;        ///< 1: learned positions, one vector for each of the context
    int extraPositions = 0;   ///< and so many more
    int experts = 0;          ///< 1: the class has experts where the file counts some
    int routerBias = 0;       ///< 1: the router has one number more for each expert
    int sharedExpertGate = 0; ///< 1: a gate vector for the shared experts
    int sharedWithout = 0;    ///< 1: shared experts are there without experts too, as a dense MLP
};

inline constexpr int kKeep = -1;   ///< a switch leaves the value
inline constexpr int kNumber = -2; ///< a switch takes the number at its key

/// A key that changes the shape: `member` becomes `whenTrue` or `whenFalse`. Later rows see what earlier ones did.
struct Switch {
    std::string_view key;
    int Shape::*member;
    int whenTrue = 1;
    int whenFalse = 0;
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
    WhenDeclared, ///< where it is given and below the maximum length
    WhenSwitched, ///< only where `use_sliding_window` is true, in the layers from `max_window_layers` on
};

/// The value of a quantity where the file does not give it.
struct ClassDefault {
    Quantity quantity;
    std::int64_t value;
};

struct Family {
    std::string_view types;         ///< model_type values, with blanks between
    std::string_view architectures; ///< of files without model_type
    std::string_view configClass;   ///< whose defaults apply: "LlamaConfig"
    std::span<const ClassDefault> defaults;
    Shape shape;
    std::span<const Switch> switches;
    KvHeadRule kvHeads{};
    WindowRule window = WindowRule::WhenDeclared;
    bool needsLayerTypes = false; ///< without `layer_types` the class has recurrent layers
};

/// Families that are known by name but whose cache law is not read yet.
struct RefusedFamily {
    CacheLaw law;
    std::string_view types;
    std::string_view architectures;
};

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

/// What an entry of `layer_types` and its like means; nothing for a word that is not known.
std::optional<CacheLaw> layerKind(std::string_view word);

} // namespace core::readers
