// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/footprint.h"

#include <QWidget>

#include <vector>

class QPainter;

namespace ui {

/// The headline: the cache as a product (or, for several kinds of layers, a sum) with each factor named above its
/// number, the result in GiB large and in GB small. Painted in one piece, since it changes at every slider step;
/// smaller where it would not fit.
class FormulaBar : public QWidget {
    Q_OBJECT

public:
    explicit FormulaBar(QWidget* parent = nullptr);

    void show(const core::Evaluation& evaluation);
    using QWidget::show;

    /// The formula as one line of text.
    QString formulaText() const;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Factor {
        QString name;
        QString number;
    };

    /// Draws the formula where there is a painter, and says how wide it is.
    double draw(QPainter* painter) const;

    std::vector<Factor> m_factors;
    QString m_sign; ///< between two factors: · or +
    QString m_gib;
    QString m_gb;
};

} // namespace ui
