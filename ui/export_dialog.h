// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_export.h"

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QSpinBox;

namespace ui {

/// Asks how a chart is to be written: file, size, dots per inch, theme, title. Remembers the last answers.
class ExportDialog : public QDialog {
    Q_OBJECT

public:
    /// `settings` are those that are not asked for.
    ExportDialog(const Picture& picture, const core::Evaluation& evaluation, const ExportSettings& settings,
                 QWidget* parent = nullptr);

    /// Writes the file; an error is shown in the dialog, which then stays.
    void accept() override;

private:
    void chooseFile();

    const Picture& m_picture;
    const core::Evaluation& m_evaluation;
    ExportSettings m_settings;
    QLineEdit* m_file;
    QComboBox* m_size;
    QSpinBox* m_dpi;
    QCheckBox* m_dark;
    QLineEdit* m_title;
    QLabel* m_issue;
};

} // namespace ui
