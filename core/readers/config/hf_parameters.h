// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <limits>

namespace core::readers {

/// A number of parameters that stays at the largest number instead of wrapping.
class Parameters {
public:
    Parameters(std::int64_t count = 0) : m_count(count) {} // numbers of the file enter formulas as they are

    std::int64_t count() const { return m_count; }
    friend Parameters operator+(Parameters a, Parameters b)
    {
        std::int64_t sum = 0;
        return __builtin_add_overflow(a.m_count, b.m_count, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
    }
    friend Parameters operator*(Parameters a, Parameters b)
    {
        std::int64_t product = 0;
        return __builtin_mul_overflow(a.m_count, b.m_count, &product) ? std::numeric_limits<std::int64_t>::max()
                                                                      : product;
    }
    Parameters& operator+=(Parameters other) { return *this = *this + other; }

private:
    std::int64_t m_count;
};

} // namespace core::readers
