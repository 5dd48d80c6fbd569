// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/question_box.h"

#include "ui/lessons/choice_list.h"
#include "ui/lessons/lesson_run.h"
#include "ui/lessons/lesson_widgets.h"
#include "ui/lessons/markdown_view.h"
#include "ui/texts.h"
#include "ui/value_box.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QRegularExpression>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

/// Plain text that Markdown leaves as it is.
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

/// Why the right answer is right: what the exercise says, or the calculation.
QString explanationOf(const core::Exercise& exercise)
{
    if (exercise.explanation.empty())
        return linesOf(core::workingFor(exercise));
    return QString::fromStdString(core::filled(exercise.explanation, exercise, numberStyle()));
}

QStringList hintsOf(const core::Exercise& exercise)
{
    QStringList hints;
    if (exercise.hints) {
        for (const std::string& hint : *exercise.hints)
            hints << QString::fromStdString(core::filled(hint, exercise, numberStyle()));
        return hints;
    }
    for (const core::Hint& hint : core::hintsFor(exercise))
        hints << hintText(hint);
    return hints;
}

} // namespace

QuestionBox::QuestionBox(QWidget* parent)
    : QWidget(parent),
      m_text(new MarkdownView(this)),
      m_answer(new TextBox(this)),
      m_choices(new ChoiceList(this)),
      m_check(button("check", tr("Check"), this)),
      m_hint(button("hint", tr("Hint"), this)),
      m_show(button("show-answer", tr("Show the answer"), this)),
      m_tries(wordLabel("tries", this)),
      m_result(wordLabel("result", this)),
      m_diagnoses(wordLabel("diagnoses", this)),
      m_diagnosis(new MarkdownView(this)),
      m_hints(new MarkdownView(this)),
      m_right(wordLabel("right-answer", this)),
      m_explanation(new MarkdownView(this))
{
    m_text->setObjectName(QStringLiteral("question"));
    m_answer->setObjectName(QStringLiteral("answer"));
    m_answer->setMinimumHeight(26);
    m_answer->setMinimumWidth(80);
    m_answer->setAccessibleName(tr("Your answer"));
    m_choices->setObjectName(QStringLiteral("question-choices"));
    m_hints->setObjectName(QStringLiteral("hints"));
    m_diagnosis->setObjectName(QStringLiteral("choice-diagnosis"));
    m_explanation->setObjectName(QStringLiteral("explanation-of-answer"));
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
    auto* helping = new QHBoxLayout;
    helping->setSpacing(kSpace);
    helping->addWidget(m_hint);
    helping->addWidget(m_show);
    helping->addStretch();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(2 * kSpace);
    column->addWidget(m_text);
    column->addWidget(m_choices);
    column->addLayout(answering);
    column->addWidget(m_result);
    column->addWidget(m_diagnoses);
    column->addWidget(m_diagnosis);
    column->addLayout(helping);
    column->addWidget(m_tries);
    for (QWidget* text : std::initializer_list<QWidget*>{m_hints, m_right, m_explanation})
        column->addWidget(text);
}

void QuestionBox::begin(LessonRun& run)
{
    m_run = &run;
    const core::LessonStep& step = run.step();
    QString asked;
    QStringList choices;
    if (const auto* exercise = std::get_if<core::Exercise>(&step.question)) {
        asked = QString::fromStdString(core::filled(exercise->question, *exercise, numberStyle()));
    } else if (const auto* question = std::get_if<core::ChoiceQuestion>(&step.question)) {
        asked = QString::fromStdString(core::filled(question->text, step, numberStyle()));
        for (const core::Choice& choice : question->choices)
            choices << plainOf(QString::fromStdString(core::filled(choice.text, step, numberStyle())));
    }
    m_text->showMarkdown(asked);
    m_answer->clear();
    m_answer->setAccessibleDescription(plainOf(asked));
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

/// How long it takes until the answer is shown.
void QuestionBox::showTries()
{
    const int wrong = m_run->state().wrong;
    QString said;
    if (m_run->isQuestionOpen())
        said = wrong == 0 ? tr("The answer is shown after %1 tries.").arg(core::kTriesBeforeAnswer)
                          : tr("The answer is shown after %1 tries; this was number %2.")
                                .arg(core::kTriesBeforeAnswer)
                                .arg(wrong);
    tell(*m_tries, said, Role::Muted);
}

void QuestionBox::showNumber(const core::Exercise& exercise)
{
    const LessonRun::State& state = m_run->state();
    const core::Judgement judgement = state.judgement.value_or(core::Judgement{});
    const bool isOver = state.answerShown && !judgement.accepted(); // "not yet" is over
    QStringList diagnoses;
    for (const core::Diagnosis& diagnosis : judgement.diagnoses)
        diagnoses << QStringLiteral("• ") + text(diagnosis.message);
    tell(*m_result, state.judgement && !isOver ? text(judgement.message) : QString(),
         judgement.accepted() ? Role::Good : Role::Bad);
    tell(*m_diagnoses, diagnoses.join(QLatin1Char('\n')));
    m_diagnosis->showMarkdown({});
    showHints(exercise);
    tell(*m_right, state.answerShown ? tr("The answer: %1").arg(text(core::answerInWords(exercise))) : QString());
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
    const LessonRun::State& state = m_run->state();
    const auto textOf = [this](const std::string& source) {
        return QString::fromStdString(core::filled(source, m_run->step(), numberStyle()));
    };
    const auto right = std::ranges::find_if(question.choices, &core::Choice::right);
    const core::Choice* chosen = state.chosen ? &question.choices.at(static_cast<std::size_t>(*state.chosen)) : nullptr;
    const bool good = chosen != nullptr && chosen->right;
    const bool isOver = state.answerShown && !good;
    tell(*m_result,
         chosen == nullptr || isOver ? QString()
         : good                      ? tr("Right.")
                                     : tr("Not yet."),
         good ? Role::Good : Role::Bad);
    tell(*m_diagnoses, {});
    m_diagnosis->showMarkdown(chosen == nullptr ? QString() : textOf(chosen->diagnosis));
    m_hints->showMarkdown({});
    const bool shown = state.answerShown && right != question.choices.end();
    tell(*m_right, shown ? tr("The answer: %1").arg(plainOf(textOf(right->text))) : QString());
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
