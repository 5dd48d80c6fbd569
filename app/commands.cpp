// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"

#include "app/catalogs.h"
#include "app/command_line.h"
#include "app/inspect_text.h"
#include "app/lessons.h"
#include "app/lists.h"
#include "app/log_text.h"
#include "app/manual_text.h"
#include "app/size_table.h"
#include "app/size_text.h"
#include "app/subject.h"
#include "core/engines/engine.h"
#include "core/files/footprint_json.h"
#include "core/readers/json/model_json.h"
#include "core/readers/log_file.h"
#include "core/sizing/advice.h"
#include "core/sizing/evaluate.h"
#include "core/teaching/lesson_file.h"
#include "core/text/format.h"
#include "core/text/text.h"

#include <QtGlobal>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <ostream>

namespace app {

namespace {

/// What a command has to say: text for stdout, or sentences for stderr.
struct Answer {
    int exitCode = kDone;
    std::string data;
    std::vector<std::string> messages;
};

Answer failed(const core::Error& error)
{
    return {kFailed, {}, {core::english(error.message)}};
}

std::string dump(const nlohmann::ordered_json& json)
{
    // Names of files may hold bytes that are no UTF-8.
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

Answer refused(const std::vector<core::Issue>& issues)
{
    Answer answer{kFailed, {}, {}};
    for (const core::Issue& issue : issues)
        answer.messages.push_back(fmt::format("--{}: {}", issue.setting.empty() ? id(issue.field) : issue.setting,
                                              core::english(issue.message)));
    return answer;
}

/// What would make it fit, or what the headroom is worth. The catalogue of accelerators is read only where one of them
/// may be advised.
std::vector<core::Advice> adviceOn(const core::Evaluation& evaluation)
{
    const bool over = !evaluation.footprint.fits().value_or(true);
    const core::Result<std::vector<core::Gpu>> known =
        over && evaluation.scenario.hardware.gpu ? gpus() : std::vector<core::Gpu>();
    return core::advise(evaluation, known ? *known : std::vector<core::Gpu>());
}

/// What an engine printed beside what is predicted.
struct LogAnswer {
    core::engines::EngineLog log;
    std::vector<core::engines::LogComparison> comparison;
};

std::string sizeData(const CommandLine& line, const core::Evaluation& evaluation, const std::optional<LogAnswer>& log)
{
    switch (line.format) {
    case Format::Json: {
        nlohmann::ordered_json json = core::footprintToJson(evaluation);
        json["advice"] = core::adviceToJson(adviceOn(evaluation));
        if (log)
            json["log"] = comparisonJson(log->log, log->comparison);
        return dump(json);
    }
    case Format::Csv:
        return sizeCsv(evaluation);
    case Format::Markdown:
        return sizeMarkdown(evaluation);
    case Format::Text:
        break;
    }
    std::string text = sizeText(evaluation, adviceOn(evaluation), line.explain);
    return log ? text + '\n' + comparisonText(evaluation.scenario.engine, log->log, log->comparison) : text;
}

Answer size(const CommandLine& line)
{
    core::Result<core::Scenario> scenario = scenarioFor(line.subject, line.options);
    if (!scenario)
        return failed(scenario.error());
    std::optional<LogAnswer> log;
    if (!line.log.empty()) {
        core::Result<core::engines::EngineLog> read = core::readers::readLogFile(line.log, scenario->engine);
        if (!read)
            return failed(read.error());
        if (line.usesLog)
            scenario = core::engines::withLog(*std::move(scenario), *read);
        if (core::engines::engine(scenario->engine).newest.empty())
            return {kFailed,
                    {},
                    {fmt::format(
                        "--compare-log compares with what an engine prints, so it needs an engine: add --engine {}.",
                        id(read->engine))}};
        log = LogAnswer{*std::move(read), {}};
    }
    const core::Evaluation evaluation = core::assess(*std::move(scenario));
    if (!evaluation.issues.empty())
        return refused(evaluation.issues);
    if (log)
        log->comparison = evaluation.plan->compareLog(evaluation.reservation, log->log);
    const std::optional<bool> fits = evaluation.footprint.fits();
    if (line.failIfOver && !fits)
        return {kFailed, {}, {"--fail-if-over needs a GPU: add --gpu ID or --vram SIZE."}};
    return {line.failIfOver && !*fits ? kDoesNotFit : kDone, sizeData(line, evaluation, log), {}};
}

Answer inspect(const CommandLine& line)
{
    const core::Result<core::Model> model = modelFor(line.subject, line.options);
    if (!model)
        return failed(model.error());
    return {kDone, line.format == Format::Json ? dump(core::readers::modelToJson(*model)) : inspectText(*model), {}};
}

Answer listModels(const CommandLine& line)
{
    const core::Result<std::vector<core::Model>> all = models();
    if (!all)
        return failed(all.error());
    return {kDone, line.format == Format::Json ? dump(modelsJson(*all)) : modelsText(*all), {}};
}

Answer listGpus(const CommandLine& line)
{
    const core::Result<std::vector<core::Gpu>> all = gpus();
    if (!all)
        return failed(all.error());
    return {kDone, line.format == Format::Json ? dump(gpusJson(*all)) : gpusText(*all), {}};
}

/// The course, or what is right and wrong with the files: what is right is data, what is wrong a message.
Answer lesson(const CommandLine& line)
{
    const core::Result<Course> known = course();
    if (!known)
        return failed(known.error());
    if (line.files.empty())
        return {kDone, courseText(*known), {}};
    Answer answer;
    for (const std::string& file : line.files) {
        const Validation validation = validateLesson(file, *known);
        answer.data += validation.summary;
        for (const core::Error& fault : validation.faults)
            answer.messages.push_back(core::english(fault.message));
    }
    answer.exitCode = answer.messages.empty() ? kDone : kFailed;
    return answer;
}

Answer manual(const CommandLine& line)
{
    if (line.topic.empty())
        return {kDone, manualTopicsText(), {}};
    core::Result<std::string> text = manualTopicText(line.topic);
    return text ? Answer{kDone, *std::move(text), {}} : failed(text.error());
}

/// False where Qt would give up for want of a display.
bool hasDisplay()
{
#if defined(Q_OS_UNIX) && !defined(Q_OS_MACOS)
    const auto set = [](const char* name) { return !qEnvironmentVariableIsEmpty(name); };
    return set("DISPLAY") || set("WAYLAND_DISPLAY") || set("QT_QPA_PLATFORM");
#else
    return true;
#endif
}

Answer startWindow(const CommandLine& line, const WindowSide& windowSide)
{
    core::Result<core::Model> model = core::Model();
    const bool named = !line.subject.empty() && !core::readers::looksLikeLesson(line.subject);
    if (named)
        model = loadModel(line.subject);
    if (!model)
        return failed(model.error());
    if (!hasDisplay())
        return {
            kFailed, {}, {"There is no display to open a window on: use \"kvhorizon size\" or \"kvhorizon export\"."}};
    return {windowSide.start(named ? std::optional(*std::move(model)) : std::nullopt, line.subject), {}, {}};
}

/// Why the picture cannot be written, as far as its names tell.
std::optional<std::string> wrongPicture(const CommandLine& line, const std::vector<std::string>& charts)
{
    if (line.view != "window" && std::ranges::count(charts, line.view) == 0) {
        return fmt::format("There is no view \"{}\": draw window, {} or {}.", line.view,
                           fmt::join(charts.begin(), charts.end() - 1, ", "), charts.back());
    }
    const std::vector<std::string> endings{".png", ".svg", ".pdf", ".csv"};
    const auto named = [&](const std::string& ending) { return core::toLower(line.output).ends_with(ending); };
    if (line.view == "window" && !named(".png"))
        return fmt::format("\"{}\" does not name a PNG file: let it end with .png.", line.output);
    if (std::ranges::none_of(endings, named))
        return fmt::format("\"{}\" does not name a format: let it end with .png, .svg, .pdf or .csv.", line.output);
    if (!line.theme.empty() && line.theme != "light" && line.theme != "dark")
        return fmt::format("There is no theme \"{}\": use light or dark.", line.theme);
    return std::nullopt;
}

Answer draw(const CommandLine& line, const WindowSide& windowSide)
{
    if (const std::optional<std::string> wrong = wrongPicture(line, windowSide.charts))
        return {kFailed, {}, {*wrong}};
    Picture picture{line.view, line.output, std::nullopt, line.size, line.dpi, line.title, line.theme};
    if (line.subject.empty())
        return {windowSide.draw(picture), {}, {}};
    core::Result<core::Scenario> scenario = scenarioFor(line.subject, line.options);
    if (!scenario)
        return failed(scenario.error());
    const std::vector<core::Issue> issues = core::check(*scenario);
    if (!issues.empty())
        return refused(issues);
    picture.scenario = *std::move(scenario);
    return {windowSide.draw(picture), {}, {}};
}

Answer answerTo(const CommandLine& line, const WindowSide& windowSide)
{
    switch (line.verb) {
    case Verb::Window:
        return startWindow(line, windowSide);
    case Verb::Size:
        return size(line);
    case Verb::Inspect:
        return inspect(line);
    case Verb::Models:
        return listModels(line);
    case Verb::Gpus:
        return listGpus(line);
    case Verb::Export:
        return draw(line, windowSide);
    case Verb::Lesson:
        return lesson(line);
    case Verb::Help:
        return manual(line);
    case Verb::Text:
        break;
    }
    return {kDone, line.text, {}};
}

/// One line whatever was typed: control characters would break or repaint the terminal's line.
std::string oneLine(std::string text)
{
    std::ranges::replace_if(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }, '?');
    return text;
}

} // namespace

int run(std::span<const std::string> arguments, std::ostream& out, std::ostream& err, const WindowSide& windowSide)
{
    const tl::expected<CommandLine, std::string> line = parseCommandLine(arguments);
    const Answer answer = line ? answerTo(*line, windowSide) : Answer{kUnparsable, {}, {line.error()}};
    out << answer.data << std::flush;
    for (const std::string& message : answer.messages)
        err << "kvhorizon: " << oneLine(message) << '\n';
    if (!out) {
        err << "kvhorizon: The output could not be written; is the disk full or the pipe closed?\n";
        return kFailed;
    }
    return answer.exitCode;
}

} // namespace app
