// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme.h"

#include <QApplication>
#include <QFontInfo>
#include <QSettings>

namespace ui {

const Theme& Theme::light()
{
    static const Theme theme(false, {QColor(0xffffff), QColor(0xf4f5f7), QColor(0x1c2026), QColor(0x5b6470),
                                     QColor(0xd9dde3), QColor(0x0b66c3), QColor(0x137547), QColor(0xb42318),
                                     QColor(0x0072b2), QColor(0xd55e00), QColor(0xb4558f), QColor(0x8a6d3b),
                                     QColor(0x7a8593), QColor(0x3a4254), QColor(0x1c2026)});
    return theme;
}

const Theme& Theme::dark()
{
    static const Theme theme(true, {QColor(0x16191f), QColor(0x1e222a), QColor(0xe8eaee), QColor(0x9aa4b2),
                                    QColor(0x333a45), QColor(0x6db3ff), QColor(0x4ac08a), QColor(0xff7b6b),
                                    QColor(0x56b4e9), QColor(0xf08c4a), QColor(0xd68bb8), QColor(0xc9a86a),
                                    QColor(0x8b95a3), QColor(0xc4cad4), QColor(0xe8eaee)});
    return theme;
}

const Theme& Theme::of(const QPalette& palette)
{
    return palette.color(QPalette::Window).lightness() < 128 ? dark() : light();
}

const Theme* Theme::chosen()
{
    const QString name = QSettings().value(QStringLiteral("theme")).toString();
    if (name == QLatin1String("dark"))
        return &dark();
    return name == QLatin1String("light") ? &light() : nullptr;
}

void Theme::choose(const Theme* theme)
{
    const QString name = theme == nullptr ? QString() : QLatin1String(theme->isDark() ? "dark" : "light");
    QSettings().setValue(QStringLiteral("theme"), name);
    apply();
}

void Theme::apply()
{
    const Theme* theme = chosen();
    if (theme == nullptr) {
        QApplication::setPalette(QPalette()); // the system's
        theme = &of(QApplication::palette());
    }
    QApplication::setPalette(theme->palette());
}

QPalette Theme::palette() const
{
    QPalette palette;
    palette.setColor(QPalette::Window, color(Role::Panel));
    palette.setColor(QPalette::Base, color(Role::Page));
    palette.setColor(QPalette::AlternateBase, color(Role::Panel));
    palette.setColor(QPalette::Button, m_dark ? color(Role::Panel).lighter(130) : color(Role::Page));
    palette.setColor(QPalette::ToolTipBase, color(Role::Panel));
    palette.setColor(QPalette::Mid, color(Role::Grid));
    palette.setColor(QPalette::Highlight, color(Role::Accent));
    palette.setColor(QPalette::HighlightedText, color(Role::Page));
    palette.setColor(QPalette::Link, color(Role::Accent));
    for (const QPalette::ColorRole role :
         {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::ToolTipText})
        palette.setColor(role, color(Role::Text));
    palette.setColor(kBadText, color(Role::Bad));
    palette.setColor(QPalette::PlaceholderText, color(Role::Muted));
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(Role::Muted));
    return palette;
}

QFont fontOf(Type type, QFont::Weight weight)
{
    static constexpr double kDefaultPixels = 13.0;
    QFont result = QApplication::font();
    const double base = QFontInfo(result).pixelSize();
    result.setPixelSize(qMax(8, qRound(static_cast<int>(type) * qMax(base, 9.0) / kDefaultPixels)));
    result.setWeight(weight);
    return result;
}

} // namespace ui
