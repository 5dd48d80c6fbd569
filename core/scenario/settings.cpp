// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/settings.h"

#include <algorithm>

namespace core {

namespace {

/// The place of `flag` among sorted entries.
template <typename Entries> auto placeOf(Entries& entries, std::string_view flag)
{
    return std::lower_bound(
        entries.begin(), entries.end(), flag,
        [](const Settings::Entry& entry, std::string_view name) { return entry.first.compare(name) < 0; });
}

} // namespace

const std::string* Settings::find(std::string_view flag) const
{
    const auto place = placeOf(m_entries, flag);
    return place != m_entries.end() && place->first == flag ? &place->second : nullptr;
}

void Settings::set(std::string_view flag, std::string value)
{
    const auto place = placeOf(m_entries, flag);
    if (place != m_entries.end() && place->first == flag)
        place->second = std::move(value);
    else
        m_entries.emplace(place, flag, std::move(value));
}

void Settings::erase(std::string_view flag)
{
    const auto place = placeOf(m_entries, flag);
    if (place != m_entries.end() && place->first == flag)
        m_entries.erase(place);
}

} // namespace core
