// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/reservation.h"

#include <algorithm>

namespace core::engines {

const CachePart* Reservation::cache(std::string_view kind) const
{
    const auto found = std::ranges::find(caches(), kind, &CachePart::kind);
    return found == caches().end() ? nullptr : &*found;
}

Bytes Reservation::weights() const
{
    Bytes sum = host ? host->weights : Bytes();
    for (const DeviceShare& share : shares())
        sum += share.weights;
    return sum;
}

Bytes Reservation::used() const
{
    Bytes sum = host ? host->used : Bytes();
    for (const DeviceShare& share : shares())
        sum += share.used;
    return sum;
}

Waste Reservation::waste() const
{
    Waste sum = host ? host->waste : Waste();
    for (const DeviceShare& share : shares()) {
        for (std::size_t cause = 0; cause < kWasteCauses; ++cause)
            sum.byCause[cause] += share.waste.byCause[cause];
    }
    return sum;
}

} // namespace core::engines
