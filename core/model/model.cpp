// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/model.h"

#include <algorithm>
#include <array>

namespace core {

namespace {

constexpr std::array<std::string_view, 4> kHowIds{"read", "derived", "default", "typed"};

} // namespace

std::string_view id(How how)
{
    return kHowIds.at(static_cast<std::size_t>(how));
}

std::optional<How> how(std::string_view id)
{
    const auto found = std::ranges::find(kHowIds, id);
    if (found == kHowIds.end())
        return std::nullopt;
    return static_cast<How>(found - kHowIds.begin());
}

const Provenance* provenanceOf(const Model& model, std::string_view field)
{
    const auto found = std::ranges::find(model.provenance, field, &Provenance::field);
    return found == model.provenance.end() ? nullptr : &*found;
}

bool keeps(const Model& model, CacheKind kind)
{
    return std::ranges::find(model.groups, kind, &CacheGroup::kind) != model.groups.end();
}

bool keepsHeads(const Model& model)
{
    return std::ranges::any_of(model.groups, hasHeads, &CacheGroup::kind);
}

} // namespace core
