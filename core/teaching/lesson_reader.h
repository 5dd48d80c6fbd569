// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/json_reader.h"
#include "core/teaching/lesson_file.h"
#include "core/text/result.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// How the readers of lesson files read: a value a line. The first value that is refused ends the reading with an
// exception, which stays inside the readers: their doors make a Result of it with `resultOf`.
namespace core {

/// Thrown where a value is refused.
struct Refused {
    Error error;
};

/// Ends the reading with the fault: `refuse(object.wrong(…))`.
[[noreturn]] inline void refuse(tl::unexpected<Error> fault)
{
    throw Refused{std::move(fault.value())};
}

/// What `result` holds; ends the reading where that is an error.
template <typename T> T orRefuse(Result<T> result)
{
    if (!result)
        throw Refused{std::move(result.error())};
    if constexpr (!std::is_void_v<T>)
        return *std::move(result);
}

/// What `read` returns, or the error with which it ended.
template <typename Read> Result<std::invoke_result_t<Read>> resultOf(Read read)
{
    try {
        return read();
    } catch (Refused& refused) {
        return tl::unexpected<Error>(std::move(refused.error));
    }
}

/// Ends the reading because of the text `value` at `key`. Placeholders of `text`: {0} file, {1} key, {2} value, and
/// `more` from {3} on.
[[noreturn]] void refuseText(const readers::JsonObject& object, std::string_view key, std::string_view text,
                             std::string value, std::vector<Value> more = {});

/// The one of `known` that is most like `name`; the first one where none is like it.
std::string closestOrFirst(std::string_view name, const std::vector<std::string>& known);

/// The scenario at `key`: {"model": "llama-3-8b" or a whole model, "gpu": "rtx-3090", and from "workload" on the keys
/// of a scenario file}. Its values stand in place of those of `base`; a model begins anew from the defaults. It is
/// `base` when the key is absent. Refused when there is no base either, or when the scenario has an issue.
Scenario scenarioAt(const readers::JsonObject& object, std::string_view key, const Scenario* base,
                    const LessonSources& sources);

/// The Markdown at `key`: one text, or a list of paragraphs. Empty when absent. Refused where it holds what it may not.
std::string markdownAt(const readers::JsonObject& object, std::string_view key);

/// The same; refused when absent.
std::string neededMarkdownAt(const readers::JsonObject& object, std::string_view key);

/// Refuses the text at `key` when one of its placeholders cannot be filled.
void checkPlaceholders(const readers::JsonObject& object, std::string_view key, std::string_view text,
                       const PlaceholderScenarios& scenarios);

/// An exercise; `base` is the scenario of the step that asks it, or nullptr. Its scenario has an answer.
Exercise exerciseFrom(const readers::JsonObject& object, const Scenario* base, const LessonSources& sources);

} // namespace core
