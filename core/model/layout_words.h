// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/cache_group.h"
#include "core/text/message.h"

namespace core {

/// What one layer of the group keeps: "full attention", "attention over the last 1,024 tokens", ….
Message kindInWords(const CacheGroup& group);

/// The number of entries that one layer keeps of t tokens, as the law is written: "t", "min(t, 1,024)", ….
Message entryLaw(const CacheGroup& group);

} // namespace core
