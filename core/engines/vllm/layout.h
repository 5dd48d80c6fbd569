// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/vllm/options.h"

#include <array>
#include <cstdint>
#include <vector>

namespace core::engines::vllm {

/// Amounts by pipeline stage.
template <typename T> using ByStage = std::array<T, static_cast<std::size_t>(kMaxStages)>;

/// How many blocks a request takes.
enum class BlockRule : std::uint8_t {
    Full,   ///< of all its tokens
    Window, ///< of its window, the tokens of the batch in hand, and one more
    Chunk,  ///< of its chunk and the tokens of the batch in hand
    Cross,  ///< of the encoder's tokens
    State,  ///< one for each state that is kept
};

/// A group of the model whose layers belong to a type.
struct ModelGroup {
    const CacheGroup* group = nullptr; ///< whose ideal cache it is; nothing: it drafts
    Bytes ideal{};                     ///< entry of a layer on all ranks together
    Bytes idealOnRank{};
    ByStage<std::int64_t> layers{};
};

/// Layers that are equal in kind, shape and window: vLLM's KVCacheSpec.
struct LayerType {
    BlockRule rule = BlockRule::Full;
    CacheKind kind = CacheKind::Full; ///< as printed
    std::int64_t heads = 0;           ///< of a rank
    std::int64_t keyDim = 0;
    std::int64_t valueDim = 0;
    std::int64_t window = 0;
    std::int64_t ratio = 1; ///< tokens of an entry
    Bytes k{};              ///< of an entry of a layer on one rank; of a state: convolution, with rows to roll back to
    Bytes v{};
    Bytes plain{};                         ///< of a state without those rows
    WasteCause cause = WasteCause::Scales; ///< of the difference to the ideal entry
    std::int64_t blockTokens = 0;
    Bytes page{};            ///< of a block in one layer
    std::int64_t groups = 0; ///< into which its layers are cut
    ByStage<std::int64_t> layers{};
    std::vector<ModelGroup> modelGroups{};
    std::vector<std::int32_t> numbers{}; ///< of the layers

    Bytes entry() const { return k + v; }
    std::int64_t count() const { return static_cast<std::int64_t>(numbers.size()); }
};

/// How the layers share one pool of blocks. One block is a page in each layer of a group.
struct Layout {
    std::vector<LayerType> types;
    bool isUniform = true;           ///< all layers in one group, each with its own page
    std::int64_t groups = 1;         ///< in all
    std::int64_t groupSize = 0;      ///< layers of a group, those that do not exist among them
    std::int64_t blockTokens = 16;   ///< of the smallest block
    std::int64_t attentionBlock = 0; ///< raised for the states; 0: there are none
    Bytes state{};                   ///< of a layer, before it is padded to the page
    Bytes page{};                    ///< of all layers where they are not uniform
    ByStage<std::int64_t> pages{};   ///< of a block, where they are not uniform
    ByStage<Bytes> block{};          ///< bytes of a block on a device of the stage
};

/// Sources: vLLM v1/core/kv_cache_utils.py (groups, pages), model_executor/models/config.py (blocks beside states),
/// v1/kv_cache_interface.py (bytes of a layer).
Layout layoutOf(const Scenario& scenario, const Options& options, const Spread& spread);

} // namespace core::engines::vllm
