// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme.h"

#include <QGraphicsItem>
#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QString>

#include <utility>
#include <vector>

namespace ui {

/// What is written and marked on a chart: names at the ends of lines, marked points, hatches. One item in the chart's
/// scene, so that the screen and every export show the same. All places are in the chart's own coordinates.
class Annotations : public QGraphicsItem {
public:
    /// Above everything on the chart, or between its grid and its lines.
    enum class Layer { Front, Back };
    explicit Annotations(QGraphicsItem* chart, Layer layer = Layer::Front);

    void clear(const QRectF& area, const Theme& theme);

    /// A label of one or two lines with its upper left corner at `place`.
    struct Label {
        QString title;  ///< in `role`'s colour, bold
        QString detail; ///< second line, muted; may be empty
        Role role = Role::Text;
    };
    static QSizeF sizeOf(const Label& label);
    void addLabel(const Label& label, const QPointF& place);

    /// Lines that labels should not cover.
    void setObstacles(std::vector<QLineF> lines) { m_obstacles = std::move(lines); }

    /// Puts the label to the right or left of `anchor`, above or below it, within `bounds`, where it covers the fewest
    /// labels and obstacles and is near; a thin line leads to a label that could not be put near.
    void addLabelNear(const Label& label, const QPointF& anchor, const QRectF& bounds);

    /// True where the box covers no label.
    bool isFree(const QRectF& box) const;

    void addCaption(const QString& text, const QRectF& box, Qt::Alignment alignment);
    void addPoint(const QPointF& place, Role role);
    void addLine(const QLineF& line, Role role, qreal width, Qt::PenStyle style = Qt::SolidLine);
    /// Thin upright or level lines on whole pixels: a grid, or a hatch. Many cost little.
    void addCrispLines(std::vector<QLineF> lines, Role role);
    /// A pattern over the box; a solid one is a veil through which the box still shows.
    void addHatch(const QRectF& box, Role role, Qt::BrushStyle pattern);
    void addFrame(const QRectF& box, Role role, Qt::PenStyle style);
    /// A small triangle that stands on `place`, pointing up.
    void addHandle(const QPointF& place, Role role);

    QRectF boundingRect() const override { return m_area; }
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget* widget) override;

private:
    int covered(const QRectF& box) const;
    void leadTo(const QRectF& label, const QPointF& point, Role role);
    void paintTexts(QPainter& painter);

    struct PlacedLabel {
        Label label;
        QRectF box;
    };
    struct Caption {
        QString text;
        QRectF box;
        Qt::Alignment alignment;
    };
    struct Point {
        QPointF place;
        Role role;
    };
    struct Line {
        QLineF line;
        Role role;
        qreal width;
        Qt::PenStyle style;
    };
    struct CrispLines {
        std::vector<QLineF> lines;
        Role role;
    };
    struct Box {
        QRectF box;
        Role role;
        Qt::BrushStyle pattern;
        Qt::PenStyle frame;
    };

    QRectF m_area;
    const Theme* m_theme = &Theme::light();
    std::vector<PlacedLabel> m_labels;
    std::vector<Caption> m_captions;
    std::vector<QLineF> m_obstacles;
    std::vector<Point> m_points;
    std::vector<Point> m_handles;
    std::vector<Line> m_lines;
    std::vector<CrispLines> m_crisp;
    std::vector<Box> m_boxes;
};

} // namespace ui
