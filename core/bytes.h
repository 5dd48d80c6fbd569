// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>
#include <cstdint>
#include <limits>

namespace core {

/// A whole number of bytes. Sums and products that leave the 64-bit range stay at `tooMany()` instead of wrapping, so
/// a need that cannot be counted is larger than every capacity; `check` refuses a scenario whose total is `tooMany()`.
/// Negative values occur only as differences ("over by").
class Bytes {
public:
    constexpr Bytes() = default;
    constexpr explicit Bytes(std::int64_t count) : m_count(count) {}

    /// The value that stands for "more than 2^63 - 2 bytes".
    static constexpr Bytes tooMany() { return Bytes(std::numeric_limits<std::int64_t>::max()); }

    constexpr std::int64_t count() const { return m_count; }
    constexpr bool isTooMany() const { return m_count == tooMany().m_count; }

    friend constexpr Bytes operator+(Bytes a, Bytes b)
    {
        std::int64_t sum = 0;
        return a.isTooMany() || b.isTooMany() || __builtin_add_overflow(a.m_count, b.m_count, &sum) ? tooMany()
                                                                                                    : Bytes(sum);
    }
    /// `a - b`; `tooMany()` minus anything stays `tooMany()`.
    friend constexpr Bytes operator-(Bytes a, Bytes b)
    {
        std::int64_t difference = 0;
        return a.isTooMany() || __builtin_sub_overflow(a.m_count, b.m_count, &difference) ? tooMany()
                                                                                          : Bytes(difference);
    }
    /// `a * n` for n >= 0.
    friend constexpr Bytes operator*(Bytes a, std::int64_t n)
    {
        std::int64_t product = 0;
        const bool over = n != 0 && (a.isTooMany() || __builtin_mul_overflow(a.m_count, n, &product));
        return over ? tooMany() : Bytes(product);
    }
    constexpr Bytes& operator+=(Bytes other) { return *this = *this + other; }

    friend constexpr auto operator<=>(Bytes, Bytes) = default;

private:
    std::int64_t m_count = 0;
};

/// ceil(value · numerator / denominator) with a 128-bit product; value, numerator >= 0, denominator > 0.
Bytes scaledUp(Bytes value, std::int64_t numerator, std::int64_t denominator);

inline constexpr Bytes kib(std::int64_t n)
{
    return Bytes(1024) * n;
}
inline constexpr Bytes mib(std::int64_t n)
{
    return kib(1024) * n;
}
inline constexpr Bytes gib(std::int64_t n)
{
    return mib(1024) * n;
}

/// The same amount as a floating-point number of GiB (2^30 bytes), for charts only.
inline constexpr double toGib(Bytes value)
{
    return static_cast<double>(value.count()) / 1073741824.0;
}

} // namespace core
