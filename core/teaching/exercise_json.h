// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/exercise.h"
#include "core/teaching/lesson.h"
#include "core/teaching/lesson_scenario.h"

#include <optional>
#include <string_view>

namespace core {

/// A file of exercises: {"format":"kvhorizon.exercises","version":1,"title","exercises":[{"id","title","question",
/// "scenario","compared","asked","accepted":{"from","to"},"mistakes":["query-heads","other-layers 32"],"close":[…],
/// "hints":[three],"explanation"}]}. "compared" is the scenario with changes; without "mistakes" and "close" those are
/// diagnosed that people usually make with what is asked. The error names file, place and fault.
Result<ExerciseSet> exercisesFromText(std::string_view text, std::string_view name, const LessonSources& sources);

/// One exercise; `base` is the scenario of the step that asks it, or nothing. Its scenario has an answer.
Result<Exercise> exerciseFromJson(const readers::JsonObject& object, const std::optional<Scenario>& base,
                                  const LessonSources& sources);

} // namespace core
