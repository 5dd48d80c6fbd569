// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace core::readers {

/// The weights of a layer beside its widths, as small numbers: what a row of the table says and switches change.
struct Shape {
    int tied = 0;              ///< 1: the head is the embedding, where the file does not say
    int ownHead = 0;           ///< 1: checkpoints store a head even where the file says that it is tied
    int qkvBias = 0;           ///< 1: biases on the query, key and value projections
    int outBias = 0;           ///< 1: a bias on the output projection
    int mlpBias = 0;           ///< 1: biases in the MLP
    int headBias = 0;          ///< 1: a bias on the output head
    int gated = 1;             ///< 1: gate, up and down matrix; 0: up and down
    int mlpRatio = 0;          ///< MLP width / width where the file gives no MLP width; 0: it must
    int mlpDivisor = 1;        ///< the MLP width in the file counts for this many matrices
    int normsPerLayer = 2;     ///< norms over the width
    int finalNorms = 1;        ///< norms over the width behind the last layer
    int embeddingNorms = 0;    ///< norms over the width before the first layer
    int normScale = 1;         ///< 0: norms without parameters
    int normBias = 0;          ///< 1: norms have a bias too
    int headNorms = 0;         ///< 1: one query and one key norm over a head, shared by all heads
    int headNormBias = 0;      ///< 1: these have a bias too
    int projectionNorms = 0;   ///< 1: query and key norm over all heads
    int positions = 0;         ///< 1: learned positions, one vector for each of the context
    int extraPositions = 0;    ///< and so many more
    int experts = 0;           ///< 1: the class has experts where the file counts some
    int expertBias = 0;        ///< 1: biases in the experts
    int routerBias = 0;        ///< 1: the router has one number more for each expert
    int sharedExpertGate = 0;  ///< 1: a gate vector for the shared experts
    int sharedWithout = 0;     ///< 1: shared experts are there without experts too, as a dense MLP
    int besideExperts = 0;     ///< 1: layers with experts have the dense MLP besides
    int outputGate = 0;        ///< 1: a gate as wide as the queries; 2: one number for each query head
    int sinks = 0;             ///< 1: one number for each query head; 2: only in window layers
    int keyIsValue = 0;        ///< 1: full layers have no value projection
    int adjustedMlp = 0;       ///< 1: the MLP width is two thirds of what the file gives, rounded up
    int keyBias = 1;           ///< 0: no bias on the key projection, whatever `qkvBias` says
    int sharedKeepKeys = 0;    ///< layers that share a cache: 1 keep the norm of keys, 2 the projections too
    int doubledInput = 0;      ///< 1: attention sees two streams (Zamba)
    int wideWhereShared = 0;   ///< 1: layers that share a cache have an MLP of twice the width
    int expertNorms = 0;       ///< vectors of the width more in layers with experts
    int extraTokens = 0;       ///< rows of the embedding beside the vocabulary
    int receptance = 0;        ///< 1: the MLP has a gate of the width's square (RWKV)
    int mlpHalves = 0;         ///< the MLP width is so many halves of the width, rounded down to 32, where not given
    int alternating = 0;       ///< inputs of alternating updates (Gemma 3n), where the file does not say
    int mixers = 1;            ///< attention blocks in a layer, each with its own MLP and norms
    int latentNorms = 1;       ///< 1: norms over the latents of multi-head latent attention
    int stateBias = 0;         ///< 1: biases on the projections of the recurrent mixer
    int convBias = 1;          ///< 1: a bias on its convolution
    int stateNorms = 0;        ///< 1: norms over time step, B and C (Jamba)
    int gateNorm = 1;          ///< 1: a norm over the inner width before the output projection (Mamba 2)
    int wholeGate = 0;         ///< 1: the gate of Kimi delta attention is one matrix, not two narrow ones
    int headsAhead = 0;        ///< decays stored beyond those of the heads: their number is rounded up to this
    int residualMixes = 0;     ///< 1: each sublayer mixes earlier residuals by two vectors of the width (Kimi K3)
    int latentExpertNorm = 0;  ///< 1: a norm over the narrower width that experts see
    int attentionAdapters = 0; ///< 1: low-rank adapters for the queries, keys and values of shared blocks (Zamba 2)
    int encoderGlobal = 0;     ///< 1: the encoder has queries, keys and values of global attention besides (LED)
    int uncounted = 0;         ///< 1: the weights of this family are not counted, its cache is
};

inline constexpr int kKeep = -1;   ///< a switch leaves the value
inline constexpr int kNumber = -2; ///< a switch takes the number at its key

/// A key that changes the shape ("key=word": true where its text begins with that word): `member` becomes `whenTrue` or
/// `whenFalse`. Later rows see what earlier ones did.
struct Switch {
    std::string_view key;
    int Shape::*member;
    int whenTrue = 1;
    int whenFalse = 0;
};

} // namespace core::readers
