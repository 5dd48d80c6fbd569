// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/footprint.h"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QLabel;

namespace ui {

/// The flags of the chosen engine, built from its table: a list for a switch or a choice, a box for all else. A box
/// that is emptied has the default of the engine's version again, which it shows meanwhile. A flag that makes no
/// difference to the scenario and has no value is not seen.
class EngineSettings : public QWidget {
    Q_OBJECT

public:
    explicit EngineSettings(QWidget* parent = nullptr);

    void show(const core::Scenario& scenario);
    using QWidget::show;
    /// Names what is wrong with a setting at its place.
    void showIssues(const std::vector<core::Issue>& issues);
    bool isEmpty() const { return m_rows.empty(); }

signals:
    /// A flag was given a value; an empty one is the default.
    void edited(const QString& flag, const QString& value);

private:
    struct Row {
        QString flag;
        QLabel* title;
        QWidget* editor;
        QLabel* issue;
    };

    void build(core::EngineId engine);

    std::optional<core::EngineId> m_engine; ///< whose flags are shown
    QGridLayout* m_grid;
    std::vector<Row> m_rows;
};

} // namespace ui
