// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/teaching/course.h"
#include "ui/catalogue.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace tests {

/// Models, accelerators, exercises and lessons, as the program has them.
inline const ui::Catalogue& wholeCatalogue()
{
    static const ui::Catalogue whole = [] {
        ui::Catalogue all{models(), gpus(), exercises(), {}};
        for (const auto& path : lessonFiles())
            all.lessons.push_back(lessonAt(path));
        return all;
    }();
    return whole;
}

/// A lesson of the course.
inline core::Lesson courseLesson(const std::string& id)
{
    const auto found = std::ranges::find(wholeCatalogue().lessons, id, &core::Lesson::id);
    if (found == wholeCatalogue().lessons.end())
        throw std::runtime_error("no lesson " + id);
    return *found;
}

/// A lesson of two steps: a number to predict, then an exercise on its own.
inline core::Lesson shortLesson()
{
    return valueOf(core::lessonFromText(R"({"format":"kvhorizon.lesson","version":1,"id":"short/one","title":"Short",
        "description":"For tests.","minutes":1,
        "scenario":{"model":"llama-3.1-8b","workload":{"context":8192,"batch":1}},
        "steps":[{"title":"Guess","text":"A text with [a link](https://example.org/x).","controls":["batch"],
                  "prediction":{"text":"How large is the cache?","kind":"number","asked":"cache"},
                  "reveal":"Here it is: {cache}.","reflection":"Why so much?"},
                 {"title":"Ask","text":"Now work it out.","question":"E3"}]})",
                                        "short.json", sources()));
}

} // namespace tests
