// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/annotations.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>

namespace ui {

namespace {

constexpr double kAway = 7; ///< pixels between a marked point and its label

QFont titleFont()
{
    return fontOf(Type::Label, QFont::DemiBold);
}

QFont detailFont()
{
    return fontOf(Type::Label);
}

} // namespace

Annotations::Annotations(QGraphicsItem* chart) : QGraphicsItem(chart)
{
    setZValue(100);
    setAcceptedMouseButtons(Qt::NoButton);
}

void Annotations::clear(const QRectF& area, const Theme& theme)
{
    if (area != m_area)
        prepareGeometryChange();
    m_area = area;
    m_theme = &theme;
    m_labels.clear();
    m_captions.clear();
    m_points.clear();
    m_handles.clear();
    m_lines.clear();
    m_boxes.clear();
    update();
}

QSizeF Annotations::sizeOf(const Label& label)
{
    const QFontMetricsF title(titleFont());
    const QFontMetricsF detail(detailFont());
    const double width = std::max(title.horizontalAdvance(label.title), detail.horizontalAdvance(label.detail));
    return {width, title.height() + (label.detail.isEmpty() ? 0 : detail.height())};
}

void Annotations::addLabel(const Label& label, const QPointF& place)
{
    m_labels.push_back({label, QRectF(place, sizeOf(label))});
}

void Annotations::addLabelNear(const Label& label, const QPointF& anchor, const QRectF& bounds)
{
    const QSizeF size = sizeOf(label);
    const double right = anchor.x() + kAway;
    const double left = anchor.x() - kAway - size.width();
    const double above = anchor.y() - kAway - size.height();
    const double below = anchor.y() + kAway;
    const double middle = anchor.y() - size.height() / 2;
    const double farAbove = above - size.height() - kAway;
    const double farBelow = below + size.height() + kAway;
    const std::array places{QPointF(right, below),    QPointF(left, above),     QPointF(right, middle),
                            QPointF(left, middle),    QPointF(right, above),    QPointF(left, below),
                            QPointF(right, farBelow), QPointF(left, farAbove),  QPointF(right, farAbove),
                            QPointF(left, farBelow)};
    const auto isFree = [&](const QPointF& place) {
        const QRectF box(place, size);
        return bounds.contains(box) && std::ranges::none_of(m_labels, [&](const PlacedLabel& other) {
                   return other.box.adjusted(-kSpace, 0, kSpace, 0).intersects(box);
               });
    };
    const auto found = std::ranges::find_if(places, isFree);
    QPointF place = found == places.end() ? places.front() : *found;
    place.setX(std::clamp(place.x(), bounds.left(), std::max(bounds.left(), bounds.right() - size.width())));
    place.setY(std::clamp(place.y(), bounds.top(), std::max(bounds.top(), bounds.bottom() - size.height())));
    m_labels.push_back({label, QRectF(place, size)});
}

void Annotations::addCaption(const QString& text, const QRectF& box, Qt::Alignment alignment)
{
    m_captions.push_back({text, box, alignment});
}

void Annotations::addPoint(const QPointF& place, Role role)
{
    m_points.push_back({place, role});
}

void Annotations::addLine(const QLineF& line, Role role, qreal width, Qt::PenStyle style)
{
    m_lines.push_back({line, role, width, style});
}

void Annotations::addHatch(const QRectF& box, Role role, Qt::BrushStyle pattern)
{
    m_boxes.push_back({box, role, pattern, Qt::NoPen});
}

void Annotations::addFrame(const QRectF& box, Role role, Qt::PenStyle style)
{
    m_boxes.push_back({box, role, Qt::NoBrush, style});
}

void Annotations::addHandle(const QPointF& place, Role role)
{
    m_handles.push_back({place, role});
}

void Annotations::paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*)
{
    const QColor page = m_theme->color(Role::Page);
    for (const Box& box : m_boxes) {
        painter->setPen(box.frame == Qt::NoPen ? QPen(Qt::NoPen) : QPen(m_theme->color(box.role), 1, box.frame));
        painter->setBrush(QBrush(m_theme->color(box.role), box.pattern));
        painter->drawRect(box.box);
    }
    for (const Line& line : m_lines) {
        painter->setPen(QPen(m_theme->color(line.role), line.width, line.style, Qt::FlatCap));
        painter->drawLine(line.line);
    }
    painter->setBrush(page);
    for (const Point& point : m_points) {
        painter->setPen(QPen(m_theme->color(point.role), 2));
        painter->drawEllipse(point.place, 4.5, 4.5);
    }
    painter->setPen(Qt::NoPen);
    for (const Point& handle : m_handles) {
        painter->setBrush(m_theme->color(handle.role));
        const std::array triangle{handle.place, handle.place + QPointF(6, 9), handle.place + QPointF(-6, 9)};
        painter->drawConvexPolygon(triangle.data(), static_cast<int>(triangle.size()));
    }
    QColor halo = page;
    halo.setAlpha(215);
    for (const PlacedLabel& placed : m_labels)
        painter->fillRect(placed.box.adjusted(-2, 0, 2, 0), halo);
    const QFont title = titleFont();
    const QFont detail = detailFont();
    painter->setFont(title);
    for (const PlacedLabel& placed : m_labels) {
        painter->setPen(m_theme->color(placed.label.role));
        painter->drawText(placed.box, Qt::AlignLeft | Qt::AlignTop, placed.label.title);
    }
    painter->setFont(detail);
    painter->setPen(m_theme->color(Role::Muted));
    for (const PlacedLabel& placed : m_labels) {
        if (!placed.label.detail.isEmpty())
            painter->drawText(placed.box, Qt::AlignLeft | Qt::AlignBottom, placed.label.detail);
    }
    painter->setFont(fontOf(Type::Caption));
    for (const Caption& caption : m_captions)
        painter->drawText(caption.box, static_cast<int>(caption.alignment), caption.text);
}

} // namespace ui
