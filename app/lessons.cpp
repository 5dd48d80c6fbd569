// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lessons.h"

#include "app/catalogs.h"
#include "app/text_table.h"
#include "core/teaching/lesson_file.h"
#include "core/text/format.h"

#include <QDir>
#include <QResource>
#include <QString>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <utility>

namespace app {

namespace {

core::LessonSources sourcesOf(const Course& course)
{
    return {course.models, course.gpus, course.exercises};
}

std::string resource(const QString& path)
{
    return QResource(path).uncompressedData().toStdString();
}

core::Result<void> readExercises(Course& course)
{
    core::Result<core::ExerciseSet> set = core::exercisesFromText(resource(QStringLiteral(":/lessons/exercises.json")),
                                                                  "exercises.json", sourcesOf(course));
    if (!set)
        return tl::unexpected(set.error());
    course.exercises = std::move(set->exercises);
    return {};
}

core::Result<void> readLessons(Course& course)
{
    const QDir folder(QStringLiteral(":/lessons"));
    for (const QString& name : folder.entryList({QStringLiteral("*-*.json")}, QDir::Files, QDir::Name)) {
        core::Result<core::Lesson> lesson =
            core::lessonFromText(resource(folder.filePath(name)), name.toStdString(), sourcesOf(course));
        if (!lesson)
            return tl::unexpected(lesson.error());
        course.lessons.push_back(std::move(*lesson));
    }
    return {};
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

Validation validateLesson(const std::string& path, const Course& course)
{
    const core::Result<std::string> text = core::readers::readLessonText(path);
    if (!text)
        return {{}, {text.error()}};
    const std::string name = std::filesystem::path(path).filename().string();
    if (core::lessonFile(*text) == core::LessonFile::Exercises) {
        const auto set = core::exercisesFromText(*text, name, sourcesOf(course));
        if (!set)
            return {{}, {set.error()}};
        return {
            fmt::format("{}: {} \"{}\"\n", path, counted(set->exercises.size(), "exercise", "exercises"), set->title),
            {}};
    }
    const auto lesson = core::lessonFromText(*text, name, sourcesOf(course));
    if (!lesson)
        return {{}, core::lessonFaults(*text, name, sourcesOf(course))};
    return {fmt::format("{}: lesson \"{}\", {}, {}, {}\n", path, lesson->title,
                        counted(lesson->steps.size(), "step", "steps"),
                        counted(predictionsOf(*lesson), "prediction", "predictions"),
                        counted(questionsOf(*lesson), "question", "questions")),
            {}};
}

} // namespace app
