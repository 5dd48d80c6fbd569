// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/format.h"
#include "core/text/message.h"

#include <QString>

#include <cstdint>

namespace ui {

/// The unit of all sizes on the screen: GiB unless set. No byte value depends on it; what is shown has to be shown
/// anew.
core::Unit sizeUnit();
void setSizeUnit(core::Unit unit);
void chooseSizeUnit(core::Unit unit); ///< now and at the next start
void restoreSizeUnit();               ///< as it was chosen last

/// Decimal point and grouping of the default locale, and the chosen unit.
core::NumberStyle numberStyle();

/// A message of core in the user's language, its numbers by the locale.
QString text(const core::Message& message);

QString countText(std::int64_t count);                 ///< "8,192"
QString tokensText(std::int64_t tokens);               ///< "8K"
QString bytesText(core::Bytes bytes);                  ///< "14.96 GiB"
QString shortText(core::Bytes bytes, core::Unit unit); ///< "4.00 GiB"

/// The error of core::parse… functions takes plain English digits: the locale's grouping and decimal point replaced.
std::string plainNumber(const QString& typed);

} // namespace ui
