// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/advice.h"
#include "core/sizing/explain.h"
#include "core/sizing/verdict.h"

#include <QWidget>

#include <vector>

class QPushButton;

namespace ui {

class VerdictText;

/// The last line: one word, one sentence, on what they rest, and what one click would change.
class VerdictBar : public QWidget {
    Q_OBJECT

public:
    explicit VerdictBar(QWidget* parent = nullptr);

    void show(const core::Verdict& verdict, std::vector<core::Advice> advice);
    using QWidget::show;

    /// Whether there is a place for advice at all.
    void setAdvised(bool advised) { m_row->setVisible(advised); }

    /// "Fits. 19.96 GiB of 23.64 GiB used, … 24 GiB card, 23.64 GiB usable."
    QString verdictText() const;

signals:
    void edited(const core::Scenario& scenario);
    void explanationRequested(core::Quantity quantity, const QPoint& globalPlace);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void placeButtons();

    VerdictText* m_text;
    QWidget* m_row;
    std::vector<QPushButton*> m_buttons;
    std::vector<core::Advice> m_advice;
};

} // namespace ui
