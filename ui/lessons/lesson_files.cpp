// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/lesson_files.h"

#include "core/exercise_json.h"
#include "core/lesson_json.h"
#include "ui/lessons/lesson_run.h"

#include <QFile>
#include <QFileInfo>

#include <string>

namespace ui {

namespace {

constexpr qint64 kPeek = 4'096; ///< bytes in which a file names its format

bool begins(const QString& path, const char* format)
{
    QFile file(path);
    return QFileInfo(path).isFile() && file.open(QIODevice::ReadOnly) && file.read(kPeek).contains(format);
}

constexpr const char* kLesson = "\"kvhorizon.lesson\"";
constexpr const char* kExercises = "\"kvhorizon.exercises\"";

} // namespace

bool looksLikeLesson(const QString& path)
{
    return begins(path, kLesson) || begins(path, kExercises);
}

core::Result<core::Lesson> loadLesson(const QString& path, const core::LessonSources& sources)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return core::fail(KV_TEXT("core", "\"{0}\" cannot be read ({1}); nothing was changed; check that it is a file "
                                          "you may read."),
                          {path.toStdString(), file.errorString().toStdString()});
    // One byte more than is read, so that the reader says that it is too large.
    const std::string content = file.read(static_cast<qint64>(core::kLargestLesson) + 1).toStdString();
    const std::string name = QFileInfo(path).fileName().toStdString();
    if (!begins(path, kExercises))
        return core::lessonFromText(content, name, sources);
    return core::exercisesFromText(content, name, sources).map([](const core::ExerciseSet& set) {
        return lessonOf(set);
    });
}

} // namespace ui
