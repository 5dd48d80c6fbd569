// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/model.h"
#include "core/readers/json/json_reader.h"
#include "core/scenario/hardware.h"
#include "core/scenario/scenario.h"
#include "core/teaching/exercise.h"
#include "core/teaching/lesson_text.h"
#include "core/text/result.h"

#include <optional>
#include <string>
#include <vector>

namespace core {

/// What lesson files may name.
struct LessonSources {
    const std::vector<Model>& models;
    const std::vector<Gpu>& gpus;
    const std::vector<Exercise>& exercises;
};

/// The scenario at `key` of a lesson: {"model": "llama-3-8b" or a whole model, "gpu": "rtx-3090", and from "workload"
/// on the keys of a scenario file}. Its values stand in place of those of `base`; a model begins anew from the
/// defaults. `base` when the key is absent; an error when there is no base either, or when the scenario has an issue.
Result<Scenario> lessonScenario(const readers::JsonObject& object, std::string_view key,
                                const std::optional<Scenario>& base, const LessonSources& sources);

/// The Markdown at `key`: one text, or a list of paragraphs. Empty when absent. The error names what it may not hold.
Result<std::string> markdownAt(const readers::JsonObject& object, std::string_view key);

/// The same; absent is an error.
Result<std::string> neededMarkdownAt(const readers::JsonObject& object, std::string_view key);

/// An error at `key` when a place of its text cannot be filled.
Result<void> checkPlaces(const readers::JsonObject& object, std::string_view key, std::string_view text,
                         const Places& places);

} // namespace core
