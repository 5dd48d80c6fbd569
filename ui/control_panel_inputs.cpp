// SPDX-License-Identifier: GPL-3.0-or-later
// The inputs of the panel, section by section.
#include "core/readers/hub_name.h"
#include "core/text/text.h"
#include "ui/control_panel.h"
#include "ui/count_slider.h"
#include "ui/engine_settings.h"
#include "ui/picker.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStyle>
#include <QVBoxLayout>

#include <algorithm>
#include <array>
#include <type_traits>

namespace ui {

namespace {

constexpr int kSliderContext = 1'048'576;
constexpr int kSliderBatch = 1'024;

} // namespace

template <typename Read, typename Change>
void ControlPanel::readAndPublish(core::Field field, const QString& text, Read read, Change change)
{
    const auto value = read(plainNumber(text));
    if (!value) {
        showIssue(field, ui::text(value.error().message));
        return;
    }
    showIssue(field, {});
    publish([&](core::Scenario& scenario) { change(scenario, *value); });
    showInputs(); // "8K" becomes 8,192, changed or not
}

template <typename Read, typename Change>
void ControlPanel::readOrClear(core::Field field, const QString& text, Read read, Change change)
{
    using Optional = std::optional<std::decay_t<decltype(*read({}))>>;
    if (!text.trimmed().isEmpty())
        return readAndPublish(field, text, read,
                              [&](core::Scenario& scenario, auto value) { change(scenario, Optional(value)); });
    showIssue(field, {});
    publish([&](core::Scenario& scenario) { change(scenario, Optional()); });
}

void ControlPanel::addModel(QVBoxLayout* layout)
{
    addTitle(layout, tr("Model"));
    QVBoxLayout* column = addInput(layout, core::Field::Model);
    m_model = new Picker(this);
    m_model->setAccessibleName(tr("Model"));
    m_model->setObjectName(QStringLiteral("model"));
    auto* open = new QPushButton(tr("Open…"), this);
    open->setToolTip(tr("Open a config.json or a weight file"));
    open->setMinimumHeight(26);
    m_model->setMinimumHeight(26);
    auto* row = new QHBoxLayout;
    row->addWidget(m_model, 1);
    row->addWidget(open);
    column->addLayout(row);
    addIssue(column, core::Field::Model);
    column->addWidget(m_modelFacts = caption());
    m_modelFacts->setObjectName(QStringLiteral("model-facts"));
    addCustom(column);
    m_weights = new Choice(this);
    for (const core::WeightFormatInfo& format : core::weightFormats())
        m_weights->addItem(QString::fromUtf8(format.name.data()), static_cast<int>(format.format));
    m_weights->addItem(tr("Typed size"), -1);
    addField(layout, core::Field::WeightFormat, tr("Weights"), m_weights);
    m_weightBytes = new ValueBox(this);
    addField(layout, core::Field::WeightBytes, tr("Weights' size"), m_weightBytes);
    addInput(layout, core::Field::WeightFormat)->addWidget(m_weightFacts = caption());
    m_weightFacts->setObjectName(QStringLiteral("weight-facts"));

    connect(m_model, &QComboBox::activated, this, &ControlPanel::chooseModel);
    connect(m_model, &Picker::otherEntered, this, [this](const QString& text) {
        if (core::readers::looksLikeHubName(text.toStdString()))
            emit nameTyped(text);
    });
    m_model->setToolTip(tr("Type a part of the name; hf:ORG/NAME and Enter fetches a model from a hub"));
    connect(open, &QPushButton::clicked, this, &ControlPanel::openRequested);
    connect(m_weights, &QComboBox::activated, this, &ControlPanel::chooseWeights);
    connect(m_weightBytes, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::WeightBytes, text, core::parseSize,
                       [](core::Scenario& scenario, core::Bytes bytes) { scenario.weightBytes = bytes; });
    });
}

/// The fields of a model described by hand; seen only while one is chosen.
void ControlPanel::addCustom(QVBoxLayout* layout)
{
    struct Input {
        QString label;
        std::int64_t core::CustomModel::*value;
    };
    const std::vector<Input> inputs{{tr("Layers"), &core::CustomModel::layers},
                                    {tr("Query heads"), &core::CustomModel::heads},
                                    {tr("KV heads"), &core::CustomModel::kvHeads},
                                    {tr("Head dim"), &core::CustomModel::headDim},
                                    {tr("Parameters"), &core::CustomModel::parameters}};
    m_custom = new QWidget(this);
    auto* column = new QVBoxLayout(m_custom);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(kSpace);
    for (const Input& input : inputs) {
        auto* box = new ValueBox(m_custom);
        box->setObjectName(QStringLiteral("custom-%1").arg(m_customBoxes.size()));
        addRow(column, input.label, box);
        m_customBoxes.push_back(box);
        connect(box, &ValueBox::committed, this, [this, value = input.value](const QString& text) {
            const auto count = core::parseCount(plainNumber(text));
            if (!count)
                return showIssue(core::Field::Model, ui::text(count.error().message));
            core::CustomModel changed = m_description;
            changed.*value = *count;
            chooseCustom(changed);
        });
    }
    layout->addWidget(m_custom);
}

void ControlPanel::addWorkload(QVBoxLayout* layout)
{
    addTitle(layout, tr("Workload"));
    m_context = new ValueBox(this);
    m_contextSlider = new CountSlider(256, kSliderContext, tr("%L1 tokens"), this);
    addCountField(layout, core::Field::Context, tr("Context, tokens"), m_context, m_contextSlider,
                  m_contextRange = caption());
    m_batch = new ValueBox(this);
    m_batchSlider = new CountSlider(1, kSliderBatch, tr("%L1 requests"), this);
    auto* batchRange = caption();
    batchRange->setText(tr("1 to %1").arg(countText(kSliderBatch)));
    addCountField(layout, core::Field::Batch, tr("Batch, requests"), m_batch, m_batchSlider, batchRange);

    const auto setContext = [](core::Scenario& scenario, std::int64_t tokens) { scenario.workload.context = tokens; };
    const auto setBatch = [](core::Scenario& scenario, std::int64_t batch) { scenario.workload.batch = batch; };
    connect(m_contextSlider, &CountSlider::valueChanged, this, [this, setContext](int tokens) {
        publish([&](core::Scenario& scenario) { setContext(scenario, tokens); });
    });
    connect(m_batchSlider, &CountSlider::valueChanged, this,
            [this, setBatch](int batch) { publish([&](core::Scenario& scenario) { setBatch(scenario, batch); }); });
    for (CountSlider* slider : {m_contextSlider, m_batchSlider}) {
        connect(slider, &CountSlider::sliderPressed, this, &ControlPanel::gestureStarted);
        connect(slider, &CountSlider::sliderReleased, this, &ControlPanel::gestureEnded);
    }
    connect(m_context, &ValueBox::committed, this, [this, setContext](const QString& text) {
        readAndPublish(core::Field::Context, text, core::parseCount, setContext);
    });
    connect(m_batch, &ValueBox::committed, this, [this, setBatch](const QString& text) {
        readAndPublish(core::Field::Batch, text, core::parseCount, setBatch);
    });
}

void ControlPanel::addCache(QVBoxLayout* layout)
{
    addTitle(layout, tr("Cache"));
    m_kvHeads = new Choice(this);
    addField(layout, core::Field::KvHeads, tr("KV heads"), m_kvHeads);
    m_kvFormat = new Choice(this);
    m_vFormat = new Choice(this);
    m_vFormat->addItem(tr("as K"), -1);
    for (const core::KvFormatInfo& format : core::kvFormats()) {
        const QString name = QString::fromUtf8(format.name.data());
        m_kvFormat->addItem(name, static_cast<int>(format.format));
        m_vFormat->addItem(name, static_cast<int>(format.format));
    }
    addField(layout, core::Field::KFormat, tr("Format"), m_kvFormat);
    addField(layout, core::Field::VFormat, tr("V format"), m_vFormat);
    addInput(layout, core::Field::KFormat)->addWidget(m_kvFacts = caption());
    m_kvFacts->setObjectName(QStringLiteral("kv-facts"));
    addAllocator(layout);

    connect(m_kvHeads, &QComboBox::activated, this, [this](int row) {
        const std::int64_t heads = m_kvHeads->itemData(row).toLongLong();
        publish([&](core::Scenario& scenario) { scenario.kvHeads = heads > 0 ? std::optional(heads) : std::nullopt; });
    });
    connect(m_kvFormat, &QComboBox::activated, this, [this](int row) {
        const auto format = static_cast<core::KvFormat>(m_kvFormat->itemData(row).toInt());
        publish([&](core::Scenario& scenario) {
            if (scenario.vFormat == scenario.kFormat)
                scenario.vFormat = format;
            scenario.kFormat = format;
        });
    });
    connect(m_vFormat, &QComboBox::activated, this, [this](int row) {
        const int format = m_vFormat->itemData(row).toInt();
        publish([&](core::Scenario& scenario) {
            scenario.vFormat = format < 0 ? scenario.kFormat : static_cast<core::KvFormat>(format);
        });
    });
}

void ControlPanel::addAllocator(QVBoxLayout* layout)
{
    m_engine = new Choice(this);
    for (std::size_t i = 0; i < core::engineIds().size(); ++i)
        m_engine->addItem(ui::text(core::name(static_cast<core::EngineId>(i))), static_cast<int>(i));
    addField(layout, core::Field::Engine, tr("Reserved by"), m_engine);
    m_engineVersion = new ValueBox(this);
    m_engineVersion->setToolTip(tr("The version whose rules count; empty: the newest that is known"));
    addField(layout, core::Field::EngineVersion, tr("Version"), m_engineVersion);
    m_waste = new ValueBox(this);
    addField(layout, core::Field::Waste, tr("Waste, % of reserved"), m_waste);
    m_maxContext = new ValueBox(this);
    m_maxContextTitle = addField(layout, core::Field::MaxContext, tr("Reserved tokens"), m_maxContext);
    m_blockTokens = new ValueBox(this);
    addField(layout, core::Field::BlockTokens, tr("Tokens of a block"), m_blockTokens);

    connect(m_engine, &QComboBox::activated, this,
            [this](int row) { chooseEngine(static_cast<core::EngineId>(m_engine->itemData(row).toInt())); });
    connect(m_engineVersion, &ValueBox::committed, this, [this](const QString& text) {
        publish([&](core::Scenario& scenario) { scenario.engineVersion = text.trimmed().toStdString(); });
    });
    connect(m_waste, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::Waste, text, core::parsePercent,
                       [](core::Scenario& scenario, core::Percent percent) { scenario.waste = percent; });
    });
    connect(m_maxContext, &ValueBox::committed, this, [this](const QString& text) {
        readOrClear(core::Field::MaxContext, text, core::parseCount,
                    [](core::Scenario& scenario, const std::optional<std::int64_t>& tokens) {
                        scenario.workload.maxContext = tokens;
                    });
    });
    connect(m_blockTokens, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::BlockTokens, text, core::parseCount,
                       [](core::Scenario& scenario, std::int64_t tokens) { scenario.blockTokens = tokens; });
    });
}

void ControlPanel::addHardware(QVBoxLayout* layout)
{
    addTitle(layout, tr("Hardware"));
    m_gpu = new Picker(this);
    addField(layout, core::Field::Gpu, tr("GPU"), m_gpu);
    m_memorySize = new Choice(this);
    m_memorySize->setAccessibleName(tr("Memory of the machine"));
    m_memorySize->setMinimumHeight(26);
    m_memorySize->setObjectName(QStringLiteral("memory-size"));
    addInput(layout, core::Field::Gpu)->addWidget(m_memorySize);
    m_gpuCount = new ValueBox(this);
    addField(layout, core::Field::GpuCount, tr("Number of GPUs"), m_gpuCount);
    addRanks(layout);
    m_basis = new Choice(this);
    m_basis->addItem(tr("Usable"), static_cast<int>(core::MemoryBasis::Usable));
    m_basis->addItem(tr("Driver"), static_cast<int>(core::MemoryBasis::Driver));
    m_basis->addItem(tr("Label"), static_cast<int>(core::MemoryBasis::Label));
    m_basis->addItem(tr("Typed size"), static_cast<int>(core::MemoryBasis::Typed));
    addRow(addInput(layout, core::Field::Memory), tr("Memory"), m_basis);
    m_basis->setObjectName(QStringLiteral("memory-basis"));
    m_memory = new ValueBox(this);
    addField(layout, core::Field::Memory, tr("Memory of a GPU"), m_memory);
    addReserve(layout);

    connect(m_gpu, &QComboBox::activated, this, &ControlPanel::chooseGpu);
    connect(m_basis, &QComboBox::activated, this, &ControlPanel::chooseBasis);
    connect(m_memorySize, &QComboBox::activated, this, [this](int row) {
        publish([&](core::Scenario& scenario) {
            scenario.hardware.gpu->memory = scenario.hardware.gpu->sizes.at(static_cast<std::size_t>(row));
        });
    });
    connect(m_gpuCount, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::GpuCount, text, core::parseCount,
                       [](core::Scenario& scenario, std::int64_t count) { scenario.hardware.count = count; });
    });
    connect(m_memory, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::Memory, text, core::parseSize,
                       [](core::Scenario& scenario, core::Bytes bytes) { scenario.hardware.typed = bytes; });
    });
}

/// How the model is spread over several GPUs. What is not typed follows from their number and the engine.
void ControlPanel::addRanks(QVBoxLayout* layout)
{
    struct Input {
        ValueBox*& box;
        core::Field field;
        QString label;
        QString tip;
        std::optional<std::int64_t> core::Parallelism::*ranks;
    };
    const std::array inputs{Input{m_tensor, core::Field::Tensor, tr("Tensor parallel"),
                                  tr("GPUs that divide the heads of every layer"), &core::Parallelism::tensor},
                            Input{m_pipeline, core::Field::Pipeline, tr("Pipeline parallel"),
                                  tr("Stages that divide the layers"), &core::Parallelism::pipeline},
                            Input{m_data, core::Field::Data, tr("Data parallel"),
                                  tr("Copies of the model that divide the requests"), &core::Parallelism::data}};
    for (const Input& input : inputs) {
        input.box = new ValueBox(this);
        input.box->setToolTip(input.tip);
        input.box->setAccessibleDescription(input.tip);
        addField(layout, input.field, input.label, input.box);
        connect(input.box, &ValueBox::committed, this,
                [this, field = input.field, ranks = input.ranks](const QString& text) {
                    readOrClear(field, text, core::parseCount,
                                [ranks](core::Scenario& scenario, const std::optional<std::int64_t>& value) {
                                    scenario.hardware.parallel.*ranks = value;
                                });
                });
    }
}

/// What of each GPU is not for the cache, or all that is.
void ControlPanel::addReserve(QVBoxLayout* layout)
{
    m_cacheMemory = new ValueBox(this);
    m_cacheMemory->setToolTip(tr("Memory of each GPU for the cache; empty: what the engine leaves for it"));
    addField(layout, core::Field::CacheMemory, tr("Cache pool of each GPU"), m_cacheMemory);
    m_reserve = new ValueBox(this);
    addField(layout, core::Field::Reserve, tr("Keep free, % of each GPU"), m_reserve);
    m_overhead = new ValueBox(this);
    addField(layout, core::Field::Overhead, tr("Overhead of each GPU"), m_overhead);

    connect(m_cacheMemory, &ValueBox::committed, this, [this](const QString& text) {
        readOrClear(
            core::Field::CacheMemory, text, core::parseSize,
            [](core::Scenario& scenario, const std::optional<core::Bytes>& bytes) { scenario.cacheMemory = bytes; });
    });
    connect(m_reserve, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::Reserve, text, core::parsePercent,
                       [](core::Scenario& scenario, core::Percent percent) { scenario.reserve = percent; });
    });
    connect(m_overhead, &ValueBox::committed, this, [this](const QString& text) {
        readAndPublish(core::Field::Overhead, text, core::parseSize,
                       [](core::Scenario& scenario, core::Bytes bytes) { scenario.overhead = bytes; });
    });
}

/// The flags of the engine, last: there may be many.
void ControlPanel::addEngine(QVBoxLayout* layout)
{
    addTitle(layout, tr("Engine"));
    m_engineTitle = m_title;
    m_settings = new EngineSettings(this);
    addInput(layout, core::Field::Setting)->addWidget(m_settings);
    connect(m_settings, &EngineSettings::edited, this, [this](const QString& flag, const QString& value) {
        publish([&](core::Scenario& scenario) {
            if (value.isEmpty())
                scenario.settings.erase(flag.toStdString());
            else
                scenario.settings.set(flag.toStdString(), value.toStdString());
        });
    });
}

} // namespace ui
