// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/waste.h"

#include <algorithm>

namespace core {

namespace {

struct Words {
    std::string_view id;
    std::string_view name;
    std::string_view sentence;
};

/// By WasteCause.
constexpr std::array<Words, kWasteCauses> kWords{
    Words{"none", KV_TEXT("core", "nothing"), KV_TEXT("core", "All that is reserved is in use.")},
    Words{"share", KV_TEXT("core", "the typed share of the reserved cache"),
          KV_TEXT("core", "A share of the reserved cache is empty, as typed.")},
    Words{"max_context", KV_TEXT("core", "reserved for tokens to come"),
          KV_TEXT("core", "Room is held from the start for the longest context a request may reach.")},
    Words{"partial_block", KV_TEXT("core", "the rest of each last block"),
          KV_TEXT("core", "Each request's last block is reserved whole, however few tokens are in it.")},
    Words{"whole_window", KV_TEXT("core", "windows kept for the whole context"),
          KV_TEXT("core", "Layers that look at the last tokens only keep all of them, as if they had no window.")},
    Words{"window_batch", KV_TEXT("core", "tokens of the batch in hand beside the windows"),
          KV_TEXT("core", "Beside its window, a layer keeps the tokens of the batch that is being computed.")},
    Words{"padding", KV_TEXT("core", "cells up to a round number"),
          KV_TEXT("core", "The number of cells is rounded up so that the computation runs in whole blocks.")},
    Words{"expanded_latent", KV_TEXT("core", "full heads in place of latents"),
          KV_TEXT("core", "Keys and values of all heads are kept, though one latent for each token would do.")},
    Words{"second_value", KV_TEXT("core", "values that follow from the keys"),
          KV_TEXT("core", "Values are kept besides, though they could be read from what is kept as keys.")},
    Words{"padded_value", KV_TEXT("core", "values as wide as the widest layer's"),
          KV_TEXT("core", "Without flash attention every layer's values are as wide as those of the widest layer.")},
    Words{"state_format", KV_TEXT("core", "recurrent states in FP32"),
          KV_TEXT("core", "Recurrent states are kept in FP32, whatever the format of the model or of the cache.")},
    Words{"compressor", KV_TEXT("core", "running states of the compressors"),
          KV_TEXT("core", "Tokens that are not yet compressed wait in a running state of each layer.")},
    Words{"speculation", KV_TEXT("core", "speculation"),
          KV_TEXT("core", "Speculation keeps earlier states to roll back to, and a cache for the drafting layers.")},
    Words{"replication", KV_TEXT("core", "copies of heads and latents on several GPUs"),
          KV_TEXT("core", "Latents, and heads that are fewer than the GPUs, are kept by several GPUs at once.")},
    Words{"scales", KV_TEXT("core", "the engine's own format"),
          KV_TEXT("core", "The engine keeps these entries in a format of its own, with scales.")},
    Words{"page_padding", KV_TEXT("core", "pages as large as the largest"),
          KV_TEXT("core", "All kinds of layers share one pool, so that each page is as large as the largest.")},
    Words{"padding_layers", KV_TEXT("core", "layers that fill up a group"),
          KV_TEXT("core", "Layers are grouped by kind; groups with fewer layers get pages that nobody uses.")},
    Words{"cached_states", KV_TEXT("core", "states kept for prefixes"),
          KV_TEXT("core", "Besides its present state a request keeps states from which its prefix can be resumed.")},
    Words{"pool_split", KV_TEXT("core", "pools in a fixed ratio"),
          KV_TEXT("core", "Pools of different kinds are sized in a fixed ratio, whichever of them is needed more.")},
    Words{"spare_slots", KV_TEXT("core", "slots that no request gets"),
          KV_TEXT("core", "Each pool has a slot or a page to which unused positions of a batch point.")},
};

const Words& words(WasteCause cause)
{
    return kWords.at(static_cast<std::size_t>(cause));
}

} // namespace

std::string_view id(WasteCause cause)
{
    return words(cause).id;
}

Message causeName(WasteCause cause)
{
    return {words(cause).name, {}};
}

Message causeSentence(WasteCause cause)
{
    return {words(cause).sentence, {}};
}

WasteCause Waste::largest() const
{
    const auto* const most = std::ranges::max_element(byCause);
    return *most > Bytes() ? static_cast<WasteCause>(most - byCause.begin()) : WasteCause::None;
}

} // namespace core
