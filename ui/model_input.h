// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/custom_model.h"
#include "core/readers/local_models.h"
#include "core/scenario/scenario.h"

#include <QWidget>

#include <vector>

class QLabel;
class QVBoxLayout;

namespace ui {

class Picker;
class ValueBox;

/// The choice of a model: from the catalogue, from the models on this computer, by a name on a hub, from a file, or
/// described by hand.
class ModelInput : public QWidget {
    Q_OBJECT

public:
    /// The catalogue's models must outlive the widget.
    explicit ModelInput(const std::vector<core::Model>& models, QWidget* parent = nullptr);

    /// Lists the catalogue's models anew.
    void fill();
    void setLocalModels(const std::vector<core::readers::LocalModel>& models);

    /// Shows another model, with its layers and heads.
    void showModel(const core::Model& model);
    /// Shows the name; a model whose KV heads were changed by hand is no longer the published one.
    void showName(const core::Scenario& scenario);
    /// Layers and heads are what a question of a lesson asks for, so they are not told.
    void holdBack(bool held);
    void showIssue(const QString& issue);

signals:
    /// Another model of the catalogue was chosen.
    void chosen(const core::Model& model);
    /// The description of a custom model was changed.
    void described(const core::Model& model);
    void openRequested();
    /// A model on this computer was chosen: its file or folder.
    void fileChosen(const QString& path);
    /// The name of a model on a hub was typed.
    void nameTyped(const QString& name);

private:
    void addCustom(QVBoxLayout* layout);
    void fillLocalModels();
    void choose(int index);
    void describe(const core::CustomModel& description);

    const std::vector<core::Model>& m_models;
    std::vector<core::readers::LocalModel> m_localModels;
    core::CustomModel m_description;
    bool m_isHeldBack = false;
    Picker* m_picker;
    QLabel* m_issue;
    QLabel* m_facts;
    QWidget* m_custom;
    std::vector<ValueBox*> m_customBoxes;
};

} // namespace ui
