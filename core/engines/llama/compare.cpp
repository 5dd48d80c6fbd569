// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/llama.h"
#include "core/engines/llama/plan.h"
#include "core/engines/llama/words.h"
#include "core/engines/log_table.h"
#include "core/scenario/kv_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

namespace core::engines::llama {

namespace {

/// What is printed of a cache, for a comparison: "4096", "48.00".
struct Figure {
    std::string name;
    std::string printed;
    std::string predicted;
};

std::vector<Figure> figuresOf(const LogCache& printed, const CachePart& predicted)
{
    std::vector<Figure> figures;
    const std::string kind(predicted.kind);
    const auto add = [&](std::string_view name, const std::string& text, std::string value) {
        if (!text.empty())
            figures.push_back({fmt::format("{} {}", kind, name), text, std::move(value)});
    };
    const auto count = [](std::optional<std::int64_t> value) { return value ? std::to_string(*value) : std::string(); };
    add("cells", count(printed.cells), std::to_string(predicted.cells));
    if (!printed.isState) // there the number of all layers is printed, with or without those that draft
        add("layers", count(printed.layers), std::to_string(predicted.layers));
    add(printed.isState ? "R" : "K", printed.k, mibText(predicted.k));
    add(printed.isState ? "S" : "V", printed.v, mibText(predicted.v));
    add("size", printed.total, mibText(predicted.bytes()));
    return figures;
}

bool agrees(const LogCache& printed, const CachePart& predicted)
{
    return std::ranges::all_of(figuresOf(printed, predicted),
                               [](const Figure& figure) { return figure.printed == figure.predicted; });
}

bool isState(const CachePart& part)
{
    return part.kind == kindOf(Cache::State);
}

/// The predicted part that a printed cache is: the one that agrees, else the one with as many layers, else the first
/// that is left.
std::size_t partOf(const LogCache& printed, const Reservation& reservation, const std::vector<bool>& taken)
{
    const auto parts = reservation.caches();
    const auto pick = [&](const std::function<bool(const CachePart&)>& good) {
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (!taken[i] && isState(parts[i]) == printed.isState && good(parts[i]))
                return i;
        }
        return parts.size();
    };
    std::size_t found = pick([&](const CachePart& part) { return agrees(printed, part); });
    if (found == parts.size() && printed.layers)
        found = pick([&](const CachePart& part) { return part.layers == *printed.layers; });
    return found == parts.size() ? pick([](const CachePart&) { return true; }) : found;
}

/// The parts that the printed caches are, as far as there are any.
std::vector<std::size_t> matched(const EngineLog& log, const Reservation& reservation)
{
    std::vector<bool> taken(reservation.partCount, false);
    std::vector<std::size_t> places;
    for (const LogCache& printed : log.caches) {
        const std::size_t place = partOf(printed, reservation, taken);
        if (place < taken.size())
            taken[place] = true;
        places.push_back(place);
    }
    return places;
}

/// True where the scenario explains every cache of the log.
bool explains(const Scenario& scenario, const EngineLog& log)
{
    std::vector<Issue> refused;
    engines::check(scenario, refused);
    if (!refused.empty())
        return false;
    const Reservation reservation = LlamaPlan(scenario).reserve(scenario.workload);
    const std::vector<std::size_t> places = matched(log, reservation);
    for (std::size_t i = 0; i < places.size(); ++i) {
        if (places[i] >= reservation.partCount || !agrees(log.caches[i], reservation.caches()[places[i]]))
            return false;
    }
    return !places.empty();
}

/// A change that may be why a log differs.
struct Suspect {
    std::string_view flag; ///< a setting, or "" for the version
    std::string_view value;
};

constexpr std::array kSuspects{
    Suspect{"swa-full", "on"},      Suspect{"swa-full", "off"},     Suspect{"flash-attn", "off"},
    Suspect{"flash-attn", "on"},    Suspect{"kv-unified", "on"},    Suspect{"kv-unified", "off"},
    Suspect{"mla", "off"},          Suspect{"mla", "on"},           Suspect{"mla", "1"},
    Suspect{"ubatch-size", "512"},  Suspect{"ubatch-size", "1024"}, Suspect{"ubatch-size", "2048"},
    Suspect{"ubatch-size", "4096"}, Suspect{"", "2026-09"},         Suspect{"", "2026-01"},
    Suspect{"", "2025-10"},         Suspect{"", "2025-07"},         Suspect{"", "2025-06"},
    Suspect{"", "2025-05"},         Suspect{"", "2025-04"},         Suspect{"", "2024-06"},
    Suspect{"", "ik-2025-05"},      Suspect{"", "ik-2026-09"}};

Scenario with(Scenario scenario, const Suspect& suspect)
{
    if (suspect.flag.empty())
        scenario.engineVersion = suspect.value;
    else
        scenario.settings.set(suspect.flag, std::string(suspect.value));
    return scenario;
}

/// The facts of the model that a log prints, as the scenario has them.
std::optional<std::string> factOf(const Scenario& scenario, std::string_view key)
{
    const Model& model = scenario.model;
    const auto heads = std::ranges::find_if(model.groups, [](const CacheGroup& group) { return hasHeads(group.kind); });
    const bool alike =
        std::ranges::count_if(model.groups, [](const CacheGroup& group) { return hasHeads(group.kind); }) == 1;
    if (key == "n_layer")
        return std::to_string(model.layers);
    if (key == "n_ctx_train" && model.maxContext)
        return std::to_string(*model.maxContext);
    if (key == "n_vocab" && model.vocabulary)
        return std::to_string(*model.vocabulary);
    if (heads == model.groups.end() || !alike)
        return std::nullopt;
    const std::int64_t kvHeads = core::kvHeads(scenario, *heads);
    if (key == "n_head_kv")
        return std::to_string(kvHeads);
    if (key == "n_embd_head_k")
        return std::to_string(heads->keyDim);
    if (key == "n_embd_head_v")
        return std::to_string(heads->valueDim);
    if (key == "n_embd_k_gqa")
        return std::to_string(kvHeads * heads->keyDim);
    return key == "n_embd_v_gqa" ? std::optional(std::to_string(kvHeads * heads->valueDim)) : std::nullopt;
}

std::optional<std::string> settingOf(const LlamaPlan& plan, std::string_view key)
{
    const Cells cells = plan.cells(plan.scenario().workload);
    if (key == "n_seq_max")
        return std::to_string(cells.sequences);
    if (key == "n_ctx")
        return std::to_string(cells.perStream * cells.streams);
    if (key == "n_ctx_seq")
        return std::to_string(cells.perStream);
    if (key == "n_batch")
        return std::to_string(cells.batch);
    return key == "n_ubatch" ? std::optional(std::to_string(cells.ubatch)) : std::nullopt;
}

/// "8.03" of "8.03 B", with as many decimals as are printed.
std::string likePrinted(double value, std::string_view printed)
{
    const std::string_view number = printed.substr(0, printed.find_first_not_of("0123456789."));
    const std::size_t point = number.find('.');
    const int decimals = point == std::string_view::npos ? 0 : static_cast<int>(number.size() - point - 1);
    return fmt::format("{:.{}f}", value, decimals);
}

/// Size and parameters of the weights, as far as they are known exactly.
std::optional<std::string> weightsOf(const Scenario& scenario, std::string_view key, std::string_view printed)
{
    const std::optional<Bytes> bytes = weightBytes(scenario);
    if (key == "model params" && scenario.model.weights.known())
        return likePrinted(static_cast<double>(scenario.model.weights.parameters()) / 1e9, printed);
    const bool size = key == "model size" || key == "file size";
    if (size && bytes && printed.find("GiB") != std::string_view::npos)
        return likePrinted(toGib(*bytes), printed);
    return std::nullopt;
}

/// A cache at one device as its line prints it: "CUDA0 KV buffer", in MiB.
struct Buffer {
    std::string name;
    std::string size;
};

/// Puts the rows of a comparison together.
class Comparer {
public:
    Comparer(const LlamaPlan& plan, const Reservation& reservation, const EngineLog& log)
        : m_scenario(plan.scenario()), m_plan(plan), m_reservation(reservation), m_log(log)
    {
        m_buffers = buffers();
    }

    std::vector<LogComparison> rows()
    {
        for (const LogValue& value : m_log.values)
            addValue(value);
        const std::vector<std::size_t> places = matched(m_log, m_reservation);
        for (std::size_t i = 0; i < places.size(); ++i)
            addCache(m_log.caches[i], places[i]);
        std::ranges::stable_sort(m_rows, {}, &LogComparison::line);
        return std::move(m_rows);
    }

private:
    void add(std::int64_t line, const std::string& name, std::string printed, std::string predicted,
             const Message& cause)
    {
        const bool good = printed == predicted;
        m_rows.push_back(compared({line, name, std::move(printed)}, name, std::move(predicted), good, cause));
    }

    void addCache(const LogCache& printed, std::size_t place)
    {
        if (place >= m_reservation.partCount) {
            add(printed.line, "cache", printed.total, "",
                {KV_TEXT("core", "This scenario makes no such cache; the log is of another model or of another build."),
                 {}});
            return;
        }
        const CachePart& part = m_reservation.caches()[place];
        const bool good = agrees(printed, part);
        const Message why = good ? Message() : causeOf();
        for (Figure& figure : figuresOf(printed, part))
            add(printed.line, figure.name, std::move(figure.printed), std::move(figure.predicted), why);
    }

    void addValue(const LogValue& value)
    {
        const Message otherModel{KV_TEXT("core", "The log is of a model with other facts than this one."), {}};
        const Message otherSetting{KV_TEXT("core", "The engine ran with another setting."), {}};
        if (const std::optional<std::string> fact = factOf(m_scenario, value.key))
            add(value.line, value.key, value.value, *fact, otherModel);
        else if (const std::optional<std::string> setting = settingOf(m_plan, value.key))
            add(value.line, value.key, value.value, *setting, otherSetting);
        else if (const std::optional<std::string> weights = weightsOf(m_scenario, value.key, value.value))
            add(value.line, value.key, value.value.substr(0, value.value.find(' ')), *weights,
                {KV_TEXT("core",
                         "The weights are of another format or count; a mixture of formats is sized by its usual "
                         "shares."),
                 {}});
        else
            addBuffer(value);
    }

    /// "CUDA0 KV buffer" against the caches at that place: the one that agrees, else the first that is left.
    void addBuffer(const LogValue& value)
    {
        if (value.key.ends_with(" output buffer") && m_scenario.model.vocabulary)
            return add(value.line, value.key, value.value,
                       mibText(m_plan.outputBuffer(m_plan.cells(m_scenario.workload))),
                       {KV_TEXT("core", "Room for the outputs of more tokens than one for each sequence."), {}});
        std::vector<Buffer>::iterator found = m_buffers.end();
        for (auto buffer = m_buffers.begin(); buffer != m_buffers.end(); ++buffer) {
            const bool better = found == m_buffers.end() || buffer->size == value.value;
            if (buffer->name == value.key && better)
                found = buffer;
        }
        if (found == m_buffers.end())
            return; // of a device that the scenario does not have
        const std::string predicted = found->size;
        m_buffers.erase(found);
        add(value.line, value.key, value.value, predicted,
            {KV_TEXT("core", "Other layers are on this device, or the caches differ; sizes that differ by a few "
                             "hundredths are rounded up to the device's alignment."),
             {}});
    }

    /// The buffers of all caches at all places.
    std::vector<Buffer> buffers() const
    {
        const Version& build = m_plan.options().version;
        const Cells cells = m_plan.cells(m_scenario.workload);
        std::vector<Buffer> all;
        for (std::size_t i = 0; i < kCaches; ++i) {
            const auto cache = static_cast<Cache>(i);
            const bool apart = cache == Cache::State && build.since(2025, 6) && !build.ik;
            for (std::size_t place = 0; place < kPlaces; ++place) {
                const Bytes bytes = m_plan.bufferAt(cache, place, cells);
                if (bytes > Bytes())
                    all.push_back(
                        {deviceName(m_scenario, place) + (apart ? " RS buffer" : " KV buffer"), mibText(bytes)});
            }
        }
        return all;
    }

    /// Why the caches differ: the log's own settings, one change that explains all, or another model.
    const Message& causeOf()
    {
        if (m_cause.empty())
            m_cause = findCause();
        return m_cause;
    }

    Message findCause() const
    {
        const Scenario taken = llama::withLog(m_scenario, m_log);
        if (!(taken == m_scenario) && explains(taken, m_log))
            return {KV_TEXT("core", "The settings in the log explain it: take them over."), {}};
        for (const Scenario& start : {m_scenario, taken}) {
            for (const Suspect& suspect : kSuspects) {
                if (!explains(with(start, suspect), m_log))
                    continue;
                if (suspect.flag.empty())
                    return {KV_TEXT("core", "A build of {0} explains it."), {std::string(suspect.value)}};
                return {KV_TEXT("core", "The setting {0} = {1} explains it."),
                        {std::string(suspect.flag), std::string(suspect.value)}};
            }
        }
        for (const LogValue& value : m_log.values) {
            const std::optional<std::string> fact = factOf(m_scenario, value.key);
            if (fact && *fact != value.value)
                return {KV_TEXT("core", "The log is of another model: its {0} is {1}, this one's {2}."),
                        {value.key, value.value, *fact}};
        }
        return {KV_TEXT("core", "No single setting or build explains it; compare model, context and formats."), {}};
    }

    const Scenario& m_scenario;
    const LlamaPlan& m_plan;
    const Reservation& m_reservation;
    const EngineLog& m_log;
    std::vector<Buffer> m_buffers; ///< that no line of the log has been yet
    std::vector<LogComparison> m_rows;
    Message m_cause;
};

} // namespace

std::vector<LogComparison> LlamaPlan::compare(const Reservation& reservation, const EngineLog& log) const
{
    return Comparer(*this, reservation, log).rows();
}

} // namespace core::engines::llama
