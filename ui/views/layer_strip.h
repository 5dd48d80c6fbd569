// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/cache_group.h"
#include "core/model/model.h"
#include "ui/theme.h"

#include <QBrush>
#include <QRectF>
#include <QWidget>

#include <vector>

namespace ui {

/// How a kind of cache is painted: the cache's colour in a strength, and a pattern, of its own. One table for the strip
/// and its key.
struct KindPaint {
    double strength; ///< of the cache's colour on the page, 0 to 1
    Qt::BrushStyle pattern;
};
KindPaint paintOf(core::CacheKind kind);

/// Paints a box of that kind.
void paintKind(QPainter& painter, const QRectF& box, core::CacheKind kind, const Theme& theme);

/// All layers of a model in a row (or several, of 64), each in the paint of what it keeps; a layer that keeps several
/// things is divided. A layer is pointed at, or chosen with the arrow keys.
class LayerStrip : public QWidget {
    Q_OBJECT

public:
    explicit LayerStrip(QWidget* parent = nullptr);

    void show(const core::Model& model);
    using QWidget::show;

    /// Frames the layers of a group; -1: none.
    void frame(int group);

    /// The chosen layer; -1: none.
    int chosen() const { return m_chosen; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {200, sizeHint().height()}; }

signals:
    /// A layer is pointed at or chosen; -1: none is any more.
    void layerChosen(int layer);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void choose(int layer);
    int rows() const;
    QRectF boxOf(int layer) const;

    std::vector<std::vector<core::CacheKind>> m_layers; ///< what each layer keeps
    std::vector<std::vector<int>> m_groups;             ///< the groups each layer belongs to
    int m_chosen = -1;
    int m_framed = -1;
};

} // namespace ui
