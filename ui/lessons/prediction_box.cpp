// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/prediction_box.h"

#include "ui/lessons/choice_list.h"
#include "ui/lessons/lesson_run.h"
#include "ui/lessons/lesson_widgets.h"
#include "ui/lessons/markdown_view.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace ui {

PredictionBox::PredictionBox(QWidget* parent)
    : QWidget(parent),
      m_text(new MarkdownView(this)),
      m_marker(lessonLabel("prediction-marker", this)),
      m_number(named(new TextBox(this), "prediction")),
      m_choices(named(new ChoiceList(this), "prediction-choices")),
      m_commit(lessonButton("commit", tr("Commit"), this)),
      m_skip(lessonButton("skip", tr("Skip"), this)),
      m_gap(lessonLabel("gap", this)),
      m_diagnosis(new MarkdownView(this))
{
    m_number->setMinimumHeight(26);
    m_number->setAccessibleName(tr("Your prediction"));
    m_commit->setToolTip(tr("Commit to this prediction; then the numbers are shown"));
    m_skip->setToolTip(tr("Show the numbers without a prediction"));
    QVBoxLayout* column = columnIn(this);
    column->addWidget(m_text);
    column->addWidget(m_marker);
    column->addWidget(m_number);
    column->addWidget(m_choices);
    column->addLayout(rowOfButtons({m_commit, m_skip}));
    column->addWidget(m_gap);
    column->addWidget(m_diagnosis);
    connect(m_commit, &QPushButton::clicked, this, &PredictionBox::commit);
    connect(m_number, &QLineEdit::returnPressed, this, &PredictionBox::commit);
    connect(m_choices, &ChoiceList::picked, this, [this] { m_commit->setEnabled(true); });
    connect(m_skip, &QPushButton::clicked, this, [this] { m_run->skipPrediction(); });
}

void PredictionBox::begin(LessonRun& run)
{
    m_run = &run;
    const core::LessonStep& step = run.step();
    setVisible(step.prediction.has_value());
    if (!step.prediction)
        return;
    m_text->showMarkdown(filledText(step.prediction->text, step));
    m_number->clear();
    const QString unit = run.predictionUnit();
    m_number->setPlaceholderText(unit.isEmpty() ? QString() : tr("in %1").arg(unit));
    m_number->setAccessibleDescription(plainOf(filledText(step.prediction->text, step)));
    QStringList choices;
    for (const core::Choice& choice : step.prediction->choices)
        choices << plainOf(filledText(choice.text, step));
    m_choices->setChoices(choices);
    showText(*m_gap, {});
    refresh();
}

bool PredictionBox::isMarker() const
{
    return m_run->step().prediction->kind == core::Prediction::Kind::Marker;
}

void PredictionBox::refresh()
{
    if (m_run == nullptr || !m_run->step().prediction)
        return;
    const bool open = m_run->isPredictionOpen();
    const auto kind = m_run->step().prediction->kind;
    m_number->setVisible(open && kind == core::Prediction::Kind::Number);
    m_choices->setVisible(open && kind == core::Prediction::Kind::Choice);
    m_commit->setVisible(open);
    m_commit->setEnabled(kind != core::Prediction::Kind::Choice || m_choices->chosen() >= 0);
    m_skip->setVisible(open);
    setContext(m_context);
    if (!open)
        showResult();
    else
        m_diagnosis->showMarkdown({});
}

void PredictionBox::showResult()
{
    const LessonRun::StepState& state = m_run->state();
    const core::LessonStep& step = m_run->step();
    if (!state.saidChoice) {
        showText(*m_gap, state.skipped ? tr("Skipped.") : text(m_run->predictionResult()));
        m_diagnosis->showMarkdown({});
        return;
    }
    const core::Choice& choice = step.prediction->choices.at(static_cast<std::size_t>(*state.saidChoice));
    showText(*m_gap, tr("You said: %1").arg(plainOf(filledText(choice.text, step))));
    m_diagnosis->showMarkdown(filledText(choice.diagnosis, step));
}

void PredictionBox::setContext(std::int64_t context)
{
    m_context = context;
    const bool wanted = m_run != nullptr && m_run->step().prediction && m_run->isPredictionOpen() && isMarker();
    showText(*m_marker,
             wanted ? tr("The marker stands at %1 tokens. Drag it in the chart, or move it there with the arrow "
                         "keys.")
                          .arg(countText(context))
                    : QString());
}

void PredictionBox::commit()
{
    switch (m_run->step().prediction->kind) {
    case core::Prediction::Kind::Marker:
        return m_run->predictNumber(static_cast<double>(m_context));
    case core::Prediction::Kind::Choice:
        return m_run->predictChoice(m_choices->chosen());
    case core::Prediction::Kind::Number:
        if (const core::Message trouble = m_run->predict(m_number->text()); !trouble.empty())
            showText(*m_gap, text(trouble), Role::Bad);
    }
}

} // namespace ui
