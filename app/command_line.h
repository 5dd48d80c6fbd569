// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/options.h"

#include <tl/expected.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace app {

enum class Verb : std::uint8_t { Window, Size, Inspect, Models, Gpus, Export, Lesson, Help, Text };
enum class Format : std::uint8_t { Text, Json, Csv, Markdown };

/// A command line, understood.
struct CommandLine {
    Verb verb = Verb::Window;
    std::string subject;              ///< MODEL, or the FILE of a window; may be empty for a window or an export
    std::vector<OptionValue> options; ///< of the scenario
    Format format = Format::Text;
    bool explain = false;
    bool failIfOver = false;
    std::string log;                ///< FILE of size that an engine's output is in; empty: none
    bool usesLog = false;           ///< its settings are taken over
    std::vector<std::string> files; ///< to be validated by lesson; empty: list the course
    std::string view;               ///< VIEW of export
    std::string output;             ///< FILE of export
    std::string size;               ///< of export, as typed; so are the next three
    std::string dpi;
    std::string title;
    std::string theme;
    std::string topic; ///< TOPIC of help; empty: list the topics
    std::string text;  ///< Verb::Text: the help or the version, to be printed
};

/// Understands the arguments (without the program's name). Values are not looked at; the error is one sentence that
/// names what cannot be parsed and the closest option or command.
tl::expected<CommandLine, std::string> parseCommandLine(std::span<const std::string> arguments);

} // namespace app
