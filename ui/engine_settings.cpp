// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/engine_settings.h"

#include "core/engines/engine.h"
#include "core/text/text.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/value_box.h"

#include <QGridLayout>
#include <QLabel>

#include <algorithm>

namespace ui {

namespace {

using core::engines::Setting;
using core::engines::SettingType;

constexpr int kEditorWidth = 84;

QString view(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

bool isList(const Setting& setting)
{
    return setting.type == SettingType::Switch || setting.type == SettingType::Choice;
}

QStringList wordsOf(const Setting& setting)
{
    QStringList words = view(setting.words).split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (setting.type == SettingType::Switch)
        words << QStringLiteral("off") << QStringLiteral("on");
    return words;
}

/// A flag as it is typed; an estimate, which is no flag of the engine, in words.
QString titleOf(const Setting& setting)
{
    if (!setting.estimate)
        return QStringLiteral("--") + view(setting.flag);
    QString name = view(setting.flag).replace(QLatin1Char('-'), QLatin1Char(' '));
    name.replace(0, 1, name.left(1).toUpper());
    return EngineSettings::tr("%1, estimate").arg(name);
}

/// Typed text as the engine's flag takes it: "4K" and "4,096" are 4096.
QString writtenOut(SettingType type, const QString& typed)
{
    if (type != SettingType::Count && type != SettingType::Size)
        return typed.trimmed();
    const std::string plain = plainNumber(typed);
    const core::Result<std::int64_t> count = core::parseCount(plain);
    return QString::fromStdString(type == SettingType::Count && count ? std::to_string(*count) : plain).trimmed();
}

} // namespace

EngineSettings::EngineSettings(QWidget* parent) : QWidget(parent), m_grid(new QGridLayout(this))
{
    m_grid->setContentsMargins(0, 0, 0, 0);
    m_grid->setHorizontalSpacing(2 * kSpace);
    m_grid->setVerticalSpacing(kSpace);
    m_grid->setColumnStretch(0, 1);
}

void EngineSettings::build(core::EngineId engine)
{
    m_engine = engine;
    m_rows.clear();
    while (QLayoutItem* item = m_grid->takeAt(0)) {
        item->widget()->hide();
        item->widget()->deleteLater(); // its signal may be what led here
        delete item;
    }
    for (const Setting& setting : core::engines::settings(engine)) {
        const QString flag = view(setting.flag);
        const QString help = text(core::Message{setting.help, {}});
        QWidget* editor = nullptr;
        if (isList(setting)) {
            auto* list = new Choice(this);
            list->addItems(wordsOf(setting));
            connect(list, &QComboBox::activated, this,
                    [this, flag, list](int row) { emit edited(flag, list->itemText(row)); });
            editor = list;
        } else {
            auto* box = new ValueBox(this);
            connect(box, &ValueBox::committed, this, [this, flag, type = setting.type](const QString& value) {
                emit edited(flag, writtenOut(type, value));
            });
            editor = box;
        }
        editor->setObjectName(flag);
        editor->setAccessibleName(titleOf(setting));
        editor->setAccessibleDescription(help);
        editor->setToolTip(help);
        editor->setMinimumHeight(26);
        editor->setFixedWidth(kEditorWidth);
        auto* title = new QLabel(titleOf(setting), this);
        title->setFont(fontOf(Type::Label));
        title->setWordWrap(true);
        title->setToolTip(help);
        title->setBuddy(editor);
        auto* issue = new QLabel(this);
        issue->setObjectName(QStringLiteral("issue-") + flag);
        issue->setFont(fontOf(Type::Caption));
        issue->setForegroundRole(kBadText);
        issue->setWordWrap(true);
        issue->hide();
        const int row = m_grid->rowCount();
        m_grid->addWidget(title, row, 0);
        m_grid->addWidget(editor, row, 1);
        m_grid->addWidget(issue, row + 1, 0, 1, 2);
        m_rows.push_back({flag, title, editor, issue});
    }
}

void EngineSettings::show(const core::Scenario& scenario)
{
    if (m_engine != scenario.engine)
        build(scenario.engine);
    for (const Row& row : m_rows) {
        const Setting& setting = *core::engines::find(core::engines::settings(scenario.engine), row.flag.toStdString());
        const QString standard = view(valueOf(setting, {}, scenario.engineVersion));
        const std::string* typed = scenario.settings.find(setting.flag);
        const QString value = typed != nullptr ? QString::fromStdString(*typed) : QString();
        const bool seen = typed != nullptr || setting.matters == nullptr || setting.matters(scenario);
        row.title->setVisible(seen);
        row.editor->setVisible(seen);
        if (auto* list = qobject_cast<Choice*>(row.editor)) {
            list->setCurrentText(typed != nullptr ? value : standard);
        } else if (auto* box = qobject_cast<ValueBox*>(row.editor)) {
            box->setPlaceholderText(standard);
            box->showText(value);
        }
    }
}

void EngineSettings::showIssues(const std::vector<core::Issue>& issues)
{
    for (const Row& row : m_rows) {
        const auto found = std::ranges::find_if(issues, [&](const core::Issue& issue) {
            return issue.field == core::Field::Setting && QString::fromStdString(issue.setting) == row.flag;
        });
        row.issue->setText(found == issues.end() ? QString() : text(found->message));
        row.issue->setVisible(found != issues.end());
    }
}

} // namespace ui
