// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/appearance.h"

#include "ui/texts.h"
#include "ui/theme.h"

#include <QActionGroup>
#include <QCoreApplication>
#include <QMenu>

#include <vector>

namespace ui {

namespace {

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::Appearance", text);
}

struct MenuChoice {
    QString name;
    std::function<void()> choose;
};

/// Adds entries of which one is checked: at first the one at `current`.
void addChoices(QMenu& menu, const std::vector<MenuChoice>& choices, std::size_t current)
{
    auto* group = new QActionGroup(&menu);
    for (std::size_t i = 0; i < choices.size(); ++i) {
        QAction* action = menu.addAction(choices[i].name, choices[i].choose);
        action->setCheckable(true);
        action->setChecked(i == current);
        group->addAction(action);
    }
}

} // namespace

void addAppearance(QMenu& menu, const std::function<void()>& unitChosen)
{
    const auto choose = [unitChosen](core::Unit unit) {
        chooseSizeUnit(unit);
        unitChosen();
    };
    addChoices(menu,
               {{tr("Sizes in G&iB"), [choose] { choose(core::Unit::Binary); }},
                {tr("Sizes in G&B"), [choose] { choose(core::Unit::Decimal); }}},
               sizeUnit() == core::Unit::Binary ? 0 : 1);
    menu.addSeparator();
    const Theme* theme = Theme::chosen();
    addChoices(menu,
               {{tr("Follow the &system's colours"), [] { Theme::choose(nullptr); }},
                {tr("Li&ght"), [] { Theme::choose(&Theme::light()); }},
                {tr("Dar&k"), [] { Theme::choose(&Theme::dark()); }}},
               theme == nullptr ? 0 : (theme->isDark() ? 2 : 1));
}

} // namespace ui
