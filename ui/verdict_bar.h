// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verdict.h"

#include <QWidget>

namespace ui {

/// The last line: one word, one sentence, and on what they rest. Painted in one piece, since it changes at every
/// slider step; its text can be copied (Edit > Copy verdict).
class VerdictBar : public QWidget {
    Q_OBJECT

public:
    explicit VerdictBar(QWidget* parent = nullptr);

    void show(const core::Verdict& verdict);
    using QWidget::show;

    /// "Fits. 19.96 GiB of 23.64 GiB used, … 24 GiB card, 23.64 GiB usable."
    QString verdictText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    core::Outcome m_outcome = core::Outcome::NoCapacity;
    QString m_word;
    QString m_sentence;
    QString m_notes;
};

} // namespace ui
