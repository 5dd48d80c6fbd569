// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/layer_strip.h"

#include "ui/texts.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kPerRow = 64;
constexpr double kWidest = 22; ///< of a layer, pixels
constexpr int kHeight = 28;
constexpr int kNumbers = 18; ///< room for the layers' numbers below a row
constexpr int kNumberEvery = 8;
constexpr int kMargin = 3; ///< for the frame of what has the focus

QColor mixed(const QColor& front, const QColor& back, double share)
{
    const auto mix = [&](int a, int b) { return qRound(a * share + b * (1 - share)); };
    return {mix(front.red(), back.red()), mix(front.green(), back.green()), mix(front.blue(), back.blue())};
}

} // namespace

KindPaint paintOf(core::CacheKind kind)
{
    switch (kind) {
    case core::CacheKind::Full:
        return {1, Qt::NoBrush};
    case core::CacheKind::Window:
        return {0.6, Qt::BDiagPattern};
    case core::CacheKind::Chunk:
        return {0.6, Qt::CrossPattern};
    case core::CacheKind::Latent:
        return {0.85, Qt::HorPattern};
    case core::CacheKind::Index:
        return {0.4, Qt::VerPattern};
    case core::CacheKind::Compressed:
        return {0.5, Qt::DiagCrossPattern};
    case core::CacheKind::State:
        return {0.3, Qt::Dense6Pattern};
    case core::CacheKind::Cross:
        return {0.8, Qt::FDiagPattern};
    case core::CacheKind::Shared:
        return {0.1, Qt::BDiagPattern};
    case core::CacheKind::None:
        break;
    }
    return {0, Qt::NoBrush};
}

void paintKind(QPainter& painter, const QRectF& box, core::CacheKind kind, const Theme& theme)
{
    const KindPaint paint = paintOf(kind);
    const QColor fill = mixed(theme.color(Role::Cache), theme.color(Role::Page), paint.strength);
    painter.fillRect(box, fill);
    if (paint.pattern != Qt::NoBrush) {
        const QColor over = paint.strength > 0.5 ? theme.color(Role::Page) : theme.color(Role::Cache);
        painter.fillRect(box, QBrush(over, paint.pattern));
    }
    painter.setPen(QPen(theme.color(Role::Muted), 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(0.5, 0.5, -0.5, -0.5));
}

LayerStrip::LayerStrip(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Layers of the model"));
    setObjectName(QStringLiteral("layers"));
}

void LayerStrip::show(const core::Model& model)
{
    m_layers.assign(static_cast<std::size_t>(model.layers), {});
    m_groups.assign(m_layers.size(), {});
    for (std::size_t group = 0; group < model.groups.size(); ++group) {
        for (const std::int32_t layer : model.groups[group].layers.layers()) {
            if (static_cast<std::size_t>(layer) >= m_layers.size())
                continue; // encoders and drafts are beyond the strip
            m_layers[static_cast<std::size_t>(layer)].push_back(model.groups[group].kind);
            m_groups[static_cast<std::size_t>(layer)].push_back(static_cast<int>(group));
        }
    }
    m_framed = -1;
    choose(-1);
    updateGeometry();
    update();
}

void LayerStrip::frame(int group)
{
    m_framed = group;
    update();
}

int LayerStrip::rows() const
{
    return std::max(1, (static_cast<int>(m_layers.size()) + kPerRow - 1) / kPerRow);
}

QSize LayerStrip::sizeHint() const
{
    return {700, rows() * (kHeight + kNumbers) + 2 * kMargin};
}

QRectF LayerStrip::boxOf(int layer) const
{
    const int columns = std::min(kPerRow, static_cast<int>(m_layers.size()));
    const double each = std::min(kWidest, (width() - 2.0 * kMargin) / std::max(1, columns));
    return {kMargin + layer % kPerRow * each, double(kMargin) + layer / kPerRow * (kHeight + kNumbers), each, kHeight};
}

void LayerStrip::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::of(palette());
    QPainter painter(this);
    painter.setFont(fontOf(Type::Caption));
    for (int layer = 0; layer < static_cast<int>(m_layers.size()); ++layer) {
        const QRectF box = boxOf(layer);
        const auto& kinds = m_layers[static_cast<std::size_t>(layer)];
        if (kinds.empty())
            paintKind(painter, box, core::CacheKind::None, theme);
        for (std::size_t i = 0; i < kinds.size(); ++i) {
            const double part = box.height() / static_cast<double>(kinds.size());
            paintKind(painter, QRectF(box.left(), box.top() + static_cast<double>(i) * part, box.width(), part),
                      kinds[i], theme);
        }
        const auto& groups = m_groups[static_cast<std::size_t>(layer)];
        const bool framed = std::ranges::find(groups, m_framed) != groups.end();
        if (framed || layer == m_chosen) {
            painter.setPen(QPen(theme.color(Role::Accent), layer == m_chosen ? 3 : 2));
            painter.drawRect(box.adjusted(1, 1, -1, -1));
        }
        if (layer % kNumberEvery == 0) {
            painter.setPen(theme.color(Role::Muted));
            painter.drawText(QPointF(box.left(), box.bottom() + 13), countText(layer));
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Role::Accent), 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.75, 0.75, -0.75, -0.75), 3, 3);
    }
}

void LayerStrip::choose(int layer)
{
    if (layer == m_chosen)
        return;
    m_chosen = layer;
    update();
    emit layerChosen(layer);
}

void LayerStrip::mouseMoveEvent(QMouseEvent* event)
{
    int found = -1;
    for (int layer = 0; layer < static_cast<int>(m_layers.size()); ++layer) {
        if (boxOf(layer).contains(event->position()))
            found = layer;
    }
    choose(found);
}

void LayerStrip::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_layers.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Right:
        return choose(std::min(m_chosen + 1, last));
    case Qt::Key_Left:
        return choose(std::max(m_chosen - 1, 0));
    case Qt::Key_Home:
        return choose(std::min(0, last));
    case Qt::Key_End:
        return choose(last);
    default:
        QWidget::keyPressEvent(event);
    }
}

void LayerStrip::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    choose(-1);
}

void LayerStrip::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    choose(-1);
}

void LayerStrip::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    update();
}

} // namespace ui
