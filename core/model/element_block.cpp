// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/element_block.h"

namespace core {

ElementBlock blockOf(KvFormat format)
{
    constexpr std::int64_t kShown = 32;
    const KvFormatInfo& row = info(format);
    const std::int64_t times = row.blockElements > 1 && row.blockElements < kShown ? kShown / row.blockElements : 1;
    return {row.blockElements * times, row.blockBytes * times};
}

} // namespace core
