// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/choice_list.h"

#include "ui/theme.h"

#include <QPainter>
#include <QRadioButton>
#include <QStyleOptionButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr int kLeastHeight = 26;
constexpr int kAnyHeight = 10'000; ///< more than any text needs

/// A radio button whose text breaks into lines.
class WrappedRadio : public QRadioButton {
public:
    WrappedRadio(QString text, QWidget* parent) : QRadioButton(parent), m_text(std::move(text))
    {
        setAccessibleName(m_text);
        QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        policy.setHeightForWidth(true);
        setSizePolicy(policy);
    }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override
    {
        return std::max(kLeastHeight, textBox(QSize(width, kAnyHeight)).height() + 2 * kSpace);
    }
    QSize sizeHint() const override { return {200, heightForWidth(200)}; }
    QSize minimumSizeHint() const override { return {100, kLeastHeight}; }

protected:
    bool hitButton(const QPoint& place) const override { return rect().contains(place); }
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        QStyleOptionButton option;
        initStyleOption(&option);
        const int size = indicator();
        option.palette.setColor(QPalette::Window,
                                Theme::of(palette()).color(Role::Muted).lighter(150)); // draws the ring
        option.rect = QRect(kSpace, kSpace + (fontMetrics().height() - size) / 2, size, size);
        style()->drawPrimitive(QStyle::PE_IndicatorRadioButton, &option, &painter, this);
        painter.setPen(palette().color(isEnabled() ? QPalette::Active : QPalette::Disabled, QPalette::WindowText));
        painter.drawText(textBox(QSize(width(), kAnyHeight)), Qt::TextWordWrap, m_text);
        if (hasFocus()) {
            painter.setPen(QPen(Theme::of(palette()).color(Role::Accent), 2));
            painter.drawRoundedRect(rect().adjusted(1, 1, -1, -1), 3, 3);
        }
    }

private:
    int indicator() const { return style()->pixelMetric(QStyle::PM_ExclusiveIndicatorWidth, nullptr, this); }
    QRect textBox(const QSize& room) const
    {
        const int left = indicator() + 3 * kSpace;
        return fontMetrics().boundingRect(QRect(left, kSpace, room.width() - left - kSpace, room.height()),
                                          Qt::TextWordWrap, m_text);
    }

    QString m_text;
};

} // namespace

ChoiceList::ChoiceList(QWidget* parent) : QWidget(parent), m_column(new QVBoxLayout(this))
{
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
}

void ChoiceList::setChoices(const QStringList& choices)
{
    qDeleteAll(m_buttons);
    m_buttons.clear();
    for (const QString& choice : choices) {
        auto* button = new WrappedRadio(choice, this);
        button->setObjectName(QStringLiteral("choice-%1").arg(m_buttons.size()));
        button->setFont(fontOf(Type::Body));
        connect(button, &QRadioButton::toggled, this, &ChoiceList::picked);
        m_column->addWidget(button);
        m_buttons << button;
    }
}

int ChoiceList::chosen() const
{
    const auto found = std::ranges::find_if(m_buttons, &QRadioButton::isChecked);
    return found == m_buttons.end() ? -1 : static_cast<int>(found - m_buttons.begin());
}

void ChoiceList::choose(int choice)
{
    if (choice >= 0 && choice < m_buttons.size())
        m_buttons[choice]->setChecked(true);
}

} // namespace ui
