// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/subject.h"

#include "app/catalogs.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

namespace app {

namespace {

using core::CustomModel;
using core::Result;

constexpr std::array kOptions{
    ModelOption{"--layers", "N", "layers of a custom model", &CustomModel::layers, core::parseCount, true},
    ModelOption{"--heads", "N", "its query heads", &CustomModel::heads, core::parseCount, true},
    ModelOption{"--head-dim", "N", "elements of one head", &CustomModel::headDim, core::parseCount, true},
    ModelOption{"--parameters", "N", "its parameters, as 8030261248, 8B or 70.6B; default:\nunknown",
                &CustomModel::parameters, core::parseParameters, false},
};

/// Puts the typed number at `place`; leaves it where none is typed.
Result<void> put(std::int64_t& place, std::span<const OptionValue> values, std::string_view name,
                 Result<std::int64_t> (*parse)(std::string_view))
{
    const OptionValue* value = find(values, name);
    if (value == nullptr)
        return {};
    const Result<std::int64_t> number = parse(value->text);
    if (!number)
        return wrongValue(name, number.error());
    place = *number;
    return {};
}

Result<core::Model> customFrom(std::span<const OptionValue> values)
{
    CustomModel description;
    description.parameters = 0;
    for (const ModelOption& option : kOptions) {
        if (option.needed && find(values, option.name) == nullptr)
            return core::fail("A custom model needs {0}: write \"custom --layers 32 --heads 32 --head-dim 128\".",
                              {std::string(option.name)});
        if (const Result<void> set = put(description.*option.value, values, option.name, option.parse); !set)
            return tl::unexpected(set.error());
    }
    description.kvHeads = description.heads;
    if (const Result<void> set = put(description.kvHeads, values, kKvHeadsOption, core::parseCount); !set)
        return tl::unexpected(set.error());
    return core::customModel(description);
}

/// Nothing of a custom model may be typed with another one.
Result<void> checkNotCustom(std::span<const OptionValue> values)
{
    const auto* const option = std::ranges::find_if(
        kOptions, [&](const ModelOption& candidate) { return find(values, candidate.name) != nullptr; });
    if (option == kOptions.end())
        return {};
    return core::fail("{0} describes a custom model: let MODEL be custom, or leave the option out.",
                      {std::string(option->name)});
}

} // namespace

std::span<const ModelOption> modelOptions()
{
    return kOptions;
}

Result<core::Model> modelFor(const std::string& subject, std::span<const OptionValue> values)
{
    if (subject == kCustom)
        return customFrom(values);
    if (find(values, kKvHeadsOption) != nullptr)
        return core::fail("inspect shows a model with its own KV heads, so --kv-heads is only for a custom model: let "
                          "MODEL be custom, or leave the option out.");
    return checkNotCustom(values).and_then([&] { return loadModel(subject); });
}

Result<core::Scenario> scenarioFor(const std::string& subject, std::span<const OptionValue> values)
{
    if (subject != kCustom)
        return checkNotCustom(values)
            .and_then([&] { return loadScenario(subject); })
            .and_then([&](core::Scenario&& start) { return scenarioFrom(std::move(start), values); });
    std::vector<OptionValue> others(values.begin(), values.end());
    std::erase_if(others, [](const OptionValue& value) { return value.name == kKvHeadsOption; }); // the model's own
    return customFrom(values).map(core::scenarioOf).and_then([&](core::Scenario&& start) {
        return scenarioFrom(std::move(start), others);
    });
}

} // namespace app
