// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "ui/data_table.h"
#include "ui/views/view.h"

class QLabel;
class QPlainTextEdit;
class QPushButton;
class QStackedWidget;
class QTableView;

namespace ui {

class KindKey;
class LayerStrip;

/// The model opened up: a strip of its layers, each group of layers with its law and growth, the origin of every value,
/// the weights by part, remarks. Its second page is the model as text, to be edited by hand.
class ModelView : public View {
    Q_OBJECT

public:
    explicit ModelView(QWidget* parent = nullptr);

    /// Shows the current model, with or without issues. Text that is being edited is left alone.
    void show(const Shown& shown) override;
    using View::show;
    bool editModelAsText() override;

private:
    void createPages();
    QWidget* createFacts();
    QWidget* createText();
    void showModel();
    void showLayer(int layer);
    void fillText();
    void apply();

    core::Scenario m_scenario; ///< that is edited
    core::Scenario m_counted;  ///< the same, without heads that its layers cannot share
    QStackedWidget* m_pages;   ///< facts, then text
    QPushButton* m_edit = nullptr;
    QLabel* m_name = nullptr;
    QLabel* m_facts = nullptr;
    LayerStrip* m_strip = nullptr;
    KindKey* m_key = nullptr;
    QLabel* m_layer = nullptr;
    QLabel* m_notes = nullptr;
    DataTableModel* m_groups = nullptr;
    DataTableModel* m_weights = nullptr;
    DataTableModel* m_origins = nullptr;
    std::vector<QTableView*> m_tables;
    QPlainTextEdit* m_text = nullptr;
    QLabel* m_issue = nullptr;
};

} // namespace ui
