// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_run.h"

#include "ui/texts.h"

#include <QSettings>
#include <QUrl>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr int kHints = 3;

/// The key in the settings. An id, which may come from anybody's file, is encoded, as a slash in it would open a group.
QString progressKey(const std::string& lessonId, const char* name)
{
    const QByteArray id = QUrl::toPercentEncoding(QString::fromStdString(lessonId));
    return QStringLiteral("lessons/%1/%2").arg(QString::fromLatin1(id), QString::fromLatin1(name));
}

} // namespace

Progress progressOf(const std::string& lessonId)
{
    const QSettings settings;
    return {settings.value(progressKey(lessonId, "step")).toInt(),
            settings.value(progressKey(lessonId, "done")).toBool(),
            settings.value(progressKey(lessonId, "solved")).toBool()};
}

void clearProgress()
{
    QSettings().remove(QStringLiteral("lessons"));
}

LessonRun::LessonRun(core::Lesson lesson, QObject* parent)
    : QObject(parent), m_lesson(std::move(lesson)), m_states(m_lesson.steps.size())
{
    const Progress progress = progressOf(m_lesson.id);
    if (!m_lesson.id.empty() && !progress.done)
        m_index = std::clamp(progress.furthest, 0, count() - 1);
    keepProgress();
}

bool LessonRun::isPredictionOpen() const
{
    const StepState& state = this->state();
    return step().prediction && !state.saidNumber && !state.saidChoice && !state.skipped;
}

bool LessonRun::isQuestionOpen() const
{
    return !std::holds_alternative<std::monostate>(step().question) && !state().solved && !state().answerShown;
}

bool LessonRun::holdsNumbersBack() const
{
    return isPredictionOpen() || (isQuestionOpen() && step().showsItsAnswer());
}

bool LessonRun::holdsWeightsBack() const
{
    return holdsNumbersBack() && step().askedQuantity() == core::AskedQuantity::Weights;
}

bool LessonRun::holdsLayoutBack() const
{
    const std::optional<core::AskedQuantity> asked = step().askedQuantity();
    return holdsNumbersBack() && (asked == core::AskedQuantity::HeadDim || step().holdBack);
}

std::vector<core::Field> LessonRun::controls() const
{
    if (!holdsNumbersBack())
        return step().controls;
    if (isPredictionOpen() && step().prediction->kind == core::Prediction::Kind::Marker)
        return {core::Field::Context};
    return {};
}

bool LessonRun::mayChange(core::Field field) const
{
    return std::ranges::count(controls(), field) > 0;
}

std::optional<double> LessonRun::rightPrediction() const
{
    return core::solve(step().prediction->quantity, step().scenario);
}

core::Message LessonRun::predict(const QString& typed)
{
    core::Exercise question;
    question.task = {step().prediction->quantity, step().scenario, {}};
    const std::string text = typed.toStdString();
    const core::Judgement judgement = core::judge(question, text, numberStyle());
    if (judgement.grade == core::Grade::Unreadable)
        return judgement.message;
    const core::Measure measure = core::measureOf(question.task.quantity);
    predictNumber(core::meantBy(core::readAnswer(text, numberStyle(), measure).value(), measure,
                                rightPrediction().value_or(1), numberStyle()));
    return {};
}

QString LessonRun::predictionUnit() const
{
    if (!step().prediction || core::measureOf(step().prediction->quantity) != core::Measure::Bytes)
        return {};
    const std::string_view unit = core::unitName(rightPrediction().value_or(1), sizeUnit());
    return QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()));
}

void LessonRun::predictNumber(double number)
{
    mutableState().saidNumber = number;
    keepAndTell();
}

void LessonRun::predictChoice(int choice)
{
    mutableState().saidChoice = choice;
    keepAndTell();
}

void LessonRun::skipPrediction()
{
    mutableState().skipped = true;
    keepAndTell();
}

core::Message LessonRun::predictionResult() const
{
    if (!state().saidNumber)
        return {};
    if (isQuestionOpen() && step().asksWhatIsPredicted())
        return {KV_TEXT("core", "You said {0}. Now work it out."),
                {core::shownNumber(core::measureOf(step().prediction->quantity), *state().saidNumber)}};
    const std::optional<double> is = rightPrediction();
    return is ? core::gapInWords(core::measureOf(step().prediction->quantity), *state().saidNumber, *is)
              : core::Message{};
}

void LessonRun::answer(const QString& typed)
{
    const auto* exercise = std::get_if<core::Exercise>(&step().question);
    if (exercise == nullptr)
        return;
    mutableState().judgement = core::judge(*exercise, typed.toStdString(), numberStyle());
    if (state().judgement->grade == core::Grade::Unreadable)
        emit changed();
    else
        takeResult(state().judgement->accepted());
}

void LessonRun::choose(int choice)
{
    const auto* question = std::get_if<core::ChoiceQuestion>(&step().question);
    if (question == nullptr || choice < 0)
        return;
    mutableState().chosen = choice;
    takeResult(question->choices.at(static_cast<std::size_t>(choice)).right);
}

void LessonRun::takeResult(bool right)
{
    mutableState().solved = right;
    mutableState().wrong += right ? 0 : 1;
    mutableState().answerShown = state().answerShown || (!right && state().wrong >= core::kTriesBeforeAnswer);
    keepAndTell();
}

bool LessonRun::hasHint() const
{
    return isQuestionOpen() && std::holds_alternative<core::Exercise>(step().question) && state().hints < kHints;
}

void LessonRun::showHint()
{
    mutableState().hints = std::min(kHints, state().hints + 1);
    emit changed();
}

void LessonRun::showAnswer()
{
    mutableState().answerShown = true;
    keepAndTell();
}

void LessonRun::next()
{
    if (!isLast())
        begin(m_index + 1);
}

void LessonRun::back()
{
    if (m_index > 0)
        begin(m_index - 1);
}

void LessonRun::begin(int index)
{
    m_index = index;
    keepProgress();
    emit stepBegan();
}

void LessonRun::keepAndTell()
{
    keepProgress();
    emit changed();
}

void LessonRun::keepProgress() const
{
    if (m_lesson.id.empty())
        return;
    const Progress before = progressOf(m_lesson.id);
    const bool done = before.done || (isLast() && isSettled());
    QSettings settings;
    QList<QVariant> solved = settings.value(progressKey(m_lesson.id, "solved-steps")).toList();
    if (state().solved && !solved.contains(m_index))
        solved << m_index;
    settings.setValue(progressKey(m_lesson.id, "step"), std::max(before.furthest, m_index));
    settings.setValue(progressKey(m_lesson.id, "done"), done);
    settings.setValue(progressKey(m_lesson.id, "solved-steps"), solved);
    settings.setValue(progressKey(m_lesson.id, "solved"), before.solved || (done && isSolvedBy(solved)));
}

bool LessonRun::isSolvedBy(const QList<QVariant>& solvedSteps) const
{
    const auto contains = [&](int step) { // a settings file may give the numbers back as texts
        return std::ranges::any_of(solvedSteps, [&](const QVariant& number) { return number.toInt() == step; });
    };
    for (int step = 0; step < count(); ++step) {
        const core::Question& question = m_lesson.steps.at(static_cast<std::size_t>(step)).question;
        if (!std::holds_alternative<std::monostate>(question) && !contains(step))
            return false;
    }
    return true;
}

} // namespace ui
