// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/question_box.h"

#include "core/teaching/exercise_hints.h"
#include "core/teaching/worked_solution.h"
#include "ui/lessons/choice_list.h"
#include "ui/lessons/lesson_run.h"
#include "ui/lessons/lesson_widgets.h"
#include "ui/lessons/markdown_view.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

/// The plain text with marks, so that Markdown shows it as it is.
QString escaped(QString text)
{
    static const QRegularExpression marks(QStringLiteral(R"(([\\`*_{}\[\]<>#|~]))"));
    return text.replace(marks, QStringLiteral("\\\\1"));
}

QString linesOf(const std::vector<core::Message>& messages)
{
    QStringList lines;
    for (const core::Message& message : messages)
        lines << escaped(text(message));
    return lines.join(QStringLiteral("\n\n"));
}

QString hintText(const core::Hint& hint)
{
    std::vector<core::Message> all{hint.message};
    all.insert(all.end(), hint.lines.begin(), hint.lines.end());
    return linesOf(all);
}

/// Says why the right answer is right, in the words of the exercise or by the calculation.
QString explanationOf(const core::Exercise& exercise)
{
    if (exercise.explanation.empty())
        return linesOf(core::workedSolution(exercise));
    return filledText(exercise.explanation, exercise);
}

QStringList hintsOf(const core::Exercise& exercise)
{
    QStringList hints;
    if (exercise.hints) {
        for (const std::string& hint : *exercise.hints)
            hints << filledText(hint, exercise);
        return hints;
    }
    for (const core::Hint& hint : core::hintsFor(exercise))
        hints << hintText(hint);
    return hints;
}

} // namespace

QuestionBox::QuestionBox(QWidget* parent)
    : QWidget(parent),
      m_text(named(new MarkdownView(this), "question")),
      m_answer(named(new TextBox(this), "answer")),
      m_choices(named(new ChoiceList(this), "question-choices")),
      m_check(lessonButton("check", tr("Check"), this)),
      m_hint(lessonButton("hint", tr("Hint"), this)),
      m_show(lessonButton("show-answer", tr("Show the answer"), this)),
      m_tries(lessonLabel("tries", this)),
      m_result(lessonLabel("result", this)),
      m_diagnoses(lessonLabel("diagnoses", this)),
      m_diagnosis(named(new MarkdownView(this), "choice-diagnosis")),
      m_hints(named(new MarkdownView(this), "hints")),
      m_right(lessonLabel("right-answer", this)),
      m_explanation(named(new MarkdownView(this), "explanation-of-answer"))
{
    m_answer->setMinimumHeight(26);
    m_answer->setMinimumWidth(80);
    m_answer->setAccessibleName(tr("Your answer"));
    m_tries->setFont(fontOf(Type::Caption));
    createLayout();
    connect(m_check, &QPushButton::clicked, this, &QuestionBox::check);
    connect(m_answer, &QLineEdit::returnPressed, this, &QuestionBox::check);
    connect(m_choices, &ChoiceList::picked, this, &QuestionBox::refresh);
    connect(m_hint, &QPushButton::clicked, this, [this] { m_run->showHint(); });
    connect(m_show, &QPushButton::clicked, this, [this] { m_run->showAnswer(); });
}

void QuestionBox::createLayout()
{
    auto* answering = new QHBoxLayout;
    answering->setSpacing(kSpace);
    answering->addWidget(m_answer, 1);
    answering->addWidget(m_check);
    QVBoxLayout* column = columnIn(this);
    column->addWidget(m_text);
    column->addWidget(m_choices);
    column->addLayout(answering);
    column->addWidget(m_result);
    column->addWidget(m_diagnoses);
    column->addWidget(m_diagnosis);
    column->addLayout(rowOfButtons({m_hint, m_show}));
    column->addWidget(m_tries);
    column->addWidget(m_hints);
    column->addWidget(m_right);
    column->addWidget(m_explanation);
}

void QuestionBox::begin(LessonRun& run)
{
    m_run = &run;
    const core::LessonStep& step = run.step();
    QString text;
    QStringList choices;
    if (const auto* exercise = std::get_if<core::Exercise>(&step.question)) {
        text = filledText(exercise->question, *exercise);
    } else if (const auto* question = std::get_if<core::ChoiceQuestion>(&step.question)) {
        text = filledText(question->text, step);
        for (const core::Choice& choice : question->choices)
            choices << plainOf(filledText(choice.text, step));
    }
    m_text->showMarkdown(text);
    m_answer->clear();
    m_answer->setAccessibleDescription(plainOf(text));
    m_choices->setChoices(choices);
    m_choices->choose(run.state().chosen.value_or(-1));
    refresh();
}

void QuestionBox::refresh()
{
    if (m_run == nullptr)
        return;
    const core::Question& question = m_run->step().question;
    const auto* exercise = std::get_if<core::Exercise>(&question);
    const auto* choices = std::get_if<core::ChoiceQuestion>(&question);
    const bool open = m_run->isQuestionOpen();
    setVisible((exercise != nullptr || choices != nullptr) && !m_run->isPredictionOpen());
    m_answer->setVisible(exercise != nullptr && open);
    m_choices->setVisible(choices != nullptr);
    m_choices->setEnabled(open);
    m_check->setVisible(open);
    m_check->setEnabled(exercise != nullptr || m_choices->chosen() >= 0);
    m_hint->setVisible(exercise != nullptr && open);
    m_hint->setEnabled(m_run->hasHint());
    m_show->setVisible(open);
    for (QLabel* label : {m_result, m_diagnoses, m_right})
        label->setVisible(!label->text().isEmpty());
    showTries();
    if (exercise != nullptr)
        showNumber(*exercise);
    else if (choices != nullptr)
        showChoice(*choices);
}

/// Says after how many tries the answer is shown.
void QuestionBox::showTries()
{
    const int wrong = m_run->state().wrong;
    QString line;
    if (m_run->isQuestionOpen())
        line = wrong == 0 ? tr("The answer is shown after %1 tries.").arg(core::kTriesBeforeAnswer)
                          : tr("The answer is shown after %1 tries; this was number %2.")
                                .arg(core::kTriesBeforeAnswer)
                                .arg(wrong);
    showText(*m_tries, line, Role::Muted);
}

void QuestionBox::showNumber(const core::Exercise& exercise)
{
    const LessonRun::StepState& state = m_run->state();
    const core::Judgement judgement = state.judgement.value_or(core::Judgement{});
    const bool isOver = state.answerShown && !judgement.accepted(); // "Not yet" no longer holds
    QStringList diagnoses;
    for (const core::Diagnosis& diagnosis : judgement.diagnoses)
        diagnoses << QStringLiteral("• ") + text(diagnosis.message);
    showText(*m_result, state.judgement && !isOver ? text(judgement.message) : QString(),
             judgement.accepted() ? Role::Good : Role::Bad);
    showText(*m_diagnoses, diagnoses.join(QLatin1Char('\n')));
    m_diagnosis->showMarkdown({});
    showHints(exercise);
    showText(*m_right, state.answerShown ? tr("The answer: %1").arg(text(core::answerInWords(exercise))) : QString());
    m_explanation->showMarkdown(m_run->isQuestionOpen() ? QString() : explanationOf(exercise));
}

void QuestionBox::showHints(const core::Exercise& exercise)
{
    QString shown;
    const QStringList hints = m_run->state().hints > 0 ? hintsOf(exercise) : QStringList();
    for (int i = 0; i < m_run->state().hints && i < hints.size(); ++i)
        shown += tr("**Hint %1.** %2").arg(i + 1).arg(hints[i]) + QStringLiteral("\n\n");
    m_hints->showMarkdown(shown);
}

void QuestionBox::showChoice(const core::ChoiceQuestion& question)
{
    const LessonRun::StepState& state = m_run->state();
    const auto textOf = [this](const std::string& source) { return filledText(source, m_run->step()); };
    const auto right = std::ranges::find_if(question.choices, &core::Choice::right);
    const core::Choice* chosen = state.chosen ? &question.choices.at(static_cast<std::size_t>(*state.chosen)) : nullptr;
    const bool good = chosen != nullptr && chosen->right;
    const bool isOver = state.answerShown && !good;
    showText(*m_result,
             chosen == nullptr || isOver ? QString()
             : good                      ? tr("Right.")
                                         : tr("Not yet."),
             good ? Role::Good : Role::Bad);
    showText(*m_diagnoses, {});
    m_diagnosis->showMarkdown(chosen == nullptr ? QString() : textOf(chosen->diagnosis));
    m_hints->showMarkdown({});
    const bool shown = state.answerShown && right != question.choices.end();
    showText(*m_right, shown ? tr("The answer: %1").arg(plainOf(textOf(right->text))) : QString());
    m_explanation->showMarkdown(shown ? textOf(right->diagnosis) : QString());
}

void QuestionBox::check()
{
    if (m_run->isQuestionOpen() && std::holds_alternative<core::Exercise>(m_run->step().question))
        m_run->answer(m_answer->text());
    else
        m_run->choose(m_choices->chosen());
}

} // namespace ui
