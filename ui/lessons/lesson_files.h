// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson.h"
#include "core/lesson_scenario.h"
#include "core/result.h"

#include <QString>

namespace ui {

/// True when the file's content says that it is a lesson or a collection of exercises.
bool looksLikeLesson(const QString& path);

/// The lesson in the file, or its exercises as one. The error names file, place and fault.
core::Result<core::Lesson> loadLesson(const QString& path, const core::LessonSources& sources);

} // namespace ui
