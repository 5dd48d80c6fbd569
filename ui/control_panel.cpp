// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/control_panel.h"

#include "core/engines/engine.h"
#include "ui/count_slider.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

namespace {

constexpr int kWidth = 288;
constexpr int kCustom = -1; ///< data of an entry that is not in the catalogue

/// "org/name · Hugging Face"; a model in a folder of the user's with that folder.
QString localModelName(const core::readers::LocalModel& model)
{
    const std::string_view keeper = core::readers::name(model.keeper);
    const QString place = keeper.empty() ? QString::fromStdString(model.path.parent_path().filename().string())
                                         : QString::fromUtf8(keeper.data(), static_cast<qsizetype>(keeper.size()));
    return QStringLiteral("%1 · %2").arg(QString::fromStdString(model.name), place);
}

} // namespace

void ControlPanel::publish(const std::function<void(core::Scenario&)>& change)
{
    core::Scenario next = m_scenario;
    change(next);
    if (next != m_scenario)
        emit edited(next);
}

ControlPanel::ControlPanel(const Catalogue& catalogue, QWidget* parent) : QScrollArea(parent), m_catalogue(catalogue)
{
    auto* content = new QWidget(this);
    auto* layout = new QVBoxLayout(content);
    layout->setContentsMargins(4 * kSpace, 3 * kSpace, 4 * kSpace, 3 * kSpace);
    layout->setSpacing(kSpace);
    addModel(layout);
    addWorkload(layout);
    addCache(layout);
    addHardware(layout);
    addEngine(layout);
    fillPickers();
    layout->addStretch();
    setWidget(content);
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    const int scrollBar = style()->pixelMetric(QStyle::PM_ScrollBarExtent) + 2 * frameWidth();
    setFixedWidth(std::max(kWidth, content->minimumSizeHint().width() + scrollBar));
    setFocusPolicy(Qt::NoFocus);
}

void ControlPanel::fillPickers()
{
    QStringList models;
    for (const core::Model& model : m_catalogue.models)
        models << QString::fromStdString(model.name);
    QStringList gpus{tr("No GPU")};
    for (const core::Gpu& gpu : m_catalogue.gpus)
        gpus << QString::fromStdString(gpu.name);
    const QSignalBlocker modelBlocker(m_model);
    const QSignalBlocker gpuBlocker(m_gpu);
    m_model->clear();
    m_model->addItems(models);
    for (int entry = 0; entry < m_model->count(); ++entry)
        m_model->setItemData(entry, entry);
    m_model->addItem(tr("Custom model"), kCustom);
    fillLocalModels();
    m_gpu->clear();
    m_gpu->addItems(gpus);
    if (m_scenario.model.layers > 0) {
        showModelName();
        showHardware();
        showLocks();
    }
}

void ControlPanel::setLocalModels(const std::vector<core::readers::LocalModel>& models)
{
    m_localModels = models;
    fillLocalModels();
}

/// Between the catalogue's models and the custom one. What is typed in the box meanwhile stays.
void ControlPanel::fillLocalModels()
{
    const QSignalBlocker blocker(m_model);
    const int first = static_cast<int>(m_catalogue.models.size());
    for (int entry = m_model->count() - 1; entry >= first; --entry) {
        if (m_model->itemData(entry).typeId() == QMetaType::QString)
            m_model->removeItem(entry);
    }
    int entry = first;
    for (const core::readers::LocalModel& model : m_localModels) {
        const QString path = QString::fromStdString(model.path.string());
        m_model->insertItem(entry, localModelName(model), path);
        m_model->setItemData(entry++, path, Qt::ToolTipRole);
    }
}

QLabel* ControlPanel::caption()
{
    auto* label = new QLabel(this);
    label->setFont(fontOf(Type::Caption));
    label->setForegroundRole(QPalette::PlaceholderText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    label->setWordWrap(true);
    return label;
}

void ControlPanel::addTitle(QVBoxLayout* layout, const QString& title)
{
    auto* label = new QLabel(title.toUpper(), widget());
    label->setFont(fontOf(Type::Caption, QFont::DemiBold));
    label->setForegroundRole(QPalette::PlaceholderText);
    if (layout->count() > 0)
        layout->addSpacing(2 * kSpace);
    layout->addWidget(label);
    m_title = label;
}

QVBoxLayout* ControlPanel::addInput(QVBoxLayout* layout, core::Field field)
{
    auto* row = new QWidget(widget());
    auto* column = new QVBoxLayout(row);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    layout->addWidget(row);
    m_inputs.push_back({field, row, m_title});
    return column;
}

void ControlPanel::setLock(Lock lock)
{
    m_lock = std::move(lock);
    showLocks();
    showHeldBack();
    updateGeometry();
}

QSize ControlPanel::sizeHint() const
{
    if (!m_lock.hide)
        return QScrollArea::sizeHint(); // nobody asks for less
    const QLayout& layout = *widget()->layout();
    return {width(), layout.hasHeightForWidth() ? layout.totalHeightForWidth(viewport()->width())
                                                : layout.totalSizeHint().height()};
}

void ControlPanel::addIssue(QVBoxLayout* layout, core::Field field)
{
    auto* issue = caption();
    issue->setObjectName(QStringLiteral("issue-") + QString::fromUtf8(core::id(field).data()));
    issue->setForegroundRole(kBadText);
    issue->hide();
    layout->addWidget(issue);
    m_issues.insert(static_cast<int>(field), issue);
}

QLabel* ControlPanel::addField(QVBoxLayout* layout, core::Field field, const QString& label, QWidget* editor)
{
    editor->setObjectName(QString::fromUtf8(core::id(field).data()));
    QVBoxLayout* column = addInput(layout, field);
    QLabel* title = addRow(column, label, editor);
    addIssue(column, field);
    return title;
}

QLabel* ControlPanel::addRow(QVBoxLayout* layout, const QString& label, QWidget* editor)
{
    auto* row = new QHBoxLayout;
    row->setSpacing(2 * kSpace);
    auto* name = new QLabel(label, widget());
    name->setFont(fontOf(Type::Label));
    name->setBuddy(editor);
    editor->setAccessibleName(label);
    editor->setMinimumHeight(26);
    row->addWidget(name);
    row->addWidget(editor, qobject_cast<ValueBox*>(editor) != nullptr ? 0 : 1);
    if (qobject_cast<ValueBox*>(editor) != nullptr) {
        row->insertStretch(1);
        editor->setFixedWidth(104);
    } else {
        name->setMinimumWidth(64);
    }
    layout->addLayout(row);
    return name;
}

void ControlPanel::addCountField(QVBoxLayout* layout, core::Field field, const QString& label, ValueBox* box,
                                 CountSlider* slider, QLabel* range)
{
    addField(layout, field, label, box);
    auto* column = qobject_cast<QVBoxLayout*>(box->parentWidget()->layout());
    slider->setAccessibleName(label);
    slider->setObjectName(QString::fromUtf8(core::id(field).data()) + QStringLiteral("-slider"));
    column->insertWidget(1, slider);
    column->insertWidget(2, range);
}

void ControlPanel::chooseCustom(const core::CustomModel& description)
{
    const auto model = core::customModel(description);
    if (!model) {
        showIssue(core::Field::Model, text(model.error().message));
        return;
    }
    showIssue(core::Field::Model, {});
    m_description = description;
    publish([&](core::Scenario& scenario) {
        scenario.model = *model;
        if (scenario.weightFormat == core::WeightFormat::Stored) // of a file that is left
            scenario.weightFormat = model->weights.published;
        scenario.weightBytes.reset();
        scenario.kvHeads.reset();
    });
    showInputs();
}

void ControlPanel::chooseEngine(core::EngineId engine)
{
    publish([&](core::Scenario& scenario) {
        core::engines::changeEngine(scenario, engine);
        std::optional<std::int64_t>& reserved = scenario.workload.maxContext;
        if (engine == core::EngineId::Contiguous && !reserved)
            reserved =
                std::max(scenario.workload.context, std::min(scenario.model.maxContext.value_or(0), core::kMaxContext));
    });
}

void ControlPanel::chooseModel(int index)
{
    if (index < 0)
        return;
    const QVariant entry = m_model->itemData(index);
    if (entry.typeId() == QMetaType::QString)
        return emit fileChosen(entry.toString());
    if (entry.toInt() == kCustom)
        return chooseCustom(m_description);
    publish([&](core::Scenario& scenario) {
        scenario.kvHeads.reset();
        scenario.model = m_catalogue.models.at(static_cast<std::size_t>(entry.toInt()));
        scenario.weightFormat = scenario.model.weights.published;
        scenario.weightBytes.reset();
    });
}

void ControlPanel::chooseWeights(int index)
{
    const int format = m_weights->itemData(index).toInt();
    publish([&](core::Scenario& scenario) {
        if (format < 0) {
            scenario.weightBytes = core::bytesOf(scenario.model.weights, scenario.weightFormat);
            return;
        }
        scenario.weightBytes.reset();
        scenario.weightFormat = static_cast<core::WeightFormat>(format);
    });
}

void ControlPanel::chooseGpu(int index)
{
    publish([&](core::Scenario& scenario) {
        core::Hardware& hardware = scenario.hardware;
        if (index == 0)
            hardware.gpu.reset();
        else
            hardware.gpu = m_catalogue.gpus.at(static_cast<std::size_t>(index) - 1);
        if (hardware.basis == core::MemoryBasis::Typed && hardware.gpu)
            hardware.basis = core::MemoryBasis::Usable;
    });
}

void ControlPanel::chooseBasis(int index)
{
    publish([&](core::Scenario& scenario) {
        core::Hardware& hardware = scenario.hardware;
        const auto basis = static_cast<core::MemoryBasis>(m_basis->itemData(index).toInt());
        if (basis == core::MemoryBasis::Typed && !hardware.typed)
            hardware.typed = core::deviceMemory(hardware).value_or(core::gib(24));
        hardware.basis = basis;
    });
}

} // namespace ui
