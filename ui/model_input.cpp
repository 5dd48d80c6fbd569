// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/model_input.h"

#include "core/readers/hub_name.h"
#include "core/text/text.h"
#include "ui/input_row.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace ui {

namespace {

constexpr int kCustom = -1; ///< Data of the entry for a model that is described by hand.
constexpr std::string_view kCustomId = "custom";

struct CustomField {
    const char* label;
    std::int64_t core::CustomModel::*value;
};
constexpr std::array kCustomFields{CustomField{QT_TR_NOOP("Layers"), &core::CustomModel::layers},
                                   CustomField{QT_TR_NOOP("Query heads"), &core::CustomModel::heads},
                                   CustomField{QT_TR_NOOP("KV heads"), &core::CustomModel::kvHeads},
                                   CustomField{QT_TR_NOOP("Head dim"), &core::CustomModel::headDim},
                                   CustomField{QT_TR_NOOP("Parameters"), &core::CustomModel::parameters}};

/// "org/name · Hugging Face"; a model in a folder of the user's with that folder.
QString localModelName(const core::readers::LocalModel& model)
{
    const std::string_view keeper = core::readers::name(model.keeper);
    const QString place = keeper.empty() ? QString::fromStdString(model.path.parent_path().filename().string())
                                         : QString::fromUtf8(keeper.data(), static_cast<qsizetype>(keeper.size()));
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(model.name), place);
}

/// "32 layers · 8 KV heads · head dim 128"; several kinds of layers are listed.
QString layoutText(const core::Model& model)
{
    if (model.groups.size() == 1 && model.groups.front().kind == core::CacheKind::Full) {
        const core::CacheGroup& group = model.groups.front();
        return ModelInput::tr("%1 layers · %2 KV heads · head dim %3")
            .arg(countText(model.layers), countText(group.kvHeads), countText(group.keyDim));
    }
    QStringList kinds;
    for (const core::CacheGroup& group : model.groups) {
        QString kind = ModelInput::tr("%1 %2").arg(countText(group.layers.count()),
                                                   QString::fromUtf8(core::id(group.kind).data()));
        if (group.kvHeads > 0)
            kind += ModelInput::tr(": %1 KV heads × %2").arg(countText(group.kvHeads), countText(group.keyDim));
        if (group.window > 0)
            kind += ModelInput::tr(", window %1").arg(countText(group.window));
        kinds << kind;
    }
    return ModelInput::tr("%1 layers: %2").arg(countText(model.layers), kinds.join(QStringLiteral("; ")));
}

} // namespace

ModelInput::ModelInput(const std::vector<core::Model>& models, QWidget* parent)
    : QWidget(parent),
      m_models(models),
      m_picker(new Picker(this)),
      m_issue(makeIssue(this, QStringLiteral("model"))),
      m_facts(makeCaption(this))
{
    auto* open = new QPushButton(tr("Open…"), this);
    open->setToolTip(tr("Open a config.json or a weight file"));
    open->setMinimumHeight(26);
    m_picker->setAccessibleName(tr("Model"));
    m_picker->setObjectName(QStringLiteral("model"));
    m_picker->setMinimumHeight(26);
    m_picker->setToolTip(tr("Type a part of the name; hf:ORG/NAME and Enter fetches a model from a hub"));
    m_facts->setObjectName(QStringLiteral("model-facts"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_picker, 1);
    row->addWidget(open);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    column->addLayout(row);
    column->addWidget(m_issue);
    column->addWidget(m_facts);
    addCustom(column);
    connect(m_picker, &QComboBox::activated, this, &ModelInput::choose);
    connect(m_picker, &Picker::otherEntered, this, [this](const QString& text) {
        if (core::readers::looksLikeHubName(text.toStdString()))
            emit nameTyped(text);
    });
    connect(open, &QPushButton::clicked, this, &ModelInput::openRequested);
}

/// The fields of a model described by hand; seen only while one is chosen.
void ModelInput::addCustom(QVBoxLayout* layout)
{
    m_custom = new QWidget(this);
    auto* column = new QVBoxLayout(m_custom);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    for (const CustomField& field : kCustomFields) {
        auto* box = new ValueBox(m_custom);
        box->setObjectName(QStringLiteral("custom-%1").arg(m_customBoxes.size()));
        addLabelled(column, tr(field.label), box);
        m_customBoxes.push_back(box);
        connect(box, &ValueBox::committed, this, [this, value = field.value](const QString& typed) {
            const auto count = core::parseCount(plainNumber(typed));
            if (!count)
                return showIssue(text(count.error().message));
            core::CustomModel changed = m_description;
            changed.*value = *count;
            describe(changed);
        });
    }
    layout->addWidget(m_custom);
}

void ModelInput::fill()
{
    const QSignalBlocker blocker(m_picker);
    m_picker->clear();
    for (const core::Model& model : m_models)
        m_picker->addItem(QString::fromStdString(model.name), m_picker->count());
    m_picker->addItem(tr("Custom model"), kCustom);
    fillLocalModels();
}

void ModelInput::setLocalModels(const std::vector<core::readers::LocalModel>& models)
{
    m_localModels = models;
    fillLocalModels();
}

/// Between the catalogue's models and the custom one. What is typed in the box meanwhile stays.
void ModelInput::fillLocalModels()
{
    const QSignalBlocker blocker(m_picker);
    const int first = static_cast<int>(m_models.size());
    for (int entry = m_picker->count() - 1; entry >= first; --entry) {
        if (m_picker->itemData(entry).typeId() == QMetaType::QString)
            m_picker->removeItem(entry);
    }
    int entry = first;
    for (const core::readers::LocalModel& model : m_localModels) {
        const QString path = QString::fromStdString(model.path.string());
        m_picker->insertItem(entry, localModelName(model), path);
        m_picker->setItemData(entry++, path, Qt::ToolTipRole);
    }
}

void ModelInput::showModel(const core::Model& model)
{
    const bool custom = model.id == kCustomId;
    m_custom->setVisible(custom);
    if (custom) {
        const core::CacheGroup& group = model.groups.front();
        m_description = {model.layers, group.queryHeads, group.kvHeads, group.keyDim, model.weights.parameters()};
        for (std::size_t i = 0; i < kCustomFields.size(); ++i)
            m_customBoxes[i]->showText(countText(m_description.*kCustomFields.at(i).value));
    }
    m_facts->setText(layoutText(model));
    holdBack(m_isHeldBack);
}

void ModelInput::showName(const core::Scenario& scenario)
{
    const core::Model& model = scenario.model;
    const auto found = std::ranges::find(m_models, model.id, &core::Model::id);
    const bool isListed = found != m_models.end() && !model.id.empty();
    const int entry = model.id == kCustomId ? m_picker->count() - 1
                      : isListed            ? static_cast<int>(found - m_models.begin())
                                            : -1;
    const QString name = QString::fromStdString(model.name);
    m_picker->showEntry(entry, scenario.kvHeads ? tr("%1 (edited)").arg(name) : name);
}

void ModelInput::holdBack(bool held)
{
    m_isHeldBack = held;
    m_facts->setVisible(!held && !m_facts->text().isEmpty());
}

void ModelInput::showIssue(const QString& issue)
{
    setTextIfNew(m_issue, issue);
}

void ModelInput::choose(int index)
{
    if (index < 0)
        return;
    const QVariant entry = m_picker->itemData(index);
    if (entry.typeId() == QMetaType::QString)
        emit fileChosen(entry.toString());
    else if (entry.toInt() == kCustom)
        describe(m_description);
    else
        emit chosen(m_models.at(static_cast<std::size_t>(entry.toInt())));
}

void ModelInput::describe(const core::CustomModel& description)
{
    const auto model = core::customModel(description);
    if (!model)
        return showIssue(text(model.error().message));
    showIssue({});
    m_description = description;
    emit described(*model);
}

} // namespace ui
