// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/custom_model.h"
#include "core/readers/local_models.h"
#include "core/sizing/evaluation.h"
#include "ui/catalogue.h"

#include <QHash>
#include <QScrollArea>

#include <functional>
#include <optional>
#include <vector>

class QLabel;
class QPushButton;
class QVBoxLayout;

namespace ui {

class Choice;
class CountSlider;
class EngineSettings;
class Picker;
class ValueBox;

/// The inputs, in the order of the formula: model, workload, cache, hardware. Shows an evaluation in one function and
/// publishes changed copies of its scenario; what cannot be read is named at its field and not published.
class ControlPanel : public QScrollArea {
    Q_OBJECT

public:
    explicit ControlPanel(const Catalogue& catalogue, QWidget* parent = nullptr);

    void show(const core::Evaluation& evaluation);
    using QWidget::show;

    /// Takes over what the catalogue holds.
    void fillPickers();

    /// Offers the models on this computer beside the catalogue's.
    void setLocalModels(const std::vector<core::readers::LocalModel>& models);

    /// Leaves only these inputs open; nothing: all. Locked ones are disabled or, where `hide`, not seen. What is held
    /// back is not told.
    struct Lock {
        std::optional<std::vector<core::Field>> open;
        bool hide = false;
        bool growthHeldBack = false;  ///< of the cache
        bool weightsHeldBack = false; ///< their size
        bool layoutHeldBack = false;  ///< layers and heads
    };
    void setLock(Lock lock);

    /// As high as the inputs that are shown.
    QSize sizeHint() const override;

    /// Lights the control of a field; nothing: none.
    void highlight(std::optional<core::Field> field);

signals:
    void edited(const core::Scenario& scenario);
    void openRequested();
    /// A model on this computer was chosen: its file or folder.
    void fileChosen(const QString& path);
    /// The name of a model on a hub was typed.
    void nameTyped(const QString& name);
    /// A drag of a slider begins or ends: all its edits are one.
    void gestureStarted();
    void gestureEnded();

private:
    void addModel(QVBoxLayout* layout);
    void addWorkload(QVBoxLayout* layout);
    void addCustom(QVBoxLayout* layout);
    void addCache(QVBoxLayout* layout);
    void addAllocator(QVBoxLayout* layout);
    void addHardware(QVBoxLayout* layout);
    void addRanks(QVBoxLayout* layout);
    void addReserve(QVBoxLayout* layout);
    void addEngine(QVBoxLayout* layout);
    QLabel* caption();
    /// A row of its own for an input, which is locked with the field.
    QVBoxLayout* addInput(QVBoxLayout* layout, core::Field field);
    void addTitle(QVBoxLayout* layout, const QString& title);
    /// The label before the editor.
    QLabel* addField(QVBoxLayout* layout, core::Field field, const QString& label, QWidget* editor);
    void addCountField(QVBoxLayout* layout, core::Field field, const QString& label, ValueBox* box, CountSlider* slider,
                       QLabel* range);
    QLabel* addRow(QVBoxLayout* layout, const QString& label, QWidget* editor);
    void addIssue(QVBoxLayout* layout, core::Field field);

    void showLocks();
    void showHeldBack();
    void showRow(QWidget* editor, bool visible);
    void showInputs();
    void showModel();
    void showModelName();
    void showStoredWeights();
    void showKvHeads();
    void showCache();
    void showHardware();
    void showRanks();
    void showMachineSizes();
    void showReserve();
    void showFacts(const core::Evaluation& evaluation);
    void showIssues(const std::vector<core::Issue>& issues);
    void showIssue(core::Field field, const QString& text);

    /// Publishes the shown scenario with one change.
    void publish(const std::function<void(core::Scenario&)>& change);
    /// Reads typed text and publishes the change, or names the issue at the field.
    template <typename Read, typename Change>
    void readAndPublish(core::Field field, const QString& text, Read read, Change change);
    /// Likewise for a value that need not be typed: without text there is none.
    template <typename Read, typename Change>
    void readOrClear(core::Field field, const QString& text, Read read, Change change);

    void fillLocalModels();
    void chooseEngine(core::EngineId engine);
    void chooseModel(int index);
    void chooseCustom(const core::CustomModel& description);
    void chooseWeights(int index);
    void chooseGpu(int index);
    void chooseBasis(int index);

    struct InputRow {
        core::Field field;
        QWidget* row;
        QLabel* title;      ///< of the section
        bool wanted = true; ///< the scenario has this input
    };

    const Catalogue& m_catalogue;
    std::vector<core::readers::LocalModel> m_localModels;
    std::vector<InputRow> m_inputs;
    QLabel* m_title = nullptr; ///< of the section that is being added
    Lock m_lock;
    core::Scenario m_scenario;
    QHash<int, QLabel*> m_issues;

    Picker* m_model = nullptr;
    QLabel* m_modelFacts = nullptr;
    QWidget* m_custom = nullptr;
    std::vector<ValueBox*> m_customBoxes;
    core::CustomModel m_description;
    Choice* m_kvHeads = nullptr;
    Choice* m_weights = nullptr;
    ValueBox* m_weightBytes = nullptr;
    QLabel* m_weightFacts = nullptr;
    ValueBox* m_context = nullptr;
    CountSlider* m_contextSlider = nullptr;
    QLabel* m_contextRange = nullptr;
    ValueBox* m_batch = nullptr;
    CountSlider* m_batchSlider = nullptr;
    Choice* m_kvFormat = nullptr;
    Choice* m_vFormat = nullptr;
    QLabel* m_kvFacts = nullptr;
    Choice* m_engine = nullptr;
    ValueBox* m_engineVersion = nullptr;
    QLabel* m_engineTitle = nullptr; ///< of the section with its settings
    EngineSettings* m_settings = nullptr;
    ValueBox* m_maxContext = nullptr;
    QLabel* m_maxContextTitle = nullptr;
    ValueBox* m_blockTokens = nullptr;
    ValueBox* m_waste = nullptr;
    Picker* m_gpu = nullptr;
    Choice* m_memorySize = nullptr;
    ValueBox* m_gpuCount = nullptr;
    ValueBox* m_tensor = nullptr;
    ValueBox* m_pipeline = nullptr;
    ValueBox* m_data = nullptr;
    Choice* m_basis = nullptr;
    ValueBox* m_memory = nullptr;
    ValueBox* m_cacheMemory = nullptr;
    ValueBox* m_reserve = nullptr;
    ValueBox* m_overhead = nullptr;
};

} // namespace ui
