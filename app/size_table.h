// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"

#include <string>

namespace app {

/// `size --csv`: a header line with units in the names, one row; whole bytes, dot decimals; empty where nothing
/// applies.
std::string sizeCsv(const core::Evaluation& evaluation);

/// `size --markdown`: the memory by part as a table, sizes in GiB, GB and bytes, and the verdict below.
std::string sizeMarkdown(const core::Evaluation& evaluation);

} // namespace app
