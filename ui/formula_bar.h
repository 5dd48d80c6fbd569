// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/sizing/evaluation.h"
#include "core/sizing/explain.h"

#include <QWidget>

#include <optional>
#include <vector>

class QPainter;

namespace ui {

/// What a factor of the formula stands for: the input that sets it and the line it moves.
struct FormulaFactor {
    QString name;
    QString number;
    QString tip;
    std::optional<core::Field> field; ///< nothing for constants

    friend bool operator==(const FormulaFactor&, const FormulaFactor&) = default;
};

/// The headline: the cache as a product (or, for several kinds of layers, a sum) with each factor named above its
/// number, the result in GiB large and in GB small. Painted in one piece, since it changes at every slider step;
/// smaller where it would not fit.
class FormulaBar : public QWidget {
    Q_OBJECT

public:
    explicit FormulaBar(QWidget* parent = nullptr);

    /// While disabled it is shown faded.
    void show(const core::Evaluation& evaluation);
    using QWidget::show;

    /// The formula as one line of text.
    QString formulaText() const;

    const std::vector<FormulaFactor>& factors() const { return m_factors; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A factor is pointed at or chosen with the arrow keys; nothing: none is any more.
    void factorChosen(std::optional<core::Field> field);
    void explanationRequested(core::Quantity quantity, const QPoint& globalPlace);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void choose(int factor);
    /// Draws the formula where there is a painter, and says how wide it is.
    double draw(QPainter* painter);

    std::vector<FormulaFactor> m_factors;
    std::vector<QRectF> m_boxes; ///< of the factors, as last painted, before scaling
    double m_scale = 1;          ///< of what was last painted
    int m_chosen = -1;
    QString m_sign; ///< between two factors: · or +
    QString m_size;
    QString m_otherUnit; ///< the size in GB, or in GiB when GB are shown
};

} // namespace ui
