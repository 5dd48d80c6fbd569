// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson.h"
#include "core/teaching/lesson_scenario.h"
#include "core/text/result.h"

#include <filesystem>
#include <string>

namespace core::readers {

/// True when the file's content says that it is a lesson or a collection of exercises.
bool looksLikeLesson(const std::filesystem::path& path);

/// The text of a lesson file, cut where it is larger than any lesson: its reader then says so. The error names the file
/// and why it cannot be read.
Result<std::string> readLessonText(const std::filesystem::path& path);

/// The lesson in the file, or its exercises as one. The error names file, place and fault.
Result<Lesson> readLessonFile(const std::filesystem::path& path, const LessonSources& sources);

} // namespace core::readers
