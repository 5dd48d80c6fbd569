// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/command_line.h"

#include "app/catalogs.h"
#include "app/help.h"
#include "app/subject.h"
#include "app/typed_options.h"
#include "core/readers/hub_name.h"
#include "core/text/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace app {

namespace {

using Sentence = std::optional<std::string>;

struct Command {
    Verb verb;
    std::string_view name;
    std::string_view help;
    std::string_view footer;
};

constexpr std::string_view kFiles = "FILES";
constexpr std::string_view kValidate = "--validate";

constexpr std::array kCommands{
    Command{Verb::Size, "size", kSizeHelp, kSizeFooter},
    Command{Verb::Inspect, "inspect", kInspectHelp, kInspectFooter},
    Command{Verb::Export, "export", kExportHelp, kExportFooter},
    Command{Verb::Lesson, "lesson", kLessonHelp, kLessonFooter},
    Command{Verb::Models, "models", kModelsHelp, ""},
    Command{Verb::Gpus, "gpus", kGpusHelp, ""},
    Command{Verb::Help, "help", kManualHelp, kManualFooter},
};

/// "; the closest is size", or nothing where none is like `text`.
std::string closestText(const std::string& text, std::span<const std::string> known)
{
    const std::vector<std::string> closest = core::closest(text, known, 1);
    return closest.empty() ? "" : "; the closest is " + closest.front();
}

/// A command that prints `text`. CLI11 leaves two empty lines between the sections of its help.
CommandLine printing(std::string text)
{
    for (std::size_t place = text.find("\n\n\n"); place != std::string::npos; place = text.find("\n\n\n"))
        text.erase(place, 1);
    CommandLine line;
    line.verb = Verb::Text;
    line.text = std::move(text);
    return line;
}

/// Lays CLI11's options out from the tables and reads them back. CLI11 looks at no value and throws for nothing but a
/// missing argument: everything else is found afterwards, to be said in our own words.
class Parser {
public:
    Parser();
    tl::expected<CommandLine, std::string> parse(std::span<const std::string> arguments);

private:
    CLI::Option* add(CLI::App& command, const std::string& name, std::string_view placeholder, std::string_view help);
    CLI::Option* addFlag(CLI::App& command, const std::string& name, std::string_view help);
    void addCommand(const Command& command);
    void addScenario(CLI::App& command);
    void addModel(CLI::App& command);
    std::vector<std::string> optionNames(const CLI::App& command) const;

    std::vector<std::string> extras(const CLI::App& command) const;
    Sentence unknownOption(const CLI::App& command) const;
    Sentence unreadable(const CLI::App& command) const;
    Sentence unknownCommand(const std::string& word) const;
    Sentence extraArgument(const CLI::App& command) const;
    Sentence missingOfLesson(const CommandLine& line) const;
    Sentence missing(const CommandLine& line) const;
    Sentence contradiction(const CommandLine& line) const;
    CommandLine read(const CLI::App& command) const;

    CLI::App m_app{std::string(kProgramHelp), "kvhorizon"};
};

Parser::Parser()
{
    m_app.require_subcommand(0, 1);
    m_app.allow_extras();
    m_app.footer(std::string(kProgramFooter));
    m_app.set_version_flag("--version", "kvhorizon " KVHORIZON_VERSION)->description("Print the version and leave");
    m_app.set_help_flag("-h,--help", "Print this help and leave");
    m_app.get_formatter()->column_width(kHelpColumn);
    m_app.get_formatter()->label("REQUIRED", ""); // the usage line shows it
    add(m_app, "FILE", "", "scenario, model or lesson file to open in the window");
    for (const Command& command : kCommands)
        addCommand(command);
}

CLI::Option* Parser::add(CLI::App& command, const std::string& name, std::string_view placeholder,
                         std::string_view help)
{
    return command.add_option(name)
        ->description(std::string(help))
        ->type_name(std::string(placeholder))
        ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
}

CLI::Option* Parser::addFlag(CLI::App& command, const std::string& name, std::string_view help)
{
    return command.add_flag(name)->description(std::string(help))->group("Output");
}

void Parser::addCommand(const Command& row)
{
    CLI::App& command = *m_app.add_subcommand(std::string(row.name), std::string(row.help));
    command.allow_extras();
    command.footer(std::string(row.footer));
    if (row.verb == Verb::Export) {
        add(command, "VIEW", "", "what to draw: window, growth or budget")->required();
        add(command, "-o,--output", "FILE", "the file to write: .png, .svg, .pdf or .csv")->group("Output");
        add(command, "--size", "WxH", "its size: 1600x900 (pixels) or 174x100mm")->group("Output");
        add(command, "--dpi", "N", "dots per inch; default 96")->group("Output");
        add(command, "--title", "TEXT", "its title; default: the chart's own")->group("Output");
        add(command, "--theme", "NAME", "light (for print) or dark; default light")->group("Output");
    }
    if (row.verb == Verb::Size || row.verb == Verb::Inspect || row.verb == Verb::Export)
        add(command, "MODEL", "",
            "an id of \"kvhorizon models\", a model's folder, config.json,\n.gguf or .safetensors, a .kvh scenario, or "
            "custom")
            ->required(row.verb != Verb::Export);
    if (row.verb == Verb::Size || row.verb == Verb::Export)
        addScenario(command);
    if (row.verb == Verb::Inspect)
        add(command, std::string(kKvHeadsOption), "N", "its KV heads; default: as many as its heads")
            ->group("Custom model");
    if (row.verb == Verb::Size || row.verb == Verb::Inspect || row.verb == Verb::Export)
        addModel(command);
    if (row.verb == Verb::Lesson) {
        add(command, std::string(kFiles), "", "lesson or exercise files to validate")->expected(-1);
        addFlag(command, std::string(kValidate), "say what is wrong with the files");
    }
    if (row.verb == Verb::Help)
        add(command, "TOPIC", "", "the topic to print; without one, the topics are listed");
    if (row.verb != Verb::Export && row.verb != Verb::Lesson && row.verb != Verb::Help)
        addFlag(command, "--json", "print JSON with exact bytes");
    if (row.verb == Verb::Size) {
        addFlag(command, "--csv", "print a header line and one row of exact values");
        addFlag(command, "--markdown", "print a table to paste");
        addFlag(command, "--explain", "show how each number follows, step by step");
        addFlag(command, "--fail-if-over", "exit with 3 when it does not fit");
        add(command, "--compare-log", "FILE", "compare with what the engine printed")->group("Output");
        addFlag(command, "--use-log", "take the settings in that log over first");
    }
}

/// "--max-context,--max-model-len"
std::string namesOf(std::string_view name, std::string_view aliases)
{
    return aliases.empty() ? std::string(name) : fmt::format("{},{}", name, aliases);
}

/// Options as engines spell them, too: "--max_seq_len" is "--max-seq-len".
std::string withDashes(std::string argument)
{
    if (argument.starts_with("--"))
        std::replace(argument.begin(),
                     argument.begin() + static_cast<std::ptrdiff_t>(std::min(argument.find('='), argument.size())), '_',
                     '-');
    return argument;
}

void Parser::addScenario(CLI::App& command)
{
    for (const ScenarioOption& option : scenarioOptions()) {
        const std::string names = namesOf(option.name, option.aliases);
        CLI::Option* added = option.placeholder.empty() ? addFlag(command, names, option.help)
                                                        : add(command, names, option.placeholder, option.help);
        added->group(std::string(option.section));
    }
}

void Parser::addModel(CLI::App& command)
{
    for (const ModelOption& option : modelOptions())
        add(command, std::string(option.name), option.placeholder, option.help)->group("Custom model");
}

std::vector<std::string> Parser::optionNames(const CLI::App& command) const
{
    std::vector<std::string> names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames())
            names.push_back("--" + name);
    }
    return names;
}

/// What neither the program nor the command took, in order, without the mark "--".
std::vector<std::string> Parser::extras(const CLI::App& command) const
{
    std::vector<std::string> extras = m_app.remaining(false);
    if (&command != &m_app)
        std::ranges::copy(command.remaining(false), std::back_inserter(extras));
    std::erase(extras, "--");
    return extras;
}

/// The first argument that begins like an option and is none, of the program or of the command.
Sentence Parser::unknownOption(const CLI::App& command) const
{
    const std::vector<std::string> all = extras(command);
    const auto isOption = [](const std::string& extra) { return extra.size() > 1 && extra.starts_with('-'); };
    const auto extra = std::ranges::find_if(all, isOption);
    if (extra == all.end())
        return std::nullopt;
    const std::string name = extra->substr(0, extra->find('='));
    const bool atRoot = &command == &m_app;
    std::vector<std::string> names = optionNames(atRoot ? *m_app.get_subcommand("size") : command);
    if (std::ranges::count(names, name) > 0)
        return fmt::format("{} belongs behind a command: write \"kvhorizon {} … {}\".", name,
                           atRoot ? "size" : command.get_name(), name);
    if (atRoot)
        names = optionNames(m_app);
    return fmt::format("There is no option {}{} (\"kvhorizon {}--help\" lists all of them).", name,
                       closestText(name, names), atRoot ? "" : command.get_name() + " ");
}

/// An option that was given twice, that took the next option for its value, or a flag with a value.
Sentence Parser::unreadable(const CLI::App& command) const
{
    for (const CLI::Option* option : command.get_options()) {
        const std::vector<std::string>& values = option->results();
        const std::string name = option->get_name();
        if (option->get_items_expected_max() == 0) {
            if (std::ranges::any_of(values, [](const std::string& value) { return value != "true"; }))
                return fmt::format("{} takes no value: leave out what follows \"=\".", name);
            continue;
        }
        if (values.size() > 1 && !option->get_allow_extra_args())
            return fmt::format("{} is given more than once: give it once.", name);
        if (!values.empty() && values.front().starts_with("--"))
            return fmt::format("{} needs a value before {}.", name, values.front());
    }
    return std::nullopt;
}

Sentence Parser::extraArgument(const CLI::App& command) const
{
    std::vector<std::string> all = extras(command);
    const CLI::Option* file = m_app.get_option("FILE");
    if (&command != &m_app && file->count() > 0)
        all.insert(all.begin(), file->results().front());
    if (all.empty())
        return std::nullopt;
    if (&command == &m_app) {
        if (const Sentence unknown = unknownCommand(file->results().front()))
            return unknown;
    }
    return fmt::format("\"{}\" is one argument too many (\"kvhorizon{} --help\" shows the order).", all.front(),
                       &command == &m_app ? "" : " " + command.get_name());
}

/// A first word that is neither a command nor a model nor looks like a file.
Sentence Parser::unknownCommand(const std::string& word) const
{
    std::error_code unreadable;
    if (core::readers::looksLikeHubName(word) || word.find_first_of("/.") != std::string::npos ||
        std::filesystem::exists(word, unreadable) || loadModel(word))
        return std::nullopt;
    std::vector<std::string> names;
    for (const Command& command : kCommands)
        names.emplace_back(command.name);
    return fmt::format("There is no command \"{}\"{} (\"kvhorizon --help\" lists all of them).", word,
                       closestText(word, names));
}

/// Files and --validate go together.
Sentence Parser::missingOfLesson(const CommandLine& line) const
{
    const bool validate = m_app.get_subcommand("lesson")->count(std::string(kValidate)) > 0;
    if (validate && line.files.empty())
        return "--validate needs a FILE: name one or more lesson files.";
    if (!validate && !line.files.empty())
        return "lesson only lists the course; to check a file write \"kvhorizon lesson --validate FILE\".";
    return std::nullopt;
}

/// What the command cannot do without.
Sentence Parser::missing(const CommandLine& line) const
{
    if (line.verb == Verb::Window)
        return line.subject.empty() ? std::nullopt : unknownCommand(line.subject);
    if (line.verb == Verb::Export && line.view.empty())
        return "export needs a VIEW to draw: write \"kvhorizon export growth -o growth.png MODEL\".";
    if (line.verb == Verb::Export && line.output.empty())
        return "export needs a file to write: add -o FILE.png.";
    if (line.verb == Verb::Lesson)
        return missingOfLesson(line);
    const bool optional = line.verb == Verb::Export && line.options.empty();
    const bool needsModel =
        !optional && line.verb != Verb::Models && line.verb != Verb::Gpus && line.verb != Verb::Help;
    if (needsModel && line.subject.empty())
        return "MODEL is missing: name one of \"kvhorizon models\" or a model's file or folder.";
    return std::nullopt;
}

/// Flags of the output that exclude each other.
Sentence Parser::contradiction(const CommandLine& line) const
{
    if (line.verb != Verb::Size)
        return std::nullopt;
    if (line.usesLog && line.log.empty())
        return "--use-log takes settings from a log: add --compare-log FILE.";
    const CLI::App& command = *m_app.get_subcommand("size");
    const auto flags = {"--json", "--csv", "--markdown"};
    const auto formats = std::ranges::count_if(flags, [&](const char* flag) { return command.count(flag) > 0; });
    if (formats > 1)
        return "--json, --csv and --markdown exclude each other: give one of them.";
    if (formats == 1 && line.explain)
        return "--explain is for the text output: leave out --json, --csv and --markdown.";
    return std::nullopt;
}

CommandLine Parser::read(const CLI::App& command) const
{
    const Typed typed(command);
    CommandLine line;
    const auto row = std::ranges::find(kCommands, command.get_name(), &Command::name);
    line.verb = row == kCommands.end() ? Verb::Window : row->verb;
    line.subject = typed.text(line.verb == Verb::Window ? "FILE" : "MODEL");
    line.view = typed.text("VIEW");
    line.files = typed.all(kFiles);
    line.output = typed.text("--output");
    line.size = typed.text("--size");
    line.dpi = typed.text("--dpi");
    line.title = typed.text("--title");
    line.theme = typed.text("--theme");
    line.topic = typed.text("TOPIC");
    line.explain = typed.has("--explain");
    line.failIfOver = typed.has("--fail-if-over");
    if (typed.has("--json") || typed.has("--csv"))
        line.format = typed.has("--json") ? Format::Json : Format::Csv;
    if (typed.has("--markdown"))
        line.format = Format::Markdown;
    line.options = scenarioValues(typed);
    line.log = typed.text("--compare-log");
    line.usesLog = typed.has("--use-log");
    return line;
}

tl::expected<CommandLine, std::string> Parser::parse(std::span<const std::string> arguments)
{
    std::vector<std::string> reversed; // as CLI11 takes them
    std::transform(arguments.rbegin(), arguments.rend(), std::back_inserter(reversed), withDashes);
    try {
        m_app.parse(std::move(reversed));
    } catch (const CLI::CallForHelp&) {
        return printing(m_app.help());
    } catch (const CLI::CallForVersion&) {
        return printing("kvhorizon " KVHORIZON_VERSION "\n");
    } catch (const CLI::RequiredError&) {
        // Everything is parsed by now; what is missing is said after what is wrong.
    } catch (const CLI::ArgumentMismatch&) {
        const std::string& last = arguments.back();
        const std::size_t equals = last.find('=');
        return tl::unexpected(fmt::format("{} needs a value.", last.substr(0, equals)));
    } catch (const CLI::ParseError& error) {
        return tl::unexpected(fmt::format("The command line cannot be read: {}.", error.what()));
    }
    const std::vector<CLI::App*> chosen = m_app.get_subcommands();
    const CLI::App& command = chosen.empty() ? m_app : *chosen.front();
    for (const auto test : {&Parser::unknownOption, &Parser::unreadable, &Parser::extraArgument}) {
        if (const Sentence sentence = (this->*test)(command))
            return tl::unexpected(*sentence);
    }
    CommandLine line = read(command);
    for (const auto test : {&Parser::missing, &Parser::contradiction}) {
        if (const Sentence sentence = (this->*test)(line))
            return tl::unexpected(*sentence);
    }
    return line;
}

} // namespace

tl::expected<CommandLine, std::string> parseCommandLine(std::span<const std::string> arguments)
{
    return Parser().parse(arguments);
}

} // namespace app
