// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/cache_group.h"
#include "core/model/weights.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// How a value of a model came to be known.
enum class How : std::uint8_t { Read, Derived, Default, Typed };

/// The name in files: "read", "derived", "default", "typed".
std::string_view id(How how);
std::optional<How> how(std::string_view id);

/// Where one value of a model comes from.
struct Provenance {
    std::string field; ///< "kv_heads"
    std::string value; ///< as text: "8", "true"
    How how = How::Read;
    std::string file; ///< "config.json"; empty when typed
    std::string key;  ///< "num_key_value_heads"; empty when no key was read
    std::string rule; ///< for derived and default values: "hidden_size / num_attention_heads"

    friend bool operator==(const Provenance&, const Provenance&) = default;
};

/// A transformer as far as memory is concerned.
struct Model {
    std::string id;     ///< catalogue id; empty for a file
    std::string name;   ///< "Llama 3.1 8B"
    std::string source; ///< repository or path the layout was read from
    std::string family; ///< model_type: "llama"
    std::int64_t layers = 0;
    std::optional<std::int64_t> maxContext; ///< tokens the model was trained or extended for
    std::vector<CacheGroup> groups;
    /// What layers that only draft tokens keep (multi-token prediction), numbered from `layers` on; they count where an
    /// engine speculates with them.
    std::vector<CacheGroup> draftGroups;
    std::optional<std::int64_t> vocabulary;    ///< tokens that the output head knows
    std::optional<std::int64_t> encoderTokens; ///< tokens that the encoder always yields, for cross attention
    std::optional<KvFormat> statedKvFormat;    ///< cache format that the published files ask for
    Weights weights;
    std::vector<std::string> notes; ///< remarks on the layout, in plain words
    std::vector<Provenance> provenance;

    friend bool operator==(const Model&, const Model&) = default;
};

/// The provenance row of `field`; nullptr when there is none.
const Provenance* provenanceOf(const Model& model, std::string_view field);

/// True where some layers of the model keep this kind of cache.
bool keeps(const Model& model, CacheKind kind);

/// True where some layers of the model keep K and V of heads.
bool keepsHeads(const Model& model);

} // namespace core
