// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict_bar.h"

#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/verdict_text.h"

#include <QGridLayout>
#include <QPainter>
#include <QPushButton>
#include <QResizeEvent>
#include <QVBoxLayout>

#include <utility>

namespace ui {

namespace {

constexpr int kMostAdvice = 6;
constexpr int kButtonHeight = 26;
constexpr int kTwoRows = 1100; ///< a narrower bar places the advice in two rows

} // namespace

VerdictBar::VerdictBar(QWidget* parent) : QWidget(parent), m_text(new VerdictText(this)), m_grid(new QGridLayout)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kSpace, kSpace, 3 * kSpace, 2 * kSpace);
    column->setSpacing(kSpace);
    column->addWidget(m_text);
    column->addLayout(m_grid);
    m_grid->setSpacing(2 * kSpace);
    for (int i = 0; i < kMostAdvice; ++i) {
        auto* button = new QPushButton(this);
        button->setObjectName(QStringLiteral("advice-%1").arg(i));
        button->setFont(fontOf(Type::Label));
        button->setFixedHeight(kButtonHeight);
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
    m_advice = std::move(advice);
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        QPushButton* button = m_buttons[i];
        const bool used = i < m_advice.size();
        const QString title =
            used ? tr("%1: %2").arg(text(m_advice[i].action), text(m_advice[i].result)) : QString();
        if (used && button->text() != title) {
            button->setText(title);
            button->setToolTip(title);
        }
        if (button->isHidden() == used)
            button->setVisible(used);
    }
}

/// Rows keep their height whether their places are filled or not, so that the charts do not move.
void VerdictBar::placeButtons(int columns)
{
    if (columns == m_columns)
        return;
    m_columns = columns;
    for (QPushButton* button : m_buttons)
        m_grid->removeWidget(button);
    for (int i = 0; i < kMostAdvice; ++i) {
        m_grid->addWidget(m_buttons[static_cast<std::size_t>(i)], i / columns, i % columns);
        m_grid->setRowMinimumHeight(i / columns, kButtonHeight);
    }
    for (int row = (kMostAdvice + columns - 1) / columns; row < m_grid->rowCount(); ++row)
        m_grid->setRowMinimumHeight(row, 0);
    m_grid->setColumnStretch(kMostAdvice, 1);
    updateGeometry();
}

void VerdictBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeButtons(event->size().width() < kTwoRows ? kMostAdvice / 2 : kMostAdvice);
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
