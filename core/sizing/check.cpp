// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/engine.h"
#include "core/sizing/evaluate.h"
#include "core/text/message.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace core {

namespace {

/// The value in the unit of the bounds; nothing where it is not given or has no bounds.
std::optional<std::int64_t> boundedValue(const Input& input, const Scenario& scenario)
{
    const std::optional<Value> value = input.outOfRange.empty() ? std::nullopt : input.place.get(scenario);
    if (!value)
        return std::nullopt;
    if (const auto* bytes = std::get_if<Bytes>(&*value))
        return bytes->count();
    if (const auto* share = std::get_if<Percent>(&*value))
        return share->hundredths;
    return std::get<std::int64_t>(*value);
}

void checkInput(const Input& input, const Scenario& scenario, std::vector<Issue>& issues)
{
    const std::optional<std::int64_t> value = boundedValue(input, scenario);
    if (value && (*value < input.least || *value > input.most))
        issues.push_back({input.field, {input.outOfRange, {*input.place.get(scenario), input.least, input.most}}});
    if (input.contradiction == nullptr)
        return;
    if (std::optional<Message> message = input.contradiction(scenario))
        issues.push_back({input.field, *std::move(message)});
}

} // namespace

std::vector<Issue> checkInputs(const Scenario& scenario)
{
    std::vector<Issue> issues;
    if (scenario.model.layers < 1)
        issues.push_back(
            {Field::Model, {KV_TEXT("core", "No model is chosen; choose one or open a config.json."), {}}});
    for (const Input& input : inputs())
        checkInput(input, scenario, issues);
    engines::check(scenario, issues);
    return issues;
}

} // namespace core
