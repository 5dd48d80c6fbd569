// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/scenario/hardware.h"
#include "core/teaching/lesson.h"
#include "core/text/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace core {

/// The largest lesson file that is read, in bytes.
inline constexpr std::size_t kLargestLesson = std::size_t{1} << 20U;

/// The kind of lesson file that a text says it is, by the format that its first 4,096 bytes name.
enum class LessonFile : std::uint8_t { None, Lesson, Exercises };
LessonFile lessonFile(std::string_view content);

/// What lesson files may name.
struct LessonSources {
    const std::vector<Model>& models;
    const std::vector<Gpu>& gpus;
    const std::vector<Exercise>& exercises;
};

/// Reads a lesson: {"format":"kvhorizon.lesson","version":1,"id","title","description","minutes","scenario","steps":[
/// {"title","text","scenario","others":{"mha":{…}},"controls":["context"],"prediction","question","hold_back",
/// "whole_axis","reveal","reflection"}]}. The values of a step's scenario stand in place of the lesson's, those of
/// "others" in place of the step's.
/// prediction: {"text","kind":"marker|number","asked"} or {"text","choices":[{"text","right","diagnosis"}]}.
/// question: an exercise, the id of a known one, whose scenario then is the step's, or {"text","choices"}. Every choice
/// that is not right has a diagnosis. The error is one sentence that names file, place ("step 3.question.asked") and
/// fault.
Result<Lesson> lessonFromText(std::string_view text, std::string_view name, const LessonSources& sources);

/// All that is wrong with the lesson, at most one fault of each step; empty when it can be read.
std::vector<Error> lessonFaults(std::string_view text, std::string_view name, const LessonSources& sources);

/// Reads exercises: {"format":"kvhorizon.exercises","version":1,"title","exercises":[{"id","title","question",
/// "scenario","compared","asked","accepted":{"from","to"},"mistakes":["query-heads","other-layers 32"],"close":[…],
/// "hints":[three],"explanation"}]}. "compared" is the scenario with changes. Without "mistakes" and "close" those
/// mistakes are diagnosed that people usually make with what is asked. The error names file, place and fault.
Result<ExerciseSet> exercisesFromText(std::string_view text, std::string_view name, const LessonSources& sources);

} // namespace core

namespace core::readers {

/// True when the file's content says that it is a lesson or a collection of exercises.
bool looksLikeLesson(const std::filesystem::path& path);

/// The text of a lesson file, cut where it is larger than any lesson; whoever reads the lesson then says so. The error
/// names the file and why it cannot be read.
Result<std::string> readLessonText(const std::filesystem::path& path);

/// The lesson in the file, or its exercises as one lesson. The error names file, place and fault.
Result<Lesson> readLessonFile(const std::filesystem::path& path, const LessonSources& sources);

} // namespace core::readers
