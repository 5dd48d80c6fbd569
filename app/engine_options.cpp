// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/engine_options.h"

#include "core/engines/engine.h"
#include "core/scenario/inputs.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

namespace app {

namespace {

using core::Result;
using core::Scenario;

using EngineIds = std::vector<core::EngineId>;

std::string_view withoutDashes(std::string_view name)
{
    return name.substr(std::min(name.find_first_not_of('-'), name.size()));
}

/// What an engine calls the tokens of a block; empty where it has none or no flag for them.
std::string_view blockFlagOf(core::EngineId engine)
{
    for (const std::string_view flag : {withoutDashes(kBlockSize), {"page-size"}, {"tokens-per-block"}}) {
        if (core::engines::find(core::engines::settings(engine), flag) != nullptr)
            return flag;
    }
    return {};
}

/// True where an engine understands the option `name`, which not all of them do.
bool understands(core::EngineId engine, std::string_view name)
{
    if (name == kBlockSize && !blockFlagOf(engine).empty())
        return true;
    if (name == kParallel)
        return core::engines::engine(engine).sequencesFlag == withoutDashes(kParallel);
    if (const std::optional<core::Field> field = core::field(withoutDashes(name)))
        return core::input(*field).engines.has(engine);
    return core::engines::find(core::engines::settings(engine), withoutDashes(name)) != nullptr;
}

/// The engines that understand `name`; empty where all do.
EngineIds ownersOf(std::string_view name)
{
    EngineIds owners;
    for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
        if (understands(static_cast<core::EngineId>(i), name))
            owners.push_back(static_cast<core::EngineId>(i));
    }
    return owners;
}

std::string_view placeholderOf(core::engines::SettingType type)
{
    using core::engines::SettingType;
    switch (type) {
    case SettingType::Switch:
        return {};
    case SettingType::Count:
        return "N";
    case SettingType::Choice:
        return "WORD";
    case SettingType::Size:
        return "SIZE";
    case SettingType::Shares:
        return "N,N";
    case SettingType::Fraction:
        return "X";
    }
    return {};
}

/// What engines call a setting that several of them have, or called it before.
std::string_view aliasesOf(std::string_view name)
{
    constexpr std::array<std::pair<std::string_view, std::string_view>, 4> aliases{
        {{"--mamba-ssm-dtype", "--mamba-ssm-cache-dtype"},
         {kContextRanks, "--dcp,--dcp-size"},
         {"--num-speculative-tokens", "--speculative-num-draft-tokens"},
         {"--kv-cache-free-gpu-memory-fraction", "--kv-cache-free-gpu-mem-fraction,--free-gpu-memory-fraction"}}};
    const auto* const found = std::ranges::find(aliases, name, &decltype(aliases)::value_type::first);
    return found == aliases.end() ? std::string_view() : found->second;
}

/// Breaks a help text into lines that fit beside the options.
std::string wrapped(std::string_view text)
{
    constexpr std::size_t width = 58;
    std::string lines;
    while (text.size() > width) {
        const std::size_t blank = text.rfind(' ', width);
        lines.append(text.substr(0, blank)).append("\n");
        text.remove_prefix(blank + 1);
    }
    return lines.append(text);
}

} // namespace

Result<void> chooseEngine(Scenario& scenario, std::span<const OptionValue> values)
{
    const bool typed = find(values, "--engine") != nullptr;
    EngineIds possible;
    std::string_view chosenBy;
    if (typed)
        possible = {scenario.engine};
    for (const OptionValue& value : values) {
        const EngineIds owners = ownersOf(value.name);
        if (owners.empty())
            continue;
        EngineIds left;
        std::ranges::set_intersection(possible.empty() ? owners : possible, owners, std::back_inserter(left));
        if (left.empty()) {
            const std::string other = typed ? fmt::format("but --engine is {}", id(scenario.engine))
                                            : fmt::format("and {} for the {} one", chosenBy, id(possible.front()));
            return core::fail("{0} is for the {1} engine, {2}: leave one of the two out.",
                              {std::string(value.name), std::string(id(owners.front())), other});
        }
        chosenBy = possible.empty() ? value.name : chosenBy;
        possible = std::move(left);
    }
    if (!possible.empty() && std::ranges::count(possible, scenario.engine) == 0)
        scenario.engine = possible.front();
    return {};
}

void setFlags(Scenario& scenario, core::EngineId before, std::span<const OptionValue> values)
{
    if (scenario.engine != before) {
        scenario.settings = {};
        if (!find(values, "--engine-version"))
            scenario.engineVersion.clear();
    }
    const std::string_view blockFlag = blockFlagOf(scenario.engine);
    if (const OptionValue* value = find(values, kBlockSize); value != nullptr && !blockFlag.empty())
        scenario.settings.set(blockFlag, value->text);
    for (const core::engines::Setting& setting : core::engines::settings(scenario.engine)) {
        if (const OptionValue* value = find(values, fmt::format("--{}", setting.flag)))
            scenario.settings.set(setting.flag, value->text);
    }
}

void addFlagOptions(std::vector<ScenarioOption>& options)
{
    for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
        for (const core::engines::Setting& setting : core::engines::settings(static_cast<core::EngineId>(i))) {
            std::string name = fmt::format("--{}", setting.flag);
            if (std::ranges::count(options, name, &ScenarioOption::name) > 0)
                continue;
            const std::string_view aliases = aliasesOf(name);
            options.push_back(
                {std::move(name), aliases, placeholderOf(setting.type), "Settings of engines", wrapped(setting.help)});
        }
    }
}

} // namespace app
