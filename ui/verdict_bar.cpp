// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict_bar.h"

#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/verdict_text.h"

#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr int kMostAdvice = 6;
constexpr int kButtonHeight = 26;
constexpr int kTwoRows = 1100; ///< a narrower bar places the advice in two rows

} // namespace

VerdictBar::VerdictBar(QWidget* parent) : QWidget(parent), m_text(new VerdictText(this)), m_row(new QWidget(this))
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setObjectName(QStringLiteral("verdict"));
    setAccessibleName(tr("Verdict"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kSpace, kSpace, 3 * kSpace, 2 * kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_text);
    column->addWidget(m_row);
    for (int i = 0; i < kMostAdvice; ++i) {
        auto* button = new QPushButton(m_row);
        button->setObjectName(QStringLiteral("advice-%1").arg(i));
        button->setFont(fontOf(Type::Label));
        button->hide();
        m_buttons.push_back(button);
        connect(button, &QPushButton::clicked, this, [this, i] {
            if (static_cast<std::size_t>(i) < m_advice.size())
                emit edited(m_advice[static_cast<std::size_t>(i)].scenario);
        });
    }
    connect(m_text, &VerdictText::clicked, this,
            [this](const QPoint& place) { emit explanationRequested(core::Quantity::Free, place); });
}

void VerdictBar::show(const core::Verdict& verdict, std::vector<core::Advice> advice)
{
    m_text->show(verdict);
    setAccessibleDescription(m_text->verdictText());
    m_advice = std::move(advice);
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QPushButton* button = m_buttons[i];
        const bool used = i < m_advice.size();
        const QString title = used ? tr("%1: %2").arg(text(m_advice[i].action), text(m_advice[i].result)) : QString();
        if (used && button->text() != title) {
            button->setText(title);
            button->setToolTip(title);
        }
        if (button->isHidden() == used)
            button->setVisible(used);
    }
    placeButtons();
}

/// By hand and not by a layout: a layout would measure the whole window again whenever a number changes. The rows keep
/// their height, so that the charts do not move.
void VerdictBar::placeButtons()
{
    int x = 0;
    int y = 0;
    for (QPushButton* button : m_buttons) {
        const int width = button->sizeHint().width();
        if (x > 0 && x + width > m_row->width()) {
            x = 0;
            y += kButtonHeight + kSpace;
        }
        button->setGeometry(x, y, std::min(width, m_row->width()), kButtonHeight);
        if (!button->isHidden())
            x += width + 2 * kSpace;
    }
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    const int rows = event->size().width() < kTwoRows ? 2 : 1;
    m_row->setFixedHeight(rows * kButtonHeight + (rows - 1) * kSpace);
    placeButtons();
}

QString VerdictBar::verdictText() const
{
    return m_text->verdictText();
}

void VerdictBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), Theme::of(palette()).color(Role::Panel));
}

} // namespace ui
