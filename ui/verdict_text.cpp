// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict_text.h"

#include "ui/texts.h"
#include "ui/theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QPainterPath>
#include <QResizeEvent>

namespace ui {

namespace {

constexpr int kTwoLines = 1000; ///< in a narrower bar sentence and notes may need a second line each

/// Fits is told by a tick, over by a cross, so that colour is not the only sign.
void drawMark(QPainter& painter, const QPointF& center, core::Outcome outcome)
{
    QPainterPath path;
    if (outcome == core::Outcome::Fits) {
        path.moveTo(center + QPointF(-5, 0));
        path.lineTo(center + QPointF(-1.5, 4));
        path.lineTo(center + QPointF(5, -4));
    } else {
        path.moveTo(center + QPointF(-4, -4));
        path.lineTo(center + QPointF(4, 4));
        path.moveTo(center + QPointF(4, -4));
        path.lineTo(center + QPointF(-4, 4));
    }
    painter.drawPath(path);
}

Role roleOf(core::Outcome outcome)
{
    switch (outcome) {
    case core::Outcome::Fits:
        return Role::Good;
    case core::Outcome::NoCapacity:
        return Role::Muted;
    default:
        return Role::Bad;
    }
}

} // namespace

VerdictText::VerdictText(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Verdict"));
    setObjectName(QStringLiteral("verdict-text"));
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void VerdictText::show(const core::Verdict& verdict)
{
    m_outcome = verdict.outcome;
    m_word = text(verdict.word) + QLatin1Char('.');
    m_sentence = text(verdict.sentence);
    QStringList notes;
    for (const core::Message& note : verdict.notes)
        notes << text(note);
    m_notes = notes.join(QStringLiteral("; "));
    setAccessibleDescription(verdictText());
    update();
}

QString VerdictText::verdictText() const
{
    const QString main = m_word + QLatin1Char(' ') + m_sentence;
    return m_notes.isEmpty() ? main : main + QLatin1Char(' ') + m_notes + QLatin1Char('.');
}

void VerdictText::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        emit clicked(event->globalPosition().toPoint());
}

void VerdictText::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space)
        emit clicked(mapToGlobal(rect().topLeft()));
    else
        QWidget::keyPressEvent(event);
}

QSize VerdictText::sizeHint() const
{
    const QFontMetricsF body(fontOf(Type::Headline));
    const QFontMetricsF small(fontOf(Type::Label));
    const int lines = width() < kTwoLines ? 2 : 1;
    return {400, qRound(lines * (body.height() + small.height())) + 3 * kSpace};
}

void VerdictText::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        updateGeometry();
}

void VerdictText::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(0, kSpace, 0, -kSpace);
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Role::Accent), 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
    const QFont wordFont = fontOf(Type::Headline, QFont::Bold);
    const QFont bodyFont = fontOf(Type::Headline);
    const QFontMetricsF words(wordFont);
    double left = area.left() + kSpace;
    painter.setPen(QPen(theme.color(roleOf(m_outcome)), 2.5, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    if (m_outcome != core::Outcome::NoCapacity) {
        drawMark(painter, QPointF(left + 6, area.top() + words.height() / 2), m_outcome);
        left += 20;
    }
    painter.setFont(wordFont);
    painter.drawText(QPointF(left, area.top() + words.ascent()), m_word);
    left += words.horizontalAdvance(m_word) + 2 * kSpace;

    painter.setFont(bodyFont);
    painter.setPen(theme.color(Role::Text));
    const QRectF sentence(left, area.top(), area.right() - left, 2 * words.height());
    QRectF drawn;
    painter.drawText(sentence, Qt::TextWordWrap, m_sentence, &drawn);
    painter.setFont(fontOf(Type::Label));
    painter.setPen(theme.color(Role::Muted));
    left = width() < kTwoLines ? area.left() + kSpace : left;
    const QRectF notes(left, drawn.bottom() + kSpace, area.right() - left, rect().bottom() - drawn.bottom() - kSpace);
    painter.drawText(notes, Qt::TextWordWrap, m_notes);
}

} // namespace ui
