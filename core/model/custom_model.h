// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/text/result.h"

#include <cstdint>

namespace core {

/// A plain decoder described by hand.
struct CustomModel {
    std::int64_t layers = 32;
    std::int64_t heads = 32;  ///< query heads
    std::int64_t kvHeads = 8; ///< as many as `heads` is MHA, 1 is MQA
    std::int64_t headDim = 128;
    std::int64_t parameters = 8'000'000'000; ///< 0: unknown

    friend bool operator==(const CustomModel&, const CustomModel&) = default;
};

/// The model of that description, with every value's provenance "typed". Errors: a number out of range (layers to
/// 65,535, heads and dimension to 1,048,576, parameters to 10^15), KV heads that the heads cannot share evenly.
Result<Model> customModel(const CustomModel& description);

} // namespace core
