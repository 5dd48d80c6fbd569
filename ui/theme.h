// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>

#include <array>

namespace ui {

/// What a colour stands for. Parts of memory have the same colour in every view.
enum class Role {
    Page,  ///< behind charts and text
    Panel, ///< behind inputs
    Text,
    Muted, ///< captions, axis labels
    Grid,
    Accent, ///< what the user moves: sliders, the chosen context
    Good,   ///< verdict: fits
    Bad,    ///< verdict: over
    Weights,
    Cache,
    Waste,
    Overhead,
    Reserve,
    Total,
    Capacity,
};

/// The one table of colours, light or dark, and the one type scale.
class Theme {
public:
    static const Theme& light();
    static const Theme& dark();
    /// The theme that was chosen in the menu; nullptr: the one that the system's palette asks for.
    static const Theme* chosen();
    /// Shows everything in this theme (nullptr: the system's), now and at the next start.
    static void choose(const Theme* theme);
    /// Shows everything in the chosen theme; again where the system's palette has changed.
    static void apply();
    /// The theme that a palette asks for: dark when its window colour is.
    static const Theme& of(const QPalette& palette);

    QColor color(Role role) const { return m_colors.at(static_cast<std::size_t>(role)); }
    bool isDark() const { return m_dark; }

    /// A palette for all widgets in this theme's colours.
    QPalette palette() const;

private:
    using Colors = std::array<QColor, 15>;
    Theme(bool dark, const Colors& colors) : m_dark(dark), m_colors(colors) {}

    bool m_dark;
    Colors m_colors;
};

/// The role of a palette in which words stand in `Role::Bad`, whatever the theme.
inline constexpr QPalette::ColorRole kBadText = QPalette::BrightText;

/// Sizes of type in pixels at the default font; larger when the application's font is.
enum class Type { Caption = 11, Label = 12, Body = 13, Headline = 14, Result = 19 };

/// The application's font in a size of the type scale.
QFont fontOf(Type type, QFont::Weight weight = QFont::Normal);

/// The unit of space; margins and gaps are multiples of it.
inline constexpr int kSpace = 4;

/// The opacity of a result that is no longer of the inputs; its words and tables are disabled.
inline constexpr double kFaded = 0.35;

} // namespace ui
