// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/annotations.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <limits>

namespace ui {

namespace {

constexpr double kAway = 7; ///< pixels between a marked point and its label
constexpr double kFront = 100;
constexpr double kBetweenGridAndLines = 3.5; ///< Qt Charts draws axes at 3 and series at 4
constexpr int kPlaces = 12;                  ///< half lines that a label may lie away from its point
constexpr int kLabelWeight = 100; ///< what covering a label, or a line, costs against half a line of distance
constexpr int kLineWeight = 4;
constexpr double kFar = 24; ///< pixels from which a line leads from the point to its label
constexpr int kVeil = 130;  ///< opacity of a filled box: what lies below stays visible

QFont titleFont()
{
    return fontOf(Type::Label, QFont::DemiBold);
}

QFont detailFont()
{
    return fontOf(Type::Label);
}

} // namespace

Annotations::Annotations(QGraphicsItem* chart, Layer layer) : QGraphicsItem(chart)
{
    setZValue(layer == Layer::Front ? kFront : kBetweenGridAndLines);
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
    m_crisp.clear();
    m_boxes.clear();
    m_obstacles.clear();
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
    const QRectF room(bounds.topLeft(), bounds.size() - size);
    const auto placeAt = [&](bool right, double dy) {
        const double x = right ? anchor.x() + kAway : anchor.x() - kAway - size.width();
        return QPointF(std::clamp(x, room.left(), std::max(room.left(), room.right())),
                       std::clamp(anchor.y() + dy, room.top(), std::max(room.top(), room.bottom())));
    };
    QRectF best;
    int fewest = std::numeric_limits<int>::max();
    for (int step = 0; step < kPlaces && fewest > step; ++step) { // no farther place can cost less than its distance
        const double below = kAway + step * (size.height() / 2);
        for (const double dy : {below, -size.height() - below}) {
            for (const bool right : {true, false}) {
                const QRectF box(placeAt(right, dy), size);
                const int covers = covered(box) + step;
                if (covers < fewest) {
                    fewest = covers;
                    best = box;
                }
            }
        }
    }
    leadTo(best, anchor, label.role);
    m_labels.push_back({label, best});
}

/// Draws a thin line from a point to a label that lies away from it.
void Annotations::leadTo(const QRectF& label, const QPointF& point, Role role)
{
    const bool below = label.top() > point.y();
    const double gap = below ? label.top() - point.y() : point.y() - label.bottom();
    if (gap > kFar)
        addLine(QLineF(point, QPointF(std::clamp(point.x(), label.left(), label.right()),
                                      below ? label.top() : label.bottom())),
                role, 1, Qt::DotLine);
}

/// How much a label in `box` would cover; other labels count most.
int Annotations::covered(const QRectF& box) const
{
    const QRectF wide = box.adjusted(-kSpace, 0, kSpace, 0);
    const auto labels =
        std::ranges::count_if(m_labels, [&](const PlacedLabel& other) { return other.box.intersects(wide); });
    const std::array sides{QLineF(box.topLeft(), box.bottomRight()), QLineF(box.bottomLeft(), box.topRight())};
    const auto lines = std::ranges::count_if(m_obstacles, [&](const QLineF& line) {
        return std::ranges::any_of(
            sides, [&](const QLineF& side) { return side.intersects(line, nullptr) == QLineF::BoundedIntersection; });
    });
    return static_cast<int>(labels * kLabelWeight + lines * kLineWeight);
}

bool Annotations::isFree(const QRectF& box) const
{
    return std::ranges::none_of(m_labels, [&](const PlacedLabel& label) { return label.box.intersects(box); });
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

void Annotations::addCrispLines(std::vector<QLineF> lines, Role role)
{
    m_crisp.push_back({std::move(lines), role});
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
    const bool antialiased = painter->testRenderHint(QPainter::Antialiasing);
    painter->setRenderHint(QPainter::Antialiasing, false);
    for (const CrispLines& crisp : m_crisp) {
        painter->setPen(QPen(m_theme->color(crisp.role), 1));
        painter->drawLines(crisp.lines.data(), static_cast<int>(crisp.lines.size()));
    }
    painter->setRenderHint(QPainter::Antialiasing, antialiased);
    for (const Box& box : m_boxes) {
        QColor fill = m_theme->color(box.role);
        fill.setAlpha(box.pattern == Qt::SolidPattern ? kVeil : 255);
        painter->setPen(box.frame == Qt::NoPen ? QPen(Qt::NoPen) : QPen(m_theme->color(box.role), 1, box.frame));
        painter->setBrush(QBrush(fill, box.pattern));
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
        const std::array triangle{handle.place - QPointF(0, 9), handle.place + QPointF(6, 0),
                                  handle.place - QPointF(6, 0)};
        painter->drawConvexPolygon(triangle.data(), static_cast<int>(triangle.size()));
    }
    paintTexts(*painter);
}

void Annotations::paintTexts(QPainter& painter)
{
    QColor halo = m_theme->color(Role::Page);
    halo.setAlpha(215);
    for (const PlacedLabel& placed : m_labels)
        painter.fillRect(placed.box.adjusted(-2, 0, 2, 0), halo);
    const QFont title = titleFont();
    const QFont detail = detailFont();
    painter.setFont(title);
    for (const PlacedLabel& placed : m_labels) {
        painter.setPen(m_theme->color(placed.label.role));
        painter.drawText(placed.box, Qt::AlignLeft | Qt::AlignTop, placed.label.title);
    }
    painter.setFont(detail);
    painter.setPen(m_theme->color(Role::Muted));
    for (const PlacedLabel& placed : m_labels) {
        if (!placed.label.detail.isEmpty())
            painter.drawText(placed.box, Qt::AlignLeft | Qt::AlignBottom, placed.label.detail);
    }
    if (!m_captions.empty()) {
        painter.setPen(m_theme->color(Role::Muted));
        painter.setFont(fontOf(Type::Caption));
    }
    for (const Caption& caption : m_captions)
        painter.drawText(caption.box, static_cast<int>(caption.alignment), caption.text);
}

} // namespace ui
