// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/room.h"
#include "ui/theme.h"

#include <QApplication>
#include <QFontDatabase>
#include <QFontInfo>
#include <QTest>

#include <algorithm>
#include <cmath>

using ui::Role;
using ui::Theme;

namespace {

double linear(double channel)
{
    return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

/// Relative luminance, WCAG 2.2.
double luminance(const QColor& color)
{
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

/// Contrast ratio, WCAG 2.2: 1 to 21.
double contrast(const QColor& a, const QColor& b)
{
    const auto [dark, light] = std::minmax({luminance(a), luminance(b)});
    return (light + 0.05) / (dark + 0.05);
}

struct Pair {
    const char* name;
    Role front;
    Role back;
    double least;
};

constexpr double kText = 4.5; // WCAG 1.4.3
constexpr double kPart = 3.0; // WCAG 1.4.11

constexpr Pair kPairs[] = {
    {"text on page", Role::Text, Role::Page, kText},
    {"text on panel", Role::Text, Role::Panel, kText},
    {"captions on page", Role::Muted, Role::Page, kText},
    {"captions on panel", Role::Muted, Role::Panel, kText},
    {"fits, on the verdict's panel", Role::Good, Role::Panel, kText},
    {"over, on the verdict's panel", Role::Bad, Role::Panel, kText},
    {"out of memory, on page", Role::Bad, Role::Page, kText},
    {"free, on page", Role::Good, Role::Page, kText},
    {"chosen context, on page", Role::Accent, Role::Page, kText},
    {"slider on panel", Role::Accent, Role::Panel, kPart},
    {"weights", Role::Weights, Role::Page, kPart},
    {"cache", Role::Cache, Role::Page, kPart},
    {"waste", Role::Waste, Role::Page, kPart},
    {"overhead", Role::Overhead, Role::Page, kPart},
    {"reserve", Role::Reserve, Role::Page, kPart},
    {"total", Role::Total, Role::Page, kPart},
    {"capacity", Role::Capacity, Role::Page, kPart},
    {"selected text", Role::Page, Role::Accent, kText},
};

} // namespace

class TestTheme : public QObject {
    Q_OBJECT

private slots:
    void contrastItself()
    {
        QCOMPARE(qRound(contrast(Qt::black, Qt::white)), 21);             // by definition
        QCOMPARE(qRound(contrast(QColor(0x0072b2), Qt::white) * 10), 52); // Okabe-Ito blue on white: 5.2
    }

    void colors_data()
    {
        QTest::addColumn<bool>("dark");
        QTest::addColumn<int>("pair");
        for (const bool dark : {false, true}) {
            for (std::size_t i = 0; i < std::size(kPairs); ++i)
                QTest::addRow("%s, %s", kPairs[i].name, dark ? "dark" : "light") << dark << static_cast<int>(i);
        }
    }
    void colors()
    {
        QFETCH(const bool, dark);
        QFETCH(const int, pair);
        const Theme& theme = dark ? Theme::dark() : Theme::light();
        const Pair& colors = kPairs[pair];
        const double ratio = contrast(theme.color(colors.front), theme.color(colors.back));
        QVERIFY2(ratio >= colors.least, QByteArray::number(ratio));
    }

    void palettes()
    {
        for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
            const QPalette palette = theme->palette();
            QCOMPARE(&Theme::of(palette), theme); // a palette is recognised again
            const auto ratio = [&](QPalette::ColorRole front, QPalette::ColorRole back) {
                return contrast(palette.color(front), palette.color(back));
            };
            QVERIFY(ratio(QPalette::WindowText, QPalette::Window) >= kText);
            QVERIFY(ratio(QPalette::Text, QPalette::Base) >= kText);
            QVERIFY(ratio(QPalette::ButtonText, QPalette::Button) >= kText);
            QVERIFY(ratio(QPalette::ToolTipText, QPalette::ToolTipBase) >= kText);
            QVERIFY(ratio(QPalette::HighlightedText, QPalette::Highlight) >= kText);
            QVERIFY(ratio(QPalette::PlaceholderText, QPalette::Window) >= kText);
        }
        QVERIFY(Theme::dark().isDark() && !Theme::light().isDark());
    }

    void partsDiffer()
    {
        for (const Theme* theme : {&Theme::light(), &Theme::dark()}) {
            QVector<QRgb> seen;
            for (const Role part : {Role::Weights, Role::Cache, Role::Waste, Role::Overhead, Role::Reserve}) {
                QVERIFY(!seen.contains(theme->color(part).rgb()));
                seen.append(theme->color(part).rgb());
            }
        }
    }

    void fonts()
    {
        QVERIFY(!QFontDatabase::families().isEmpty()); // else nothing in these tests is drawn
        QVERIFY(ui::fontOf(ui::Type::Caption).pixelSize() >= 8);
        QVERIFY(ui::fontOf(ui::Type::Result).pixelSize() > ui::fontOf(ui::Type::Headline).pixelSize());
        QCOMPARE(ui::fontOf(ui::Type::Body, QFont::Bold).weight(), QFont::Bold);
        const QFont usual = QApplication::font();
        const int before = ui::fontOf(ui::Type::Body).pixelSize();
        QFont larger = usual;
        larger.setPixelSize(2 * QFontInfo(usual).pixelSize());
        QApplication::setFont(larger);
        QCOMPARE(ui::fontOf(ui::Type::Body).pixelSize(), 2 * before); // type follows the system's size
        QApplication::setFont(usual);
    }
};

ROOM_TEST(TestTheme, QApplication)
#include "test_theme.moc"
