// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/weights.h"
#include "core/readers/config/hf_parameters.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// Tensors of a weight file, added up by part and type.
class TensorSums {
public:
    /// `types` are the names of the types, by number.
    explicit TensorSums(std::vector<std::string_view> types);

    void add(WeightPart part, std::size_t type, std::int64_t parameters, std::int64_t bytes);

    /// What was added of one part: parameters and bytes of all types.
    std::int64_t parameters(WeightPart part) const;
    Bytes bytes(WeightPart part) const;
    bool empty() const { return m_count == 0; }

    /// The weights: parts and stored tensors, as stored; drafts are stored but are no part. Nothing where no tensor has
    /// parameters. Refuses, naming `file`, there are more parameters or bytes than any model has.
    Weights weights(std::string_view file) const;

private:
    struct Sum {
        std::int64_t tensors = 0;
        Parameters parameters;
        Bytes bytes;
    };
    /// Adds a row for each type of `part`, listed as another part where it has no parameters.
    void addStored(std::vector<StoredTensors>& stored, WeightPart listed, WeightPart part) const;

    static constexpr std::size_t kParts = static_cast<std::size_t>(WeightPart::Draft) + 1;

    std::vector<std::string_view> m_types;
    std::array<std::vector<Sum>, kParts> m_sums;
    std::int64_t m_count = 0;
};

} // namespace core::readers
