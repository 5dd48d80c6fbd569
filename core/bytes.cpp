// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/bytes.h"

namespace core {

Bytes scaledUp(Bytes value, std::int64_t numerator, std::int64_t denominator)
{
    __extension__ using Wide = __int128;
    if (value.isTooMany())
        return value;
    const Wide product = static_cast<Wide>(value.count()) * numerator;
    const Wide quotient = (product + denominator - 1) / denominator;
    return quotient >= Bytes::tooMany().count() ? Bytes::tooMany() : Bytes(static_cast<std::int64_t>(quotient));
}

} // namespace core
