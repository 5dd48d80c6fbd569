// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/format.h"
#include "core/message.h"

#include <QString>

#include <cstdint>

namespace ui {

/// Decimal point and grouping of the default locale.
core::NumberStyle numberStyle();

/// A message of core in the user's language, its numbers by the locale.
QString text(const core::Message& message);

QString countText(std::int64_t count);                                      ///< "8,192"
QString tokensText(std::int64_t tokens);                                    ///< "8K"
QString bytesText(core::Bytes bytes);                                       ///< "14.96 GiB"
QString shortText(core::Bytes bytes, core::Unit unit = core::Unit::Binary); ///< "4.00 GiB"

/// The error of core::parse… functions takes plain English digits: the locale's grouping and decimal point replaced.
std::string plainNumber(const QString& typed);

} // namespace ui
