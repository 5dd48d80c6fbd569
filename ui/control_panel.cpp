// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/control_panel.h"

#include "core/engines/engine.h"
#include "ui/engine_settings.h"
#include "ui/input_choices.h"
#include "ui/input_row.h"
#include "ui/model_input.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"

#include <QLabel>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 288;

/// The memory of a GPU is locked as a whole: which figure counts, and its size.
core::Field lockOf(core::Field field)
{
    return field == core::Field::MemoryBasis ? core::Field::Memory : field;
}

} // namespace

ControlPanel::ControlPanel(const Catalogue& catalogue, QWidget* parent) : QScrollArea(parent), m_catalogue(catalogue)
{
    auto* content = new QWidget(this);
    m_layout = new QVBoxLayout(content);
    m_layout->setContentsMargins(4 * kSpace, 3 * kSpace, 4 * kSpace, 3 * kSpace);
    m_layout->setSpacing(kSpace);
    addTitle(tr("Model"));
    addModel();
    addInputs(core::kWeightInputs);
    for (const std::string_view group : {core::kWorkloadInputs, core::kCacheInputs, core::kHardwareInputs}) {
        addTitle(text({group, {}}));
        addInputs(group);
    }
    addSettings();
    fillPickers();
    m_layout->addStretch();
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
    const QSignalBlocker blocker(m_gpu);
    m_model->fill();
    m_gpu->clear();
    m_gpu->addItem(tr("No GPU"));
    for (const core::Gpu& gpu : m_catalogue.gpus)
        m_gpu->addItem(QString::fromStdString(gpu.name));
    if (m_scenario.model.layers > 0) {
        m_model->showName(m_scenario);
        showGpu();
        showLocks();
    }
}

void ControlPanel::setLocalModels(const std::vector<core::readers::LocalModel>& models)
{
    m_model->setLocalModels(models);
}

void ControlPanel::addTitle(const QString& title)
{
    m_title = new QLabel(title.toUpper(), this);
    m_title->setFont(fontOf(Type::Caption, QFont::DemiBold));
    m_title->setForegroundRole(QPalette::PlaceholderText);
    if (m_layout->count() > 0)
        m_layout->addSpacing(2 * kSpace);
    m_layout->addWidget(m_title);
}

QVBoxLayout* ControlPanel::addRow(core::Field field)
{
    auto* widget = new QWidget(this);
    auto* column = new QVBoxLayout(widget);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    m_layout->addWidget(widget);
    m_rows.push_back({field, widget, m_title});
    return column;
}

void ControlPanel::addModel()
{
    QVBoxLayout* column = addRow(core::Field::Model);
    m_model = new ModelInput(m_catalogue.models, this);
    column->addWidget(m_model);
    connect(m_model, &ModelInput::chosen, this, [this](const core::Model& model) { chooseModel(model, true); });
    connect(m_model, &ModelInput::described, this, [this](const core::Model& model) { chooseModel(model, false); });
    connect(m_model, &ModelInput::openRequested, this, &ControlPanel::openRequested);
    connect(m_model, &ModelInput::fileChosen, this, &ControlPanel::fileChosen);
    connect(m_model, &ModelInput::nameTyped, this, &ControlPanel::nameTyped);
}

void ControlPanel::addInputs(std::string_view group)
{
    for (const core::Input& input : core::inputs()) {
        if (input.group != group || input.label.empty())
            continue;
        addInput(input);
        addBeside(input);
    }
}

void ControlPanel::addInput(const core::Input& input)
{
    auto* row = new InputRow(input, this);
    m_layout->addWidget(row);
    m_rows.push_back({input.field, row, m_title, true, row});
    connect(row, &InputRow::typed, this, [this, &input](const QString& typed) { commit(input, typed); });
    connect(row, &InputRow::slid, this, [this, &input](int value) {
        publish([&](core::Scenario& scenario) { input.place.set(scenario, std::int64_t{value}); });
    });
    connect(row, &InputRow::gestureStarted, this, &ControlPanel::gestureStarted);
    connect(row, &InputRow::gestureEnded, this, &ControlPanel::gestureEnded);
    if (input.field == core::Field::Gpu) {
        m_gpu = row->findChild<Picker*>();
        connect(row, &InputRow::chosen, this, &ControlPanel::chooseGpu);
        return;
    }
    connect(row, &InputRow::chosen, this,
            [this, row](int entry) { publish([&](core::Scenario& scenario) { row->choose(scenario, entry); }); });
}

/// What stands below an input and belongs to it.
void ControlPanel::addBeside(const core::Input& input)
{
    if (input.field == core::Field::WeightBytes) {
        addRow(core::Field::WeightFormat)->addWidget(m_weightFacts = makeCaption(this));
        m_weightFacts->setObjectName(QStringLiteral("weight-facts"));
    } else if (input.field == core::Field::VFormat) {
        addRow(core::Field::KFormat)->addWidget(m_kvFacts = makeCaption(this));
        m_kvFacts->setObjectName(QStringLiteral("kv-facts"));
    } else if (input.field == core::Field::Gpu) {
        m_memorySize = new Choice(this);
        m_memorySize->setAccessibleName(tr("Memory of the machine"));
        m_memorySize->setMinimumHeight(26);
        m_memorySize->setObjectName(QStringLiteral("memory-size"));
        addRow(core::Field::Gpu)->addWidget(m_memorySize);
        connect(m_memorySize, &QComboBox::activated, this, [this](int size) {
            publish([&](core::Scenario& scenario) {
                scenario.hardware.gpu->memory = scenario.hardware.gpu->sizes.at(static_cast<std::size_t>(size));
            });
        });
    }
}

/// The flags of the engine, last: there may be many.
void ControlPanel::addSettings()
{
    addTitle(tr("Engine"));
    m_settings = new EngineSettings(this);
    addRow(core::Field::Setting)->addWidget(m_settings);
    connect(m_settings, &EngineSettings::edited, this, [this](const QString& flag, const QString& value) {
        publish([&](core::Scenario& scenario) {
            if (value.isEmpty())
                scenario.settings.erase(flag.toStdString());
            else
                scenario.settings.set(flag.toStdString(), value.toStdString());
        });
    });
}

void ControlPanel::publish(const std::function<void(core::Scenario&)>& change)
{
    core::Scenario next = m_scenario;
    change(next);
    if (next != m_scenario)
        emit edited(next);
}

void ControlPanel::commit(const core::Input& input, const QString& typed)
{
    std::optional<core::Value> value;
    core::Scenario without = m_scenario;
    const bool mayBeEmpty = input.place.set(without, std::nullopt) && core::isShown(input, without);
    if (!mayBeEmpty || !typed.trimmed().isEmpty()) {
        const bool isText = input.place.type == core::InputType::Text;
        core::Result<core::Value> read =
            core::parseInput(input, isText ? typed.trimmed().toStdString() : plainNumber(typed));
        if (!read)
            return showIssue(input.field, text(read.error().message));
        value = *std::move(read);
    }
    showIssue(input.field, {});
    publish([&](core::Scenario& scenario) { input.place.set(scenario, value); });
    showInputs(); // "8K" becomes 8,192, changed or not
}

void ControlPanel::chooseModel(const core::Model& model, bool published)
{
    publish([&](core::Scenario& scenario) {
        scenario.model = model;
        if (published || scenario.weightFormat == core::WeightFormat::Stored) // of a file that is left
            scenario.weightFormat = model.weights.published;
        scenario.weightBytes.reset();
        scenario.kvHeads.reset();
    });
    if (!published)
        showInputs();
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

InputRow* ControlPanel::rowOf(core::Field field)
{
    const auto found =
        std::ranges::find_if(m_rows, [&](const Row& row) { return row.field == field && row.input != nullptr; });
    return found == m_rows.end() ? nullptr : found->input;
}

void ControlPanel::show(const core::Evaluation& evaluation)
{
    const bool otherModel = evaluation.scenario.model != m_scenario.model;
    m_scenario = evaluation.scenario;
    if (otherModel) {
        m_model->showModel(m_scenario.model);
        rowOf(core::Field::KvHeads)->showModel(m_scenario.model);
        rowOf(core::Field::Context)->showModel(m_scenario.model);
    }
    showInputs();
    showFacts(evaluation);
    showHeldBack();
    showIssues(evaluation.issues);
}

void ControlPanel::showInputs()
{
    m_model->showName(m_scenario);
    for (Row& row : m_rows) {
        row.wanted = row.input == nullptr || core::isShown(core::input(row.field), m_scenario);
        if (row.input != nullptr)
            row.input->showValue(m_scenario);
    }
    showGpu();
    m_settings->show(m_scenario);
    m_rows.back().wanted = !m_settings->isEmpty();
    m_rows.back().title->setText(tr("%1 settings").arg(text(core::name(m_scenario.engine))).toUpper());
    showLocks();
}

void ControlPanel::showGpu()
{
    const core::Hardware& hardware = m_scenario.hardware;
    const auto found =
        hardware.gpu ? std::ranges::find(m_catalogue.gpus, hardware.gpu->id, &core::Gpu::id) : m_catalogue.gpus.end();
    const bool isListed = found != m_catalogue.gpus.end() && !hardware.gpu->id.empty();
    const int entry = isListed ? static_cast<int>(found - m_catalogue.gpus.begin()) + 1 : 0;
    m_gpu->showEntry(entry, hardware.gpu ? QString::fromStdString(hardware.gpu->name) : m_gpu->itemText(0));
    fillMemorySizes(*m_memorySize, hardware);
    const auto sizes = std::ranges::find(m_rows, m_memorySize->parentWidget(), &Row::widget);
    sizes->wanted = hardware.gpu && !hardware.gpu->sizes.empty();
}

/// A row is seen where the scenario has its input and no lesson hides it; a title where a row of its section is.
void ControlPanel::showLocks()
{
    const auto isOpen = [&](const Row& row) {
        return !m_lock.open || std::ranges::count(*m_lock.open, lockOf(row.field)) > 0;
    };
    const auto isHeldBack = [&](const Row& row) {
        const bool derivedPool = row.field == core::Field::CacheMemory && !m_scenario.cacheMemory;
        return (m_lock.layoutHeldBack && row.field == core::Field::KvHeads) || (m_lock.growthHeldBack && derivedPool);
    };
    const auto isSeen = [&](const Row& row) { return row.wanted && !isHeldBack(row) && (isOpen(row) || !m_lock.hide); };
    for (const Row& row : m_rows) {
        row.widget->setVisible(isSeen(row));
        row.widget->setEnabled(isOpen(row));
        row.title->setVisible(
            std::ranges::any_of(m_rows, [&](const Row& other) { return other.title == row.title && isSeen(other); }));
    }
}

void ControlPanel::setLock(Lock lock)
{
    m_lock = std::move(lock);
    showLocks();
    showHeldBack();
    updateGeometry();
}

void ControlPanel::showHeldBack()
{
    m_kvFacts->setVisible(!m_lock.growthHeldBack && !m_kvFacts->text().isEmpty());
    m_weightFacts->setVisible(!m_lock.weightsHeldBack && !m_weightFacts->text().isEmpty());
    m_model->holdBack(m_lock.layoutHeldBack);
}

QSize ControlPanel::sizeHint() const
{
    if (!m_lock.hide)
        return QScrollArea::sizeHint(); // nobody asks for less
    return {width(), m_layout->hasHeightForWidth() ? m_layout->totalHeightForWidth(viewport()->width())
                                                   : m_layout->totalSizeHint().height()};
}

void ControlPanel::highlight(std::optional<core::Field> field)
{
    for (QWidget* editor : findChildren<QWidget*>()) {
        const bool lit = field && editor->objectName() == QString::fromUtf8(core::id(*field).data());
        if (editor->property("lit").toBool() == lit)
            continue;
        editor->setProperty("lit", lit);
        QPalette palette = lit ? editor->palette() : QPalette();
        if (lit) {
            QColor light = palette.color(QPalette::Highlight);
            light.setAlpha(70);
            palette.setColor(QPalette::Base, light);
            palette.setColor(QPalette::Button, light);
        }
        editor->setPalette(palette);
    }
}

void ControlPanel::showFacts(const core::Evaluation& evaluation)
{
    InputRow* pool = rowOf(core::Field::CacheMemory);
    if (!evaluation.issues.empty()) { // what they told is of another scenario
        for (QLabel* facts : {m_weightFacts, m_kvFacts})
            setTextIfNew(facts, {});
        pool->setPlaceholder({});
        return;
    }
    const core::Footprint& footprint = evaluation.footprint;
    const std::int64_t parameters = m_scenario.model.weights.parameters();
    const QString size = footprint.weights ? bytesText(*footprint.weights) : tr("size unknown, not counted");
    const bool about = !m_scenario.weightBytes && core::info(m_scenario.weightFormat).about;
    const QString shown = about ? tr("about %1").arg(size) : size;
    setTextIfNew(m_weightFacts, parameters > 0 ? tr("%1 · %2 parameters").arg(shown, countText(parameters)) : shown);
    const std::optional<core::engines::Pool>& reserved = evaluation.reservation.pool;
    pool->setPlaceholder(reserved && reserved->memory ? bytesText(*reserved->memory) : tr("not known"));
    const core::Rate& rate = footprint.kv.perToken;
    QString growth = rate.tokens == 1
                         ? tr("%1 per token and request").arg(bytesText(rate.bytes))
                         : tr("%1 per %2 tokens and request").arg(bytesText(rate.bytes), countText(rate.tokens));
    if (rate.bytes == core::Bytes())
        growth = tr("does not grow at this context");
    if (footprint.kv.fixedPerRequest > core::Bytes())
        growth += tr(", %1 fixed").arg(bytesText(footprint.kv.fixedPerRequest));
    setTextIfNew(m_kvFacts, growth);
}

void ControlPanel::showIssues(const std::vector<core::Issue>& issues)
{
    for (const core::Input& input : core::inputs()) {
        const auto found = std::ranges::find(issues, input.field, &core::Issue::field);
        showIssue(input.field, found == issues.end() ? QString() : text(found->message));
    }
    m_settings->showIssues(issues);
}

void ControlPanel::showIssue(core::Field field, const QString& text)
{
    if (InputRow* row = rowOf(field))
        row->showIssue(text);
    else if (field == core::Field::Model)
        m_model->showIssue(text);
}

} // namespace ui
