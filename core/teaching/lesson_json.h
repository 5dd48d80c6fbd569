// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson.h"
#include "core/teaching/lesson_scenario.h"
#include "core/text/result.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace core {

/// Largest lesson file that is read.
inline constexpr std::size_t kLargestLesson = std::size_t{1} << 20U;

/// What a file says it is, by the format that its first 4,096 bytes name.
enum class LessonFile : std::uint8_t { None, Lesson, Exercises };
LessonFile lessonFile(std::string_view content);
inline constexpr std::size_t kLessonPeek = 4'096;

/// A lesson file: {"format":"kvhorizon.lesson","version":1,"id","title","description","minutes","scenario","steps":[
/// {"title","text","scenario","others":{"mha":{…}},"controls":["context"],"prediction","question","reveal",
/// "reflection"}]}. A step's scenario has its values in place of the lesson's, an "others" one in place of the step's.
/// prediction: {"text","kind":"marker|number","asked"} or {"text","choices":[{"text","right","diagnosis"}]}.
/// question: an exercise (`exercise_json.h`), the id of a known one, whose scenario then is the step's, or {"text",
/// "choices"}. Every choice that is not right has a diagnosis. The error is one sentence that names file, place ("step
/// 3.question.asked") and fault.
Result<Lesson> lessonFromText(std::string_view text, std::string_view name, const LessonSources& sources);

/// All that is wrong with the file, at most one fault of each step; empty when it can be read.
std::vector<Error> lessonFaults(std::string_view text, std::string_view name, const LessonSources& sources);

} // namespace core
