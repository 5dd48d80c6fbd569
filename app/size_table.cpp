// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/size_table.h"

#include "core/sizing/verdict.h"
#include "core/text/format.h"

#include <fmt/format.h>

#include <string_view>
#include <vector>

namespace app {

namespace {

using core::Bytes;
using core::Evaluation;

/// A CSV header and its row, built side by side.
class CsvRow {
public:
    void add(std::string_view name, const std::string& value)
    {
        const std::string_view comma = m_header.empty() ? "" : ",";
        m_header += fmt::format("{}{}", comma, name);
        m_row += fmt::format("{}{}", comma, quoted(value));
    }
    void add(std::string_view name, std::optional<std::int64_t> count)
    {
        add(name, count ? std::to_string(*count) : std::string());
    }
    /// Two columns: NAME_bytes and NAME_gib.
    void addSize(std::string_view name, std::optional<Bytes> bytes)
    {
        add(fmt::format("{}_bytes", name), bytes ? std::to_string(bytes->count()) : std::string());
        add(fmt::format("{}_gib", name), bytes ? gibText(*bytes) : std::string());
    }
    std::string text() const { return m_header + '\n' + m_row + '\n'; }

private:
    static std::string gibText(Bytes bytes)
    {
        return fmt::format("{:.6f}", core::toGib(bytes)); // for programs: no grouping, a plain minus
    }
    static std::string quoted(const std::string& value)
    {
        if (value.find_first_of(",\"\r\n") == std::string::npos)
            return value;
        std::string text = "\"";
        for (const char c : value)
            text += c == '"' ? std::string("\"\"") : std::string(1, c);
        return text + '"';
    }

    std::string m_header;
    std::string m_row;
};

std::string fitsText(const core::Footprint& footprint)
{
    if (!footprint.capacity)
        return {};
    return *footprint.fits() ? "true" : "false";
}

std::string escaped(const std::string& cell)
{
    std::string text;
    for (const char c : cell)
        text += c == '|' ? std::string("\\|") : std::string(1, c);
    return text;
}

std::string markdownRow(const std::string& title, Bytes bytes)
{
    return fmt::format("| {} | {} | {} | {} |\n", escaped(title), core::formatBytes(bytes, core::Unit::Binary),
                       core::formatBytes(bytes, core::Unit::Decimal), core::formatCount(bytes.count()));
}

std::string workloadText(const core::Scenario& scenario)
{
    const core::Workload& workload = scenario.workload;
    const bool alike = scenario.kFormat == scenario.vFormat;
    const std::string format =
        alike ? std::string(info(scenario.kFormat).name)
              : fmt::format("K {}, V {}", info(scenario.kFormat).name, info(scenario.vFormat).name);
    return fmt::format("{} tokens × {}, {}", core::formatCount(workload.context), core::formatCount(workload.batch),
                       format);
}

} // namespace

std::string sizeCsv(const Evaluation& evaluation)
{
    const core::Scenario& scenario = evaluation.scenario;
    const core::Footprint& footprint = evaluation.footprint;
    const core::Hardware& hardware = scenario.hardware;
    CsvRow row;
    row.add("model", scenario.model.id.empty() ? scenario.model.name : scenario.model.id);
    row.add("context_tokens", scenario.workload.context);
    row.add("batch_requests", scenario.workload.batch);
    row.add("k_format", std::string(info(scenario.kFormat).id));
    row.add("v_format", std::string(info(scenario.vFormat).id));
    row.add("weights_format", scenario.weightBytes ? std::string() : std::string(info(scenario.weightFormat).id));
    row.add("engine", std::string(id(scenario.engine)));
    row.add("gpu", hardware.gpu ? hardware.gpu->id : std::string());
    row.add("gpus", footprint.capacity ? std::optional(hardware.count) : std::nullopt);
    row.add("memory_basis", footprint.capacity ? std::string(id(core::effectiveBasis(hardware))) : std::string());
    row.addSize("kv_cache_per_request", footprint.kv.perRequest);
    row.addSize("kv_cache", footprint.kv.total);
    row.addSize("weights", footprint.weights);
    row.addSize("waste", footprint.memory.waste);
    row.addSize("overhead", footprint.memory.overhead);
    row.addSize("reserve", footprint.memory.reserve);
    row.addSize("total", footprint.memory.total());
    row.addSize("capacity", footprint.capacity);
    row.addSize("free", footprint.free());
    row.add("fits", fitsText(footprint));
    row.add("max_batch_requests", footprint.limits.maxBatch.value);
    row.add("max_context_tokens", footprint.limits.maxContext.value);
    row.add("crossover_context_tokens", footprint.limits.crossover);
    return row.text();
}

std::string sizeMarkdown(const Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    const core::MemoryParts& parts = footprint.memory;
    std::string text = fmt::format("| {}: {} | GiB | GB | bytes |\n|---|---:|---:|---:|\n",
                                   escaped(evaluation.scenario.model.name), workloadText(evaluation.scenario));
    text += markdownRow("KV cache per request", footprint.kv.perRequest);
    text += markdownRow(footprint.weights ? "weights" : "weights (unknown, not counted)", parts.weights);
    text += markdownRow("KV cache in use", parts.cache);
    text += markdownRow("waste", parts.waste);
    text += markdownRow("overhead", parts.overhead);
    text += markdownRow("reserve", parts.reserve);
    text += markdownRow("**total**", parts.total());
    if (footprint.capacity) {
        text += markdownRow("capacity", *footprint.capacity);
        const Bytes free = *footprint.free();
        text += free < Bytes() ? markdownRow("over by", Bytes() - free) : markdownRow("free", free);
    }
    const core::Verdict verdict = core::verdictOf(evaluation);
    return text + fmt::format("\n**{}.** {}\n", core::english(verdict.word), core::english(verdict.sentence));
}

} // namespace app
