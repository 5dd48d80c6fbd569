// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands.h"

#include <nlohmann/json.hpp>

#include <sstream>
#include <string>
#include <vector>

namespace tests {

/// What a command line did.
struct Outcome {
    int exitCode = 0;
    std::string out;
    std::string err;
    std::vector<std::string> asked; ///< of the window side: "start", "start llama-3.1-8b", "draw growth a.png"
};

/// The words of a line, separated by single spaces.
inline std::vector<std::string> words(const std::string& line)
{
    std::istringstream stream(line);
    std::vector<std::string> words;
    for (std::string word; std::getline(stream, word, ' ');)
        words.push_back(word);
    return words;
}

/// Runs a command line in this process, with a window side that takes notes.
inline Outcome run(const std::vector<std::string>& arguments)
{
    Outcome outcome;
    std::ostringstream out;
    std::ostringstream err;
    const app::WindowSide windowSide{
        .start =
            [&](const std::optional<core::Model>& model, const std::string& /*subject*/) {
                outcome.asked.push_back(model ? "start " + model->name : "start");
                return app::kDone;
            },
        .draw =
            [&](const app::Picture& picture) {
                outcome.asked.push_back("draw " + picture.view + " " + picture.file);
                return app::kDone;
            },
        .charts = {"growth", "budget"},
    };
    outcome.exitCode = app::run(arguments, out, err, windowSide);
    outcome.out = out.str();
    outcome.err = err.str();
    return outcome;
}

inline Outcome run(const std::string& line)
{
    return run(words(line));
}

/// The object that a line with --json prints; null when it does not print one.
inline nlohmann::json json(const std::string& line)
{
    return nlohmann::json::parse(run(line + " --json").out, nullptr, false);
}

} // namespace tests
