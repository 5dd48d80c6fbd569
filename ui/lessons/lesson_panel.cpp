// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_panel.h"

#include "ui/lessons/lesson_run.h"
#include "ui/lessons/lesson_widgets.h"
#include "ui/lessons/markdown_view.h"
#include "ui/lessons/prediction_box.h"
#include "ui/lessons/question_box.h"

#include <QEvent>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTimer>
#include <QVBoxLayout>

namespace ui {

LessonPanel::LessonPanel(QWidget* parent) : QWidget(parent)
{
    setObjectName(QStringLiteral("lesson"));
    setAccessibleName(tr("Lesson"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3 * kSpace, 3 * kSpace, 3 * kSpace, 3 * kSpace);
    column->setSpacing(2 * kSpace);
    createHead(column);
    createBody(column);
    createFoot(column);
}

void LessonPanel::createHead(QVBoxLayout* column)
{
    m_title = lessonLabel("lesson-title", this);
    m_title->setFont(fontOf(Type::Headline, QFont::DemiBold));
    m_place = lessonLabel("lesson-place", this);
    m_place->setFont(fontOf(Type::Caption));
    QPushButton* leave = lessonButton("leave", tr("Leave"), this);
    leave->setToolTip(tr("Leave the lesson; your own scenario comes back as it was"));
    connect(leave, &QPushButton::clicked, this, &LessonPanel::leaveRequested);
    auto* row = new QHBoxLayout;
    row->addWidget(m_place, 1);
    row->addWidget(leave);
    column->addWidget(m_title);
    column->addLayout(row);
}

void LessonPanel::createBody(QVBoxLayout* column)
{
    auto* content = new QWidget(this);
    auto* texts = new QVBoxLayout(content);
    texts->setContentsMargins(0, 0, kSpace, 0);
    texts->setSpacing(3 * kSpace);
    m_stepTitle = lessonLabel("step-title", content);
    m_stepTitle->setFont(fontOf(Type::Body, QFont::DemiBold));
    m_text = named(new MarkdownView(content), "step-text");
    m_prediction = new PredictionBox(content);
    m_question = new QuestionBox(content);
    m_held = lessonLabel("held-back", content);
    m_held->setFont(fontOf(Type::Caption));
    m_reveal = named(new MarkdownView(content), "reveal");
    m_think = lessonLabel("think", content);
    m_think->setFont(fontOf(Type::Body, QFont::DemiBold));
    m_reflection = named(new MarkdownView(content), "reflection");
    for (QWidget* part : std::initializer_list<QWidget*>{m_stepTitle, m_text, m_prediction, m_question, m_held,
                                                         m_reveal, m_think, m_reflection})
        texts->addWidget(part);
    texts->addStretch();
    m_scroll = named(new QScrollArea(this), "lesson-scroll");
    m_scroll->setAccessibleName(tr("Text of the lesson"));
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setWidget(content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFocusPolicy(Qt::NoFocus); // the panel's page keys scroll it
    column->addWidget(m_scroll, 1);
}

void LessonPanel::createFoot(QVBoxLayout* column)
{
    m_back = lessonButton("back", tr("&Back"), this);
    m_next = lessonButton("next", tr("&Next"), this);
    auto* row = new QHBoxLayout;
    row->addWidget(m_back);
    row->addStretch();
    row->addWidget(m_next);
    column->addLayout(row);
    connect(m_back, &QPushButton::clicked, this, [this] { m_run->back(); });
    connect(m_next, &QPushButton::clicked, this, [this] {
        if (m_run->isLast())
            emit finished();
        else
            m_run->next();
    });
}

void LessonPanel::show(LessonRun& run, const After& after)
{
    m_run = &run;
    m_after = after;
    connect(m_run, &LessonRun::changed, this, [this] {
        refresh();
        scrollToNews();
    });
    connect(m_run, &LessonRun::stepBegan, this, &LessonPanel::beginStep);
    setVisible(true);
    beginStep();
}

void LessonPanel::clear()
{
    m_run = nullptr;
    hide();
}

void LessonPanel::setContext(std::int64_t context)
{
    if (m_run != nullptr)
        m_prediction->setContext(context);
}

void LessonPanel::beginStep()
{
    if (m_run == nullptr)
        return;
    const core::LessonStep& step = m_run->step();
    showText(*m_title, QString::fromStdString(m_run->lesson().title));
    showText(*m_place, m_run->count() > 1 ? tr("Step %1 of %2").arg(m_run->index() + 1).arg(m_run->count()) : QString(),
             Role::Muted);
    showText(*m_stepTitle, QString::fromStdString(step.title));
    m_text->showMarkdown(filledText(step.text, step));
    m_prediction->begin(*m_run);
    m_question->begin(*m_run);
    m_back->setEnabled(m_run->index() > 0);
    const bool goesOn = !m_run->isLast();
    m_next->setText(goesOn ? tr("&Next") : m_after.action.isEmpty() ? tr("Fi&nish") : m_after.action);
    m_next->setToolTip(goesOn ? QString() : m_after.title);
    refresh();
    m_scroll->verticalScrollBar()->setValue(0);
}

void LessonPanel::refresh()
{
    if (m_run == nullptr)
        return;
    const core::LessonStep& step = m_run->step();
    const auto settled = [&](const std::string& text) {
        return m_run->isSettled() ? filledText(text, step) : QString();
    };
    m_prediction->refresh();
    m_question->refresh();
    showText(*m_held,
             m_run->holdsNumbersBack() ? tr("The other numbers are hidden until you have answered.") : QString(),
             Role::Muted);
    m_reveal->showMarkdown(settled(step.reveal));
    m_reflection->showMarkdown(settled(step.reflection));
    showText(*m_think, m_reflection->isHidden() ? QString() : tr("To think about"));
}

/// Scrolls to what an answer has brought.
void LessonPanel::scrollToNews()
{
    QTimer::singleShot(0, this, [this] {
        for (const char* name : {"gap", "result", "right-answer", "hints"}) {
            auto* part = findChild<QWidget*>(QString::fromLatin1(name));
            if (part->isVisible())
                m_scroll->ensureWidgetVisible(part, 0, 2 * kSpace);
        }
    });
}

void LessonPanel::keyPressEvent(QKeyEvent* event)
{
    if (event->key() != Qt::Key_PageUp && event->key() != Qt::Key_PageDown)
        return QWidget::keyPressEvent(event);
    m_scroll->verticalScrollBar()->triggerAction(event->key() == Qt::Key_PageUp ? QScrollBar::SliderPageStepSub
                                                                                : QScrollBar::SliderPageStepAdd);
}

void LessonPanel::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_run != nullptr)
        refresh();
}

} // namespace ui
