// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/text/message.h"

#include <cstdint>
#include <string>
#include <vector>

namespace core {

/// A number that can be explained.
enum class Quantity : std::uint8_t { Cache, Weights, Waste, Total, Free, MaxBatch, MaxContext, Crossover };

/// "cache", "weights", …
std::string_view id(Quantity quantity);

/// An input of a step.
struct Operand {
    std::string_view symbol; ///< in the formula: "L", "H_kv"
    Message name;            ///< "KV heads"
    Value value;             ///< as a number that enters the step, in `unit`
    std::string_view unit;   ///< "tokens", "B", "" for plain counts
    Message origin;          ///< where it comes from: "read from num_key_value_heads in config.json"
};

/// How a step's value follows from its operands a, b, c, … in order.
enum class Operation : std::uint8_t {
    Product,         ///< a · b · c …
    Sum,             ///< a + b + c …
    Difference,      ///< a − b − c …
    WholeBlocks,     ///< ceil(a / b) · c: elements, block size, block bytes
    CeilProduct,     ///< ceil(a · b / c): parameters, block bytes, block size
    ShareOfReserved, ///< ceil(a · p / (100 − p)): a in use, p percent
    LargestFitting,  ///< the largest n whose need is at most a; need(n) = b, need(n + 1) = c
    FirstReaching,   ///< the first n whose cache is at least a; cache(n − 1) = b, cache(n) = c
};

struct Step {
    Message title; ///< "KV cache of 32 full-attention layers"
    Operation operation = Operation::Product;
    std::vector<Operand> operands;
    Value result;
};

/// A number opened up: the formula in symbols, the steps with numbers and the origin of each, the sources. A test
/// recomputes every result from its operands.
struct Derivation {
    Quantity quantity = Quantity::Cache;
    std::string formula;     ///< "2·L·H_kv·D·S·P·batch"
    std::vector<Step> steps; ///< the last one's result is the number
    std::vector<std::string> sources;
};

/// Derivation of one number of an evaluation without issues; made on demand. Steps are empty where the number does
/// not exist (weights unknown, no limit).
Derivation explain(const Evaluation& evaluation, Quantity quantity);

} // namespace core
