// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/derivation_text.h"

#include "app/text_table.h"
#include "core/text/format.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <string_view>
#include <variant>

namespace app {

namespace {

/// By Quantity.
constexpr std::array<std::string_view, 8> kTitles{
    "KV cache",    "Weights",       "Waste",           "Total",
    "Free memory", "Most requests", "Longest context", "Cache reaches weights"};

/// A value in full: bytes as a count, since from a rounded size nothing could be recomputed.
std::string exact(const core::Value& value)
{
    if (const auto* bytes = std::get_if<core::Bytes>(&value))
        return core::formatCount(bytes->count());
    if (const auto* percent = std::get_if<core::Percent>(&value))
        return core::formatPercent(*percent);
    return core::formatValue(value);
}

std::string resultText(const core::Value& value)
{
    const auto* bytes = std::get_if<core::Bytes>(&value);
    if (bytes == nullptr)
        return exact(value);
    const std::string count = exact(value) + " B";
    const bool small = *bytes < core::kib(1) && *bytes > core::Bytes() - core::kib(1);
    return small ? count : fmt::format("{} = {}", count, core::formatBoth(*bytes));
}

std::string joined(const std::vector<std::string>& values, std::string_view sign)
{
    return fmt::format("{}", fmt::join(values, sign));
}

/// The right-hand side of a step: its operands put into its operation.
std::string withNumbers(const core::Step& step)
{
    std::vector<std::string> values;
    for (const core::Operand& operand : step.operands)
        values.push_back(exact(operand.value));
    switch (step.operation) {
    case core::Operation::Product:
        return joined(values, " · ");
    case core::Operation::Sum:
        return joined(values, " + ");
    case core::Operation::Difference:
        return joined(values, " − ");
    case core::Operation::WholeBlocks:
        return fmt::format("ceil({} / {}) · {}", values.at(0), values.at(1), values.at(2));
    case core::Operation::CeilProduct:
        return fmt::format("ceil({} · {} / {})", values.at(0), values.at(1), values.at(2));
    case core::Operation::ShareOfReserved:
        return fmt::format("ceil({0} · {1} / (100 − {1}))", values.at(0), values.at(1));
    case core::Operation::LargestFitting:
        return fmt::format("{} ≤ {} < {}: n", values.at(1), values.at(0), values.at(2));
    case core::Operation::FirstReaching:
        return fmt::format("{} < {} ≤ {}: n", values.at(1), values.at(0), values.at(2));
    }
    return {};
}

std::string inputsText(const core::Step& step, std::size_t indent)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Left, Align::Left});
    for (const core::Operand& operand : step.operands)
        table.add({std::string(operand.symbol), core::english(operand.name), exact(operand.value),
                   std::string(operand.unit), core::english(operand.origin)});
    return table.text(indent);
}

} // namespace

std::string stepText(const core::Step& step)
{
    return fmt::format("{} = {}", withNumbers(step), resultText(step.result));
}

std::string derivationText(const core::Derivation& derivation)
{
    const std::string_view title = kTitles.at(static_cast<std::size_t>(derivation.quantity));
    if (derivation.steps.empty())
        return fmt::format("{}: none for this scenario\n", title);
    std::string text = fmt::format("{} = {}\n", title, derivation.formula);
    for (const core::Step& step : derivation.steps)
        text += fmt::format("  {}\n    {}\n{}", core::english(step.title), stepText(step), inputsText(step, 6));
    for (const std::string& source : derivation.sources)
        text += fmt::format("  Source: {}\n", source);
    return text;
}

} // namespace app
