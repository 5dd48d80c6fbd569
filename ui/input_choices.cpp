// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/input_choices.h"

#include "core/engines/engine.h"
#include "ui/texts.h"

#include <QComboBox>
#include <QCoreApplication>
#include <QSignalBlocker>

#include <algorithm>
#include <numeric>

namespace ui {

namespace {

constexpr int kOther = -1; ///< Data of an entry that stands for none of the listed values.

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::ControlPanel", text);
}

template <typename Formats> void addFormats(QComboBox& list, const Formats& formats)
{
    for (const auto& format : formats)
        list.addItem(QString::fromUtf8(format.name.data()), static_cast<int>(format.format));
}

/// "As in the file" stands among the formats where the model was read from a weight file.
void showStoredWeights(QComboBox& list, const core::Scenario& scenario)
{
    const auto stored = static_cast<int>(core::WeightFormat::Stored);
    const int place = list.findData(stored);
    const bool wanted = !scenario.model.weights.stored.empty() ||
                        (scenario.weightFormat == core::WeightFormat::Stored && !scenario.weightBytes);
    const QSignalBlocker blocker(list);
    if (wanted && place < 0)
        list.insertItem(0, tr("As in the file"), stored);
    else if (!wanted && place >= 0)
        list.removeItem(place);
}

/// The data of the entry that stands for the value of the scenario.
int chosenData(core::Field field, const core::Scenario& scenario)
{
    switch (field) {
    case core::Field::KvHeads:
        return static_cast<int>(scenario.kvHeads.value_or(0));
    case core::Field::KFormat:
        return static_cast<int>(scenario.kFormat);
    case core::Field::VFormat:
        return scenario.vFormat == scenario.kFormat ? kOther : static_cast<int>(scenario.vFormat);
    case core::Field::Engine:
        return static_cast<int>(scenario.engine);
    case core::Field::WeightFormat:
        return scenario.weightBytes ? kOther : static_cast<int>(scenario.weightFormat);
    default:
        return static_cast<int>(scenario.hardware.basis);
    }
}

void chooseEngine(core::Scenario& scenario, core::EngineId engine)
{
    core::engines::changeEngine(scenario, engine);
    std::optional<std::int64_t>& reserved = scenario.workload.maxContext;
    if (engine == core::EngineId::Contiguous && !reserved)
        reserved =
            std::max(scenario.workload.context, std::min(scenario.model.maxContext.value_or(0), core::kMaxContext));
}

void chooseWeights(core::Scenario& scenario, int format)
{
    if (format == kOther) {
        scenario.weightBytes = core::bytesOf(scenario.model.weights, scenario.weightFormat);
        return;
    }
    scenario.weightBytes.reset();
    scenario.weightFormat = static_cast<core::WeightFormat>(format);
}

void chooseBasis(core::Hardware& hardware, core::MemoryBasis basis)
{
    if (basis == core::MemoryBasis::Typed && !hardware.typed)
        hardware.typed = core::deviceMemory(hardware).value_or(core::gib(24));
    hardware.basis = basis;
}

} // namespace

bool hasChoices(core::Field field)
{
    return field == core::Field::KvHeads || core::input(field).place.type == core::InputType::Word;
}

void fillChoices(QComboBox& list, core::Field field)
{
    switch (field) {
    case core::Field::KFormat:
        return addFormats(list, core::kvFormats());
    case core::Field::VFormat:
        list.addItem(tr("as K"), kOther);
        return addFormats(list, core::kvFormats());
    case core::Field::Engine:
        for (std::size_t i = 0; i < core::engineIds().size(); ++i)
            list.addItem(text(core::name(static_cast<core::EngineId>(i))), static_cast<int>(i));
        return;
    case core::Field::WeightFormat:
        addFormats(list, core::weightFormats());
        return list.addItem(tr("Typed size"), kOther);
    case core::Field::MemoryBasis:
        list.addItem(tr("Usable"), static_cast<int>(core::MemoryBasis::Usable));
        list.addItem(tr("Driver"), static_cast<int>(core::MemoryBasis::Driver));
        list.addItem(tr("Label"), static_cast<int>(core::MemoryBasis::Label));
        return list.addItem(tr("Typed size"), static_cast<int>(core::MemoryBasis::Typed));
    default:
        return; // KV heads are those of a model
    }
}

/// The numbers are named by what they make of the model.
void fillKvHeads(QComboBox& list, const core::Model& model)
{
    std::int64_t queryHeads = 0;
    std::int64_t own = 0;
    for (const core::CacheGroup& group : model.groups) {
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
    list.clear();
    list.addItem(own > 0 ? tr("%1, %2 as published").arg(countText(own), kind(own)) : tr("none"), 0);
    for (std::int64_t heads = queryHeads; heads >= 1; --heads) {
        if (queryHeads % heads == 0 && heads != own)
            list.addItem(tr("%1, %2").arg(countText(heads), kind(heads)), static_cast<int>(heads));
    }
    list.setEnabled(queryHeads > 0);
}

void fillMemorySizes(QComboBox& list, const core::Hardware& hardware)
{
    if (!hardware.gpu || hardware.gpu->sizes.empty())
        return;
    const std::vector<core::DeviceMemory>& sizes = hardware.gpu->sizes;
    const QString signature = QString::fromStdString(hardware.gpu->id) + QString::number(static_cast<int>(sizeUnit()));
    if (list.property("gpu").toString() != signature) {
        list.setProperty("gpu", signature);
        list.clear();
        for (const core::DeviceMemory& size : sizes)
            list.addItem(
                tr("%1 machine, %2 usable").arg(QString::fromStdString(size.labelText), bytesText(size.usable)));
    }
    const auto chosen = std::ranges::find(sizes, hardware.gpu->memory.label, &core::DeviceMemory::label);
    list.setCurrentIndex(chosen == sizes.end() ? -1 : static_cast<int>(chosen - sizes.begin()));
}

void showChoice(QComboBox& list, core::Field field, const core::Scenario& scenario)
{
    if (field == core::Field::WeightFormat)
        showStoredWeights(list, scenario);
    const int row = list.findData(chosenData(field, scenario));
    const int shown = field == core::Field::KvHeads ? std::max(0, row) : row;
    if (list.currentIndex() != shown)
        list.setCurrentIndex(shown);
}

void choose(core::Scenario& scenario, core::Field field, const QComboBox& list, int row)
{
    const int data = list.itemData(row).toInt();
    const auto format = static_cast<core::KvFormat>(data);
    switch (field) {
    case core::Field::KvHeads:
        scenario.kvHeads = data > 0 ? std::optional<std::int64_t>(data) : std::nullopt;
        return;
    case core::Field::KFormat:
        if (scenario.vFormat == scenario.kFormat)
            scenario.vFormat = format;
        scenario.kFormat = format;
        return;
    case core::Field::VFormat:
        scenario.vFormat = data == kOther ? scenario.kFormat : format;
        return;
    case core::Field::Engine:
        return chooseEngine(scenario, static_cast<core::EngineId>(data));
    case core::Field::WeightFormat:
        return chooseWeights(scenario, data);
    default:
        return chooseBasis(scenario.hardware, static_cast<core::MemoryBasis>(data));
    }
}

} // namespace ui
