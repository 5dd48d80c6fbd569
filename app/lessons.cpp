// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lessons.h"

#include "app/catalogs.h"
#include "app/text_table.h"
#include "core/exercise_json.h"
#include "core/format.h"
#include "core/lesson_json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace app {

namespace {

/// A file's text, cut where it is larger than any lesson: the reader then says so.
core::Result<std::string> contentOf(const QString& path)
{
    QFile file(path);
    if (QFileInfo(path).isDir() || !file.open(QIODevice::ReadOnly))
        return core::fail(
            KV_TEXT("core", "\"{0}\" cannot be read ({1}); check the path."),
            {path.toStdString(), QFileInfo(path).isDir() ? "it is a folder" : file.errorString().toStdString()});
    return file.read(static_cast<qint64>(core::kLargestLesson) + 1).toStdString();
}

std::string nameOf(const QString& path)
{
    return QFileInfo(path).fileName().toStdString();
}

core::LessonSources sourcesOf(const Course& course)
{
    return {course.models, course.gpus, course.exercises};
}

core::Result<void> readExercises(Course& course)
{
    const core::Result<std::string> text = contentOf(QStringLiteral(":/lessons/exercises.json"));
    if (!text)
        return tl::unexpected(text.error());
    core::Result<core::ExerciseSet> set = core::exercisesFromText(*text, "exercises.json", sourcesOf(course));
    if (!set)
        return tl::unexpected(set.error());
    course.exercises = std::move(set->exercises);
    return {};
}

core::Result<void> readLessons(Course& course)
{
    const QDir folder(QStringLiteral(":/lessons"));
    for (const QString& name : folder.entryList({QStringLiteral("*-*.json")}, QDir::Files, QDir::Name)) {
        core::Result<core::Lesson> lesson = loadLesson(folder.filePath(name).toStdString(), course);
        if (!lesson)
            return tl::unexpected(lesson.error());
        course.lessons.push_back(std::move(*lesson));
    }
    return {};
}

bool holdsExercises(const std::string& text)
{
    return text.find("\"kvhorizon.exercises\"") != std::string::npos;
}

template <typename Count> std::string counted(Count count, const char* one, const char* many)
{
    return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::int64_t questionsOf(const core::Lesson& lesson)
{
    return std::ranges::count_if(lesson.steps, [](const core::LessonStep& step) {
        return !std::holds_alternative<std::monostate>(step.question);
    });
}

std::int64_t predictionsOf(const core::Lesson& lesson)
{
    return std::ranges::count_if(lesson.steps,
                                 [](const core::LessonStep& step) { return step.prediction.has_value(); });
}

} // namespace

core::Result<Course> course()
{
    auto known = models();
    if (!known)
        return tl::unexpected(known.error());
    auto accelerators = gpus();
    if (!accelerators)
        return tl::unexpected(accelerators.error());
    Course course{std::move(*known), std::move(*accelerators), {}, {}};
    for (const auto part : {readExercises, readLessons}) {
        if (const core::Result<void> done = part(course); !done)
            return tl::unexpected(done.error());
    }
    return course;
}

bool looksLikeLesson(const std::string& path)
{
    constexpr qint64 kPeek = 4'096; // bytes in which a file names its format
    QFile file(QString::fromStdString(path));
    if (!QFileInfo(file).isFile() || !file.open(QIODevice::ReadOnly))
        return false;
    const std::string beginning = file.read(kPeek).toStdString();
    return beginning.find("\"kvhorizon.lesson\"") != std::string::npos || holdsExercises(beginning);
}

std::string courseText(const Course& course)
{
    TextTable table({Align::Right, Align::Left, Align::Right, Align::Right, Align::Right});
    table.add({"", "lesson", "minutes", "steps", "questions"});
    std::int64_t minutes = 0;
    for (const core::Lesson& lesson : course.lessons) {
        const std::string number = std::to_string(&lesson - course.lessons.data() + 1);
        table.add({number, lesson.title, std::to_string(lesson.minutes), std::to_string(lesson.steps.size()),
                   std::to_string(questionsOf(lesson))});
        minutes += lesson.minutes;
    }
    return table.text() + fmt::format("\n{}, {} minutes; {} to practise.\n",
                                      counted(course.lessons.size(), "lesson", "lessons"), minutes,
                                      counted(course.exercises.size(), "exercise", "exercises"));
}

core::Result<core::Lesson> loadLesson(const std::string& path, const Course& course)
{
    const QString file = QString::fromStdString(path);
    const core::Result<std::string> text = contentOf(file);
    if (!text)
        return tl::unexpected(text.error());
    return core::lessonFromText(*text, nameOf(file), sourcesOf(course));
}

Validation validateLesson(const std::string& path, const Course& course)
{
    const QString file = QString::fromStdString(path);
    const core::Result<std::string> text = contentOf(file);
    if (!text)
        return {{}, {text.error()}};
    if (holdsExercises(*text)) {
        const auto set = core::exercisesFromText(*text, nameOf(file), sourcesOf(course));
        if (!set)
            return {{}, {set.error()}};
        return {
            fmt::format("{}: {} \"{}\"\n", path, counted(set->exercises.size(), "exercise", "exercises"), set->title),
            {}};
    }
    const auto lesson = core::lessonFromText(*text, nameOf(file), sourcesOf(course));
    if (!lesson)
        return {{}, core::lessonFaults(*text, nameOf(file), sourcesOf(course))};
    return {fmt::format("{}: lesson \"{}\", {}, {}, {}\n", path, lesson->title,
                        counted(lesson->steps.size(), "step", "steps"),
                        counted(predictionsOf(*lesson), "prediction", "predictions"),
                        counted(questionsOf(*lesson), "question", "questions")),
            {}};
}

} // namespace app
