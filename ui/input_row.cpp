// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/input_row.h"

#include "core/engines/engine.h"
#include "core/engines/parallel.h"
#include "ui/count_slider.h"
#include "ui/input_choices.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <limits>

namespace ui {

namespace {

constexpr int kSliderContext = 1'048'576;
constexpr int kSliderBatch = 1'024;

QString valueText(const std::optional<core::Value>& value)
{
    if (!value)
        return {};
    if (const auto* bytes = std::get_if<core::Bytes>(&*value))
        return bytesText(*bytes);
    if (const auto* percent = std::get_if<core::Percent>(&*value))
        return QString::fromStdString(core::formatPercent(*percent, numberStyle()));
    if (const auto* word = std::get_if<std::string>(&*value))
        return QString::fromStdString(*word);
    return countText(std::get<std::int64_t>(*value));
}

/// Moves the slider to the value, or to its end when the value lies beyond.
void moveSlider(CountSlider* slider, std::int64_t value)
{
    const QSignalBlocker blocker(slider);
    slider->setValue(static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max())));
}

/// What counts while nothing is typed. The memory of a pool is known only when it is evaluated.
QString placeholderOf(core::Field field, const core::Scenario& scenario)
{
    const core::engines::Engine& engine = core::engines::engine(scenario.engine);
    const auto ranks = [&](std::int64_t otherwise) {
        const bool divides = scenario.hardware.parallel.isTyped() || engine.takesTensor;
        return divides ? countText(otherwise) : InputRow::tr("pooled");
    };
    switch (field) {
    case core::Field::MaxContext:
        return countText(scenario.workload.context);
    case core::Field::EngineVersion:
        return QString::fromUtf8(engine.newest.data(), static_cast<qsizetype>(engine.newest.size()));
    case core::Field::Tensor:
        return ranks(core::engines::spreadOf(scenario).tensor);
    case core::Field::Pipeline:
        return ranks(core::engines::spreadOf(scenario).pipeline);
    case core::Field::Data:
        return ranks(core::engines::spreadOf(scenario).replicas);
    default:
        return {};
    }
}

} // namespace

InputRow::InputRow(const core::Input& input, QWidget* parent) : QWidget(parent), m_input(input), m_editor(makeEditor())
{
    const QString id = QString::fromUtf8(input.id.data(), static_cast<qsizetype>(input.id.size()));
    m_editor->setObjectName(id);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    m_label = addLabelled(column, text({input.label, {}}), m_editor);
    if (!input.tip.empty()) {
        m_editor->setToolTip(text({input.tip, {}}));
        m_editor->setAccessibleDescription(m_editor->toolTip());
    }
    if (input.field == core::Field::Context || input.field == core::Field::Batch)
        addSlider(column);
    column->addWidget(m_issue = makeIssue(this, id));
}

QWidget* InputRow::makeEditor()
{
    QComboBox* list = nullptr;
    if (m_input.field == core::Field::Gpu) {
        list = new Picker(this);
    } else if (hasChoices(m_input.field)) {
        list = new Choice(this);
        fillChoices(*list, m_input.field);
    }
    if (list != nullptr) {
        connect(list, &QComboBox::activated, this, &InputRow::chosen);
        return list;
    }
    auto* box = new ValueBox(this);
    connect(box, &ValueBox::committed, this, &InputRow::typed);
    return box;
}

void InputRow::addSlider(QVBoxLayout* column)
{
    const bool isContext = m_input.field == core::Field::Context;
    m_range = makeCaption(this);
    if (!isContext)
        m_range->setText(tr("1 to %1").arg(countText(kSliderBatch)));
    m_slider = isContext ? new CountSlider(256, kSliderContext, tr("%L1 tokens"), this)
                         : new CountSlider(1, kSliderBatch, tr("%L1 requests"), this);
    m_slider->setAccessibleName(m_label->text());
    m_slider->setObjectName(m_editor->objectName() + QStringLiteral("-slider"));
    column->addWidget(m_slider);
    column->addWidget(m_range);
    connect(m_slider, &CountSlider::valueChanged, this, &InputRow::slid);
    connect(m_slider, &CountSlider::sliderPressed, this, &InputRow::gestureStarted);
    connect(m_slider, &CountSlider::sliderReleased, this, &InputRow::gestureEnded);
}

void InputRow::showValue(const core::Scenario& scenario)
{
    m_label->setText(text(core::label(m_input, scenario)));
    m_editor->setAccessibleName(m_label->text());
    if (hasChoices(m_input.field))
        return showChoice(static_cast<QComboBox&>(*m_editor), m_input.field, scenario);
    auto* box = qobject_cast<ValueBox*>(m_editor);
    if (box == nullptr)
        return;
    const std::optional<core::Value> value = m_input.place.get(scenario);
    if (m_input.field != core::Field::CacheMemory)
        box->setPlaceholderText(placeholderOf(m_input.field, scenario));
    box->showText(valueText(value));
    if (m_slider != nullptr)
        moveSlider(m_slider, std::get<std::int64_t>(*value));
}

void InputRow::showModel(const core::Model& model)
{
    if (m_input.field == core::Field::KvHeads)
        fillKvHeads(static_cast<QComboBox&>(*m_editor), model);
    if (m_input.field != core::Field::Context)
        return;
    const std::int64_t trained = model.maxContext.value_or(0);
    const QSignalBlocker blocker(m_slider); // a shorter slider does not shorten the context
    m_slider->setLandmark(static_cast<int>(std::min(trained, core::kMaxContext)));
    const QString end = tokensText(m_slider->maximum());
    setTextIfNew(m_range, trained > 0 ? tr("256 to %1; trained for %2").arg(end, tokensText(trained))
                                      : tr("256 to %1").arg(end));
}

void InputRow::showIssue(const QString& issue)
{
    setTextIfNew(m_issue, issue);
}

void InputRow::setPlaceholder(const QString& text)
{
    if (auto* box = qobject_cast<ValueBox*>(m_editor))
        box->setPlaceholderText(text);
}

void InputRow::choose(core::Scenario& scenario, int entry) const
{
    ui::choose(scenario, m_input.field, static_cast<QComboBox&>(*m_editor), entry);
}

QLabel* makeCaption(QWidget* parent)
{
    auto* label = new QLabel(parent);
    label->setFont(fontOf(Type::Caption));
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    return label;
}

QLabel* makeIssue(QWidget* parent, const QString& id)
{
    QLabel* issue = makeCaption(parent);
    issue->setObjectName(QStringLiteral("issue-") + id);
    issue->setForegroundRole(kBadText);
    issue->hide();
    return issue;
}

QLabel* addLabelled(QVBoxLayout* layout, const QString& label, QWidget* editor)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(2 * kSpace);
    auto* name = new QLabel(label, editor->parentWidget());
    name->setFont(fontOf(Type::Label));
    name->setBuddy(editor);
    editor->setAccessibleName(label);
    editor->setMinimumHeight(26);
    row->addWidget(name);
    if (qobject_cast<ValueBox*>(editor) != nullptr) {
        row->addStretch();
        row->addWidget(editor);
        editor->setFixedWidth(104);
    } else {
        row->addWidget(editor, 1);
        name->setMinimumWidth(64);
    }
    layout->addLayout(row);
    return name;
}

void setTextIfNew(QLabel* label, const QString& text)
{
    if (label->text() != text)
        label->setText(text);
    label->setVisible(!text.isEmpty());
}

} // namespace ui
