// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/local_models.h"
#include "core/scenario/inputs.h"
#include "core/sizing/evaluation.h"
#include "ui/catalogue.h"

#include <QScrollArea>

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

class QLabel;
class QVBoxLayout;

namespace ui {

class Choice;
class EngineSettings;
class InputRow;
class ModelInput;
class Picker;

/// The inputs, in the order of the formula: model, workload, cache, hardware. The panel lays them out from the table of
/// inputs (`core/scenario/inputs.h`), shows an evaluation in one function and publishes changed copies of its scenario.
/// What cannot be read is named at its input and not published.
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

    /// Leaves only these inputs open, or all of them where nothing is listed. The others are disabled or, with `hide`,
    /// not seen. What is held back is not told, because a lesson asks for it.
    struct Lock {
        std::optional<std::vector<core::Field>> open;
        bool hide = false;
        bool growthHeldBack = false;  ///< The growth of the cache is not told.
        bool weightsHeldBack = false; ///< The size of the weights is not told.
        bool layoutHeldBack = false;  ///< Layers and heads are not told.
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
    /// An input, or something beside one, which is seen and locked with it.
    struct Row {
        core::Field field;
        QWidget* widget;
        QLabel* title;      ///< Heads the section.
        bool wanted = true; ///< The scenario has this input.
        InputRow* input = nullptr;
    };

    QVBoxLayout* addRow(core::Field field);
    void addTitle(const QString& title);
    void addModel();
    void addInputs(std::string_view group);
    void addInput(const core::Input& input);
    void addBeside(const core::Input& input);
    void addSettings();

    InputRow* rowOf(core::Field field);
    void showLocks();
    void showHeldBack();
    void showInputs();
    void showGpu();
    void showFacts(const core::Evaluation& evaluation);
    void showIssues(const std::vector<core::Issue>& issues);
    void showIssue(core::Field field, const QString& text);

    /// Publishes the shown scenario with one change.
    void publish(const std::function<void(core::Scenario&)>& change);
    /// Publishes what was typed, or says at the input why it cannot be read.
    void commit(const core::Input& input, const QString& typed);
    void chooseModel(const core::Model& model, bool published);
    void chooseGpu(int index);

    const Catalogue& m_catalogue;
    QVBoxLayout* m_layout = nullptr;
    std::vector<Row> m_rows;
    QLabel* m_title = nullptr; ///< Heads the section that is being added.
    Lock m_lock;
    core::Scenario m_scenario;

    ModelInput* m_model = nullptr;
    QLabel* m_weightFacts = nullptr;
    QLabel* m_kvFacts = nullptr;
    Picker* m_gpu = nullptr;
    Choice* m_memorySize = nullptr;
    EngineSettings* m_settings = nullptr;
};

} // namespace ui
