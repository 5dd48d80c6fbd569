// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/verdict.h"

#include <QWidget>

namespace ui {

/// Word, sentence and notes of a verdict. Painted in one piece, since it changes at every slider step; a click asks
/// for an explanation.
class VerdictText : public QWidget {
    Q_OBJECT

public:
    explicit VerdictText(QWidget* parent = nullptr);

    void show(const core::Verdict& verdict);
    using QWidget::show;
    QString verdictText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

signals:
    void clicked(const QPoint& globalPlace);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    core::Outcome m_outcome = core::Outcome::NoCapacity;
    QString m_word;
    QString m_sentence;
    QString m_notes;
};

} // namespace ui
