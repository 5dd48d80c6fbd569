// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/engine.h"
#include "core/engines/parallel.h"
#include "ui/control_panel.h"
#include "ui/count_slider.h"
#include "ui/engine_settings.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/value_box.h"

#include <QLabel>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace ui {

namespace {

void setTextIfNew(QLabel* label, const QString& text)
{
    if (label->text() != text)
        label->setText(text);
    label->setVisible(!text.isEmpty());
}

QString percentText(core::Percent percent)
{
    return QString::fromStdString(core::formatPercent(percent, numberStyle()));
}

/// Selects the entry that carries `value` as data.
void select(QComboBox* box, int value)
{
    const int row = box->findData(value);
    if (box->currentIndex() != row)
        box->setCurrentIndex(row);
}

/// Moves the slider to the value, or to its end when the value lies beyond.
void moveSlider(CountSlider* slider, std::int64_t value)
{
    const QSignalBlocker blocker(slider);
    slider->setValue(static_cast<int>(std::min<std::int64_t>(value, std::numeric_limits<int>::max())));
}

template <typename Item> int indexOf(const std::vector<Item>& items, const std::string& id)
{
    const auto found = std::ranges::find(items, id, &Item::id);
    return found == items.end() || id.empty() ? -1 : static_cast<int>(found - items.begin());
}

/// "32 layers · 8 KV heads · head dim 128"; several kinds of layers are listed.
QString layoutText(const core::Model& model)
{
    QStringList kinds;
    for (const core::CacheGroup& group : model.groups) {
        QString kind = ControlPanel::tr("%1 %2").arg(countText(group.layers.count()),
                                                     QString::fromUtf8(core::id(group.kind).data()));
        if (group.kvHeads > 0)
            kind += ControlPanel::tr(": %1 KV heads × %2").arg(countText(group.kvHeads), countText(group.keyDim));
        if (group.window > 0)
            kind += ControlPanel::tr(", window %1").arg(countText(group.window));
        kinds << kind;
    }
    if (model.groups.size() == 1 && model.groups.front().kind == core::CacheKind::Full) {
        const core::CacheGroup& group = model.groups.front();
        return ControlPanel::tr("%1 layers · %2 KV heads · head dim %3")
            .arg(countText(model.layers), countText(group.kvHeads), countText(group.keyDim));
    }
    return ControlPanel::tr("%1 layers: %2").arg(countText(model.layers), kinds.join(QStringLiteral("; ")));
}

} // namespace

/// A row is seen where the scenario has its input and no lesson hides it; a title where a row of its section is.
void ControlPanel::showLocks()
{
    const auto isOpen = [&](const InputRow& input) {
        return !m_lock.open || std::ranges::count(*m_lock.open, input.field) > 0;
    };
    const auto isHeldBack = [&](const InputRow& input) {
        const bool derivedPool = input.field == core::Field::CacheMemory && !m_scenario.cacheMemory;
        return (m_lock.layoutHeldBack && input.field == core::Field::KvHeads) || (m_lock.growthHeldBack && derivedPool);
    };
    const auto isSeen = [&](const InputRow& input) {
        return input.wanted && !isHeldBack(input) && (isOpen(input) || !m_lock.hide);
    };
    for (const InputRow& input : m_inputs) {
        input.row->setVisible(isSeen(input));
        input.row->setEnabled(isOpen(input));
        input.title->setVisible(std::ranges::any_of(
            m_inputs, [&](const InputRow& other) { return other.title == input.title && isSeen(other); }));
    }
}

void ControlPanel::showHeldBack()
{
    m_kvFacts->setVisible(!m_lock.growthHeldBack && !m_kvFacts->text().isEmpty());
    m_weightFacts->setVisible(!m_lock.weightsHeldBack && !m_weightFacts->text().isEmpty());
    m_modelFacts->setVisible(!m_lock.layoutHeldBack && !m_modelFacts->text().isEmpty());
}

void ControlPanel::showRow(QWidget* editor, bool visible)
{
    const auto found = std::ranges::find(m_inputs, editor->parentWidget(), &InputRow::row);
    found->wanted = visible;
}

void ControlPanel::show(const core::Evaluation& evaluation)
{
    const bool otherModel = evaluation.scenario.model != m_scenario.model;
    m_scenario = evaluation.scenario;
    if (otherModel) {
        showModel();
        showKvHeads();
    }
    showInputs();
    showFacts(evaluation);
    showHeldBack();
    showIssues(evaluation.issues);
}

void ControlPanel::showModel()
{
    const core::Model& model = m_scenario.model;
    const bool custom = model.id == "custom";
    m_custom->setVisible(custom);
    if (custom) {
        const core::CacheGroup& group = model.groups.front();
        m_description = {model.layers, group.queryHeads, group.kvHeads, group.keyDim, model.weights.parameters()};
        const std::array values{m_description.layers, m_description.heads, m_description.kvHeads, m_description.headDim,
                                m_description.parameters};
        for (std::size_t i = 0; i < values.size(); ++i)
            m_customBoxes[i]->showText(countText(values.at(i)));
    }
    setTextIfNew(m_modelFacts, layoutText(model));
    const std::int64_t trained = model.maxContext.value_or(0);
    const QSignalBlocker blocker(m_contextSlider); // a shorter slider does not shorten the context
    m_contextSlider->setLandmark(static_cast<int>(std::min(trained, core::kMaxContext)));
    const QString end = tokensText(m_contextSlider->maximum());
    setTextIfNew(m_contextRange, trained > 0 ? tr("256 to %1; trained for %2").arg(end, tokensText(trained))
                                             : tr("256 to %1").arg(end));
}

/// The model in the picker; one that was changed by hand is no longer the published one.
void ControlPanel::showModelName()
{
    const core::Model& model = m_scenario.model;
    const int entry = model.id == "custom" ? m_model->count() - 1 : indexOf(m_catalogue.models, model.id);
    const QString name = QString::fromStdString(model.name);
    m_model->showEntry(entry, m_scenario.kvHeads ? tr("%1 (edited)").arg(name) : name);
}

/// "As in the file" stands among the formats where the model was read from a weight file.
void ControlPanel::showStoredWeights()
{
    const auto stored = static_cast<int>(core::WeightFormat::Stored);
    const int place = m_weights->findData(stored);
    const bool wanted = !m_scenario.model.weights.stored.empty() ||
                        (m_scenario.weightFormat == core::WeightFormat::Stored && !m_scenario.weightBytes);
    const QSignalBlocker blocker(m_weights);
    if (wanted && place < 0)
        m_weights->insertItem(0, tr("As in the file"), stored);
    else if (!wanted && place >= 0)
        m_weights->removeItem(place);
}

void ControlPanel::showInputs()
{
    const core::Scenario& scenario = m_scenario;
    showModelName();
    m_context->showText(countText(scenario.workload.context));
    m_batch->showText(countText(scenario.workload.batch));
    moveSlider(m_contextSlider, scenario.workload.context);
    moveSlider(m_batchSlider, scenario.workload.batch);
    showStoredWeights();
    select(m_weights, scenario.weightBytes ? -1 : static_cast<int>(scenario.weightFormat));
    showRow(m_weightBytes, scenario.weightBytes.has_value());
    if (scenario.weightBytes)
        m_weightBytes->showText(bytesText(*scenario.weightBytes));
    showCache();
    showReserve();
    showHardware();
    showRanks();
    showLocks();
}

/// The numbers of KV heads that the query heads can share evenly, named by what they make of the model.
void ControlPanel::showKvHeads()
{
    std::int64_t queryHeads = 0;
    std::int64_t own = 0;
    for (const core::CacheGroup& group : m_scenario.model.groups) {
        if (core::hasHeads(group.kind)) {
            queryHeads = std::gcd(queryHeads, group.queryHeads);
            own = std::max(own, group.kvHeads);
        }
    }
    const auto kind = [&](std::int64_t heads) {
        if (heads == queryHeads)
            return tr("MHA");
        return heads == 1 ? tr("MQA") : tr("GQA");
    };
    m_kvHeads->clear();
    m_kvHeads->addItem(own > 0 ? tr("%1, %2 as published").arg(countText(own), kind(own)) : tr("none"), qlonglong{0});
    for (std::int64_t heads = queryHeads; heads >= 1; --heads) {
        if (queryHeads % heads == 0 && heads != own)
            m_kvHeads->addItem(tr("%1, %2").arg(countText(heads), kind(heads)), qlonglong{heads});
    }
    m_kvHeads->setEnabled(queryHeads > 0);
}

void ControlPanel::showCache()
{
    const core::Scenario& scenario = m_scenario;
    m_kvHeads->setCurrentIndex(std::max(0, m_kvHeads->findData(qlonglong{scenario.kvHeads.value_or(0)})));
    select(m_kvFormat, static_cast<int>(scenario.kFormat));
    select(m_vFormat, scenario.vFormat == scenario.kFormat ? -1 : static_cast<int>(scenario.vFormat));
    select(m_engine, static_cast<int>(scenario.engine));
    m_waste->showText(percentText(scenario.waste));
    const std::optional<std::int64_t>& longest = scenario.workload.maxContext;
    m_maxContext->setPlaceholderText(countText(scenario.workload.context));
    m_maxContext->showText(longest ? countText(*longest) : QString());
    m_blockTokens->showText(countText(scenario.blockTokens));
    showRow(m_waste, scenario.engine == core::EngineId::Ideal);
    const core::engines::Engine& engine = core::engines::engine(scenario.engine);
    showRow(m_maxContext, engine.usesMaxContext);
    m_maxContextTitle->setText(engine.hasPool ? tr("Longest request") : tr("Reserved tokens"));
    m_maxContext->setAccessibleName(m_maxContextTitle->text());
    showRow(m_blockTokens, scenario.engine == core::EngineId::Paged);
    m_engineVersion->setPlaceholderText(QString::fromUtf8(engine.newest.data()));
    m_engineVersion->showText(QString::fromStdString(scenario.engineVersion));
    showRow(m_engineVersion, !engine.newest.empty());
    m_settings->show(scenario);
    showRow(m_settings, !m_settings->isEmpty());
    m_engineTitle->setText(tr("%1 settings").arg(text(core::name(scenario.engine))).toUpper());
}

void ControlPanel::showHardware()
{
    const core::Hardware& hardware = m_scenario.hardware;
    const int index = hardware.gpu ? indexOf(m_catalogue.gpus, hardware.gpu->id) : -1;
    const QString name = hardware.gpu ? QString::fromStdString(hardware.gpu->name) : m_gpu->itemText(0);
    m_gpu->showEntry(hardware.gpu ? index + 1 : 0, name);
    m_gpuCount->showText(countText(hardware.count));
    select(m_basis, static_cast<int>(hardware.basis));
    showRow(m_memory, hardware.basis == core::MemoryBasis::Typed);
    if (hardware.typed)
        m_memory->showText(bytesText(*hardware.typed));
    showMachineSizes();
}

/// The sizes that a machine with unified memory is sold with.
void ControlPanel::showMachineSizes()
{
    const core::Hardware& hardware = m_scenario.hardware;
    const bool sold = hardware.gpu && !hardware.gpu->sizes.empty();
    showRow(m_memorySize, sold);
    if (!sold)
        return;
    const std::vector<core::DeviceMemory>& sizes = hardware.gpu->sizes;
    const QString signature = QString::fromStdString(hardware.gpu->id) + QString::number(static_cast<int>(sizeUnit()));
    if (m_memorySize->property("gpu").toString() != signature) {
        m_memorySize->setProperty("gpu", signature);
        m_memorySize->clear();
        for (const core::DeviceMemory& size : sizes)
            m_memorySize->addItem(
                tr("%1 machine, %2 usable").arg(QString::fromStdString(size.labelText), bytesText(size.usable)));
    }
    const auto chosen = std::ranges::find(sizes, hardware.gpu->memory.label, &core::DeviceMemory::label);
    m_memorySize->setCurrentIndex(chosen == sizes.end() ? -1 : static_cast<int>(chosen - sizes.begin()));
}

/// Ranks are seen where there are several GPUs for them; what is not typed stands pale in its box.
void ControlPanel::showRanks()
{
    const core::Parallelism& typed = m_scenario.hardware.parallel;
    const core::engines::Engine& engine = core::engines::engine(m_scenario.engine);
    const bool several = m_scenario.hardware.count > 1 && engine.takesRanks();
    const bool divides = typed.isTyped() || engine.takesTensor;
    const core::engines::Spread spread = core::engines::spreadOf(m_scenario);
    const auto showBox = [&](ValueBox* box, const std::optional<std::int64_t>& ranks, std::int64_t otherwise) {
        box->setPlaceholderText(divides ? countText(otherwise) : tr("pooled"));
        box->showText(ranks ? countText(*ranks) : QString());
        showRow(box, several || typed.isTyped());
    };
    showBox(m_tensor, typed.tensor, spread.tensor);
    showBox(m_pipeline, typed.pipeline, spread.pipeline);
    showBox(m_data, typed.data, spread.replicas);
}

void ControlPanel::showReserve()
{
    const bool hasPool = core::engines::engine(m_scenario.engine).hasPool;
    m_cacheMemory->showText(m_scenario.cacheMemory ? bytesText(*m_scenario.cacheMemory) : QString());
    showRow(m_cacheMemory, hasPool || m_scenario.cacheMemory);
    m_reserve->showText(percentText(m_scenario.reserve));
    showRow(m_reserve, !hasPool || m_scenario.reserve != core::Percent{});
    m_overhead->showText(bytesText(m_scenario.overhead));
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
    if (!evaluation.issues.empty()) { // what they told is of another scenario
        for (QLabel* facts : {m_weightFacts, m_kvFacts})
            setTextIfNew(facts, {});
        m_cacheMemory->setPlaceholderText({});
        return;
    }
    const core::Footprint& footprint = evaluation.footprint;
    const std::int64_t parameters = m_scenario.model.weights.parameters();
    const QString size = footprint.weights ? bytesText(*footprint.weights) : tr("size unknown, not counted");
    const bool about = !m_scenario.weightBytes && core::info(m_scenario.weightFormat).about;
    const QString shown = about ? tr("about %1").arg(size) : size;
    setTextIfNew(m_weightFacts, parameters > 0 ? tr("%1 · %2 parameters").arg(shown, countText(parameters)) : shown);
    const std::optional<core::engines::Pool>& pool = evaluation.reservation.pool;
    m_cacheMemory->setPlaceholderText(pool && pool->memory ? bytesText(*pool->memory) : tr("not known"));
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
    for (auto it = m_issues.cbegin(); it != m_issues.cend(); ++it) {
        const auto field = static_cast<core::Field>(it.key());
        const auto found = std::ranges::find(issues, field, &core::Issue::field);
        showIssue(field, found == issues.end() ? QString() : text(found->message));
    }
    m_settings->showIssues(issues);
}

void ControlPanel::showIssue(core::Field field, const QString& text)
{
    QLabel* issue = m_issues.value(static_cast<int>(field));
    if (issue == nullptr)
        return;
    setTextIfNew(issue, text);
}

} // namespace ui
