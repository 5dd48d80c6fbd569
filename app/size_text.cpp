// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/size_text.h"

#include "app/derivation_text.h"
#include "app/layout_text.h"
#include "app/text_table.h"
#include "core/engines/parallel.h"
#include "core/sizing/explain.h"
#include "core/sizing/verdict.h"
#include "core/text/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <variant>
#include <vector>

namespace app {

namespace {

using core::Bytes;
using core::Evaluation;
using core::formatBytes;
using core::formatCount;
using core::Scenario;

constexpr std::size_t kIndent = 2;

/// "1 request", "16 requests"
std::string counted(std::int64_t count, std::string_view noun)
{
    return fmt::format("{} {}{}", formatCount(count), noun, count == 1 ? "" : "s");
}

std::string modelText(const core::Model& model)
{
    std::string text = fmt::format("{}: {}\n", model.name, layoutInWords(model));
    text += fmt::format("{:{}}layout from {}", "", kIndent, model.source);
    if (model.maxContext)
        text += fmt::format("; trained for {}", counted(*model.maxContext, "token"));
    return text + '\n';
}

std::string formatText(const Scenario& scenario)
{
    if (scenario.kFormat == scenario.vFormat)
        return fmt::format("K and V in {}", info(scenario.kFormat).name);
    return fmt::format("K in {}, V in {}", info(scenario.kFormat).name, info(scenario.vFormat).name);
}

std::string engineText(const Scenario& scenario)
{
    const core::engines::Engine& engine = core::engines::engine(scenario.engine);
    if (engine.ownsMemory)
        return fmt::format("reserved as {} of {} does", id(engine.id),
                           scenario.engineVersion.empty() ? engine.newest : scenario.engineVersion);
    if (engine.usesMaxContext)
        return fmt::format("reserved for {} each",
                           counted(scenario.workload.maxContext.value_or(scenario.workload.context), "token"));
    if (scenario.engine == core::EngineId::Paged)
        return fmt::format("paged in blocks of {}", counted(scenario.blockTokens, "token"));
    return {};
}

/// "32 KV heads for 32 query heads (MHA)" where they were chosen.
std::string kvHeadsText(const Scenario& scenario)
{
    const auto& groups = scenario.model.groups;
    const auto group = std::ranges::find_if(groups, [](const core::CacheGroup& each) { return hasHeads(each.kind); });
    if (!scenario.kvHeads || group == groups.end())
        return {};
    const std::int64_t kvHeads = *scenario.kvHeads;
    const std::string_view kind = kvHeads == group->queryHeads ? "MHA" : kvHeads == 1 ? "MQA" : "GQA";
    return fmt::format(", {} in place of the model's own ({})", counted(kvHeads, "KV head"), kind);
}

std::string workloadText(const Scenario& scenario)
{
    const core::Workload& workload = scenario.workload;
    std::string text =
        fmt::format("Workload: {} of {}", counted(workload.batch, "request"), counted(workload.context, "token"));
    if (workload.encoderTokens > 0)
        text += fmt::format(" and {}", counted(workload.encoderTokens, "encoder token"));
    text += ", " + formatText(scenario) + kvHeadsText(scenario);
    const std::string engine = engineText(scenario);
    return text + (engine.empty() ? "" : ", " + engine) + '\n';
}

/// The steps of the cache's derivation that give bytes of layers or of all; how an entry's bytes follow is left to
/// --explain.
std::vector<core::Step> mainSteps(const core::Derivation& cache)
{
    std::vector<core::Step> steps;
    for (const core::Step& step : cache.steps) {
        const bool ofLayers = step.operation == core::Operation::Product && std::holds_alternative<Bytes>(step.result);
        if (ofLayers || &step == &cache.steps.back())
            steps.push_back(step);
    }
    return steps;
}

std::string formulaText(const Evaluation& evaluation)
{
    const core::Derivation cache = core::explain(evaluation, core::Quantity::Cache);
    const std::vector<core::Step> steps = mainSteps(cache);
    std::string text = fmt::format("KV cache = {}\n", cache.formula);
    if (steps.size() == 1)
        return text + fmt::format("{:9}= {}\n", "", stepText(steps.front()));
    for (const core::Step& step : steps)
        text += fmt::format("{:{}}{}: {}\n", "", kIndent, core::english(step.title), stepText(step));
    return text;
}

TextTable sizeTable()
{
    return TextTable({Align::Left, Align::Right, Align::Right, Align::Right});
}

void addSize(TextTable& table, std::string title, Bytes bytes)
{
    table.add({std::move(title), formatBytes(bytes, core::Unit::Binary), formatBytes(bytes, core::Unit::Decimal),
               formatCount(bytes.count()) + " B"});
}

std::string cacheText(const Evaluation& evaluation)
{
    const core::KvSize& kv = evaluation.footprint.kv;
    TextTable table = sizeTable();
    const bool compressed = kv.perToken.tokens > 1;
    addSize(table, compressed ? fmt::format("each further {} tokens", kv.perToken.tokens) : "each further token",
            kv.perToken.bytes);
    if (kv.fixedPerRequest > Bytes())
        addSize(table, "fixed part of a request", kv.fixedPerRequest);
    addSize(table, "one request", kv.perRequest);
    if (evaluation.scenario.workload.batch > 1)
        addSize(table, counted(evaluation.scenario.workload.batch, "request"), kv.total);
    return "KV cache\n" + table.text(kIndent);
}

std::string weightsTitle(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    if (scenario.weightBytes)
        return "weights, as given";
    if (!evaluation.footprint.weights)
        return "weights (unknown, not counted)";
    if (scenario.weightFormat == core::WeightFormat::Stored)
        return fmt::format("weights, {} as stored in the file",
                           counted(scenario.model.weights.parameters(), "parameter"));
    const core::WeightFormatInfo& format = info(scenario.weightFormat);
    return fmt::format("weights, {} in {}{}", counted(scenario.model.weights.parameters(), "parameter"), format.name,
                       format.about ? " (about)" : "");
}

std::string wasteTitle(const Evaluation& evaluation)
{
    const core::WasteCause cause = evaluation.footprint.wasteCause;
    if (cause == core::WasteCause::None || core::engines::engine(evaluation.scenario.engine).ownsMemory)
        return "waste";
    if (cause == core::WasteCause::Share)
        return fmt::format("waste, {} % of the reserved cache", core::formatPercent(evaluation.scenario.waste));
    return "waste, " + core::english(core::causeName(cause));
}

/// Overhead, and the lines that an engine puts into it.
void addOverhead(TextTable& table, const core::Footprint& footprint)
{
    addSize(table, "overhead", footprint.memory.overhead);
    for (const core::OverheadLine& line : footprint.overhead)
        addSize(table, fmt::format("  {}{}", core::english(line.name), line.estimate ? " (estimate)" : ""), line.bytes);
}

/// What each device and the host hold, where they are told apart.
std::string devicesText(const core::Scenario& scenario, const core::Footprint& footprint)
{
    if (!footprint.host && !footprint.tellsDevicesApart())
        return {};
    TextTable table({Align::Left, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Right});
    table.add({"", "weights", "cache", "overhead", "reserve", "total", "free"});
    const auto add = [&](const core::DeviceFootprint& device) {
        const core::MemoryParts& parts = device.parts;
        table.add({device.name, formatBytes(parts.weights), formatBytes(parts.cache + parts.waste),
                   formatBytes(parts.overhead), formatBytes(parts.reserve), formatBytes(parts.total()),
                   device.capacity ? formatBytes(*device.free()) : ""});
    };
    for (const core::DeviceFootprint& device : footprint.devices)
        add(device);
    if (footprint.host)
        add(*footprint.host);
    std::string text = "Devices\n" + table.text(kIndent);
    for (const core::Message& words : core::engines::spreadWords(scenario))
        text += fmt::format("  {}\n", core::english(words));
    return text;
}

/// From the ideal cache to the reserved one, the lines of the log, the command.
std::string reservationText(const Evaluation& evaluation)
{
    const Scenario& scenario = evaluation.scenario;
    if (!core::engines::engine(scenario.engine).ownsMemory)
        return {};
    const core::engines::Reservation& reservation = evaluation.reservation;
    const core::engines::Description description = evaluation.plan->describe(reservation);
    TextTable table = sizeTable();
    addSize(table, "in use", reservation.used());
    for (const core::engines::Description::Step& step : description.steps)
        addSize(table, "+ " + core::english(core::causeName(step.cause)), step.bytes);
    addSize(table, "reserved", reservation.used() + reservation.waste().total());
    std::string text = "Reserved\n" + table.text(kIndent) + "\nThe log will say\n";
    for (const std::string& line : description.log)
        text += fmt::format("  {}\n", line);
    return text + fmt::format("\nLaunched by\n  {}\n\n", description.command);
}

std::string reserveTitle(const Scenario& scenario)
{
    if (scenario.reserve == core::Percent{})
        return "reserve";
    return fmt::format("reserve, {} % of each GPU", core::formatPercent(scenario.reserve));
}

std::string capacityTitle(const core::Hardware& hardware)
{
    const std::string name = hardware.gpu ? hardware.gpu->name : "GPU";
    const std::string count = hardware.count == 1 ? "" : formatCount(hardware.count) + " × ";
    return fmt::format("capacity, {}{}, {} memory", count, name, id(core::effectiveBasis(hardware)));
}

std::string memoryText(const Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    const core::MemoryParts& parts = footprint.memory;
    TextTable table = sizeTable();
    addSize(table, weightsTitle(evaluation), parts.weights);
    addSize(table, "KV cache in use", parts.cache);
    addSize(table, wasteTitle(evaluation), parts.waste);
    addOverhead(table, footprint);
    addSize(table, reserveTitle(evaluation.scenario), parts.reserve);
    addSize(table, "total", parts.total());
    if (footprint.capacity) {
        addSize(table, capacityTitle(evaluation.scenario.hardware), *footprint.capacity);
        const Bytes free = *footprint.free();
        addSize(table, free < Bytes() ? "over by" : "free", free < Bytes() ? Bytes() - free : free);
    }
    const std::string devices = devicesText(evaluation.scenario, footprint);
    return "Memory\n" + table.text(kIndent) + (devices.empty() ? "" : "\n") + devices;
}

std::string limitText(const core::Footprint& footprint, const core::Limit& limit, std::string_view noun)
{
    if (!limit.value)
        return footprint.capacity ? "no limit" : "unknown without a GPU: add --gpu ID or --vram SIZE";
    if (*limit.value == 0)
        return limit.part == core::BoundPart::Weights ? "none: the weights leave no room" : "none";
    return counted(*limit.value, noun);
}

std::string limitsText(const Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    const core::Limits& limits = footprint.limits;
    const core::Workload& workload = evaluation.scenario.workload;
    TextTable table({Align::Left, Align::Left});
    table.add({fmt::format("most requests of {}", counted(workload.context, "token")),
               limitText(footprint, limits.maxBatch, "request")});
    table.add({fmt::format("longest context of {}", counted(workload.batch, "request")),
               limitText(footprint, limits.maxContext, "token")});
    if (footprint.weights)
        table.add(
            {"cache reaches the weights at", limits.crossover ? counted(*limits.crossover, "token") : "no context"});
    return "Limits\n" + table.text(kIndent);
}

std::string verdictText(const Evaluation& evaluation)
{
    const core::Verdict verdict = core::verdictOf(evaluation);
    std::string text = fmt::format("{}. {}\n", core::english(verdict.word), core::english(verdict.sentence));
    std::string notes;
    for (const core::Message& note : verdict.notes)
        notes += (notes.empty() ? "" : "; ") + core::english(note);
    if (!notes.empty())
        text += fmt::format("({})\n", notes);
    for (const std::string& note : evaluation.scenario.model.notes)
        text += fmt::format("Note: {}\n", note);
    return text;
}

std::string adviceText(std::span<const core::Advice> advice, bool fits)
{
    if (advice.empty())
        return {};
    TextTable table({Align::Left, Align::Left});
    for (const core::Advice& one : advice)
        table.add({core::english(one.action), core::english(one.result)});
    return fmt::format("\n{}\n{}", fits ? "What the headroom is worth" : "What would make it fit", table.text(kIndent));
}

std::vector<core::Quantity> explained(const core::Footprint& footprint)
{
    using enum core::Quantity;
    std::vector<core::Quantity> quantities{Cache, Weights};
    if (footprint.memory.waste > Bytes())
        quantities.push_back(Waste);
    quantities.push_back(Total);
    if (footprint.capacity)
        quantities.insert(quantities.end(), {Free, MaxBatch, MaxContext});
    quantities.push_back(Crossover);
    return quantities;
}

} // namespace

std::string sizeText(const Evaluation& evaluation, std::span<const core::Advice> advice, bool explain)
{
    std::string text = fmt::format("{}\n{}{}\n{}\n{}{}\n{}\n{}", modelText(evaluation.scenario.model),
                                   workloadText(evaluation.scenario), formulaText(evaluation), cacheText(evaluation),
                                   reservationText(evaluation), memoryText(evaluation), limitsText(evaluation),
                                   verdictText(evaluation));
    text += adviceText(advice, evaluation.footprint.fits().value_or(false));
    if (!explain)
        return text;
    for (const core::Quantity quantity : explained(evaluation.footprint))
        text += '\n' + derivationText(core::explain(evaluation, quantity));
    return text;
}

} // namespace app
