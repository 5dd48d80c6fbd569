// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_figure.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>
#include <QPen>

#include <array>

namespace ui {

namespace {

/// Logical pixels; the figure fits the narrow column.
constexpr QSize kSize(240, 212);

QString tr(const char* text)
{
    return QCoreApplication::translate("ui::figure", text);
}

/// Draws a box with rounded corners and a name in it.
void drawBox(QPainter& painter, const QRectF& place, const QColor& color, Qt::PenStyle style, const QString& name = {},
             const QColor& ink = {})
{
    QColor fill = color;
    fill.setAlpha(40);
    painter.setPen(QPen(color, 1.5, style));
    painter.setBrush(fill);
    painter.drawRoundedRect(place, 4, 4);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(ink);
    painter.drawText(place.adjusted(4, 0, -4, 0), Qt::AlignCenter | Qt::TextWordWrap, name);
}

void drawArrow(QPainter& painter, const QPointF& from, const QPointF& to, const QColor& color, Qt::PenStyle style)
{
    painter.setPen(QPen(color, 1.5, style));
    painter.drawLine(from, to);
    const QLineF back(to, from);
    QPainterPath head(to);
    for (const double turn : {-28.0, 28.0}) {
        QLineF side = back;
        side.setAngle(back.angle() + turn);
        side.setLength(7);
        head.lineTo(side.p2());
    }
    head.closeSubpath();
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPath(head);
    painter.setBrush(Qt::NoBrush);
}

/// Draws from the left the new token; its query, key and value; and what becomes of them.
void drawAllocationFlow(QPainter& painter, const Theme& theme)
{
    const QColor text = theme.color(Role::Text);
    const QColor muted = theme.color(Role::Muted);
    const QColor cache = theme.color(Role::Cache);
    const QRectF token(1, 82, 52, 40);
    const QRectF kept(152, 74, 87, 112);
    drawBox(painter, token, text, Qt::SolidLine, tr("new token"), text);
    const std::array<QRectF, 3> vectors{QRectF(76, 10, 56, 30), QRectF(76, 87, 56, 30), QRectF(76, 135, 56, 30)};
    const std::array<QString, 3> names{tr("query"), tr("key"), tr("value")};
    for (std::size_t i = 0; i < vectors.size(); ++i) {
        const bool dropped = i == 0;
        const QColor& color = dropped ? muted : cache;
        const QPointF side(vectors.at(i).left(), vectors.at(i).center().y());
        drawArrow(painter, QPointF(token.right(), token.center().y()), side, text, Qt::SolidLine);
        drawBox(painter, vectors.at(i), color, dropped ? Qt::DashLine : Qt::SolidLine, names.at(i), text);
        drawArrow(painter, QPointF(vectors.at(i).right(), side.y()), QPointF(kept.left(), side.y()), color,
                  dropped ? Qt::DashLine : Qt::SolidLine);
    }
    painter.setPen(text);
    painter.drawText(QRectF(156, 0, 83, 50), Qt::AlignVCenter | Qt::TextWordWrap, tr("used once, then dropped"));
    drawBox(painter, kept, cache, Qt::SolidLine);
    // A row for the key and one for the value of each token so far; the new one is filled.
    constexpr int kTokens = 5;
    for (std::size_t row = 1; row < vectors.size(); ++row) {
        for (int i = 0; i < kTokens; ++i) {
            const QRectF cell(kept.left() + 9 + i * 14.0, vectors.at(row).center().y() - 10, 12, 20);
            painter.setPen(QPen(cache, 1));
            painter.setBrush(i == 0 ? QBrush(cache) : QBrush(Qt::NoBrush));
            painter.drawRect(cell);
        }
    }
    painter.setBrush(Qt::NoBrush);
    painter.setPen(text);
    painter.drawText(QRectF(152, 52, 87, 20), Qt::AlignCenter, tr("KV cache"));
    painter.drawText(QRectF(56, 188, 183, 24), Qt::AlignRight | Qt::AlignVCenter | Qt::TextWordWrap,
                     tr("stays until the request ends"));
}

} // namespace

QImage drawnFigure(const QString& id, const Theme& theme, qreal scale)
{
    if (id != QLatin1String("allocation-flow"))
        return {};
    QImage image(kSize * scale, QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::Antialiasing);
    QFont font = fontOf(Type::Caption);
    painter.setFont(font);
    drawAllocationFlow(painter, theme);
    return image;
}

} // namespace ui
