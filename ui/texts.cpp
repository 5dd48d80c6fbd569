// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/texts.h"

#include <QCoreApplication>
#include <QLocale>
#include <QSettings>

namespace ui {

namespace {

constexpr QLatin1String kUnitKey("sizeUnit");

core::Unit shownUnit = core::Unit::Binary;

} // namespace

core::Unit sizeUnit()
{
    return shownUnit;
}

void setSizeUnit(core::Unit unit)
{
    shownUnit = unit;
}

void chooseSizeUnit(core::Unit unit)
{
    QSettings().setValue(kUnitKey, QLatin1String(unit == core::Unit::Decimal ? "GB" : "GiB"));
    setSizeUnit(unit);
}

void restoreSizeUnit()
{
    setSizeUnit(QSettings().value(kUnitKey).toString() == QLatin1String("GB") ? core::Unit::Decimal
                                                                              : core::Unit::Binary);
}

core::NumberStyle numberStyle()
{
    const QLocale locale;
    return {locale.decimalPoint().toStdString(), locale.groupSeparator().toStdString(), sizeUnit()};
}

QString text(const core::Message& message)
{
    const std::string source(message.text);
    const std::string translated = QCoreApplication::translate("core", source.c_str()).toStdString();
    return QString::fromStdString(core::formatMessage(translated, message.args, numberStyle()));
}

QString countText(std::int64_t count)
{
    return QString::fromStdString(core::formatCount(count, numberStyle()));
}

QString tokensText(std::int64_t tokens)
{
    return QString::fromStdString(core::formatTokens(tokens, numberStyle()));
}

QString bytesText(core::Bytes bytes)
{
    return QString::fromStdString(core::formatBytes(bytes, sizeUnit(), numberStyle()));
}

QString shortText(core::Bytes bytes, core::Unit unit)
{
    return QString::fromStdString(core::formatShort(bytes, unit, numberStyle()));
}

std::string plainNumber(const QString& typed)
{
    const QLocale locale;
    QString plain = typed.trimmed();
    if (locale.decimalPoint() != QLatin1String(".")) {
        plain.remove(locale.groupSeparator());
        plain.replace(locale.decimalPoint(), QLatin1String("."));
    }
    return plain.toStdString();
}

} // namespace ui
