// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/llama.h"
#include "core/engines/llama/plan.h"
#include "core/engines/llama/words.h"
#include "core/evaluate.h"
#include "core/sizing/kv_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace core::engines::llama {

namespace {

std::optional<std::int64_t> numberIn(const std::string* text)
{
    std::int64_t number = 0;
    if (text == nullptr)
        return std::nullopt;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
    return error == std::errc{} ? std::optional(number) : std::nullopt;
}

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
    const Reservation reservation = LlamaPlan(scenario, Bytes()).reserve(scenario.workload);
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
    const std::int64_t kvHeads = sizing::kvHeads(scenario, *heads);
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

std::optional<std::string> settingOf(const Scenario& scenario, std::string_view key)
{
    const Options options = optionsOf(scenario);
    const Cells cells = cellsOf(options, scenario.workload, 0);
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

/// Puts the rows of a comparison together.
class Comparer {
public:
    Comparer(const Scenario& scenario, const EngineLog& log)
        : m_scenario(scenario), m_log(log), m_plan(scenario, weightBytes(scenario).value_or(Bytes()))
    {
    }

    std::vector<LogComparison> rows()
    {
        const Reservation reservation = m_plan.reserve(m_scenario.workload);
        for (const LogValue& value : m_log.values)
            addValue(value);
        const std::vector<std::size_t> places = matched(m_log, reservation);
        for (std::size_t i = 0; i < places.size(); ++i)
            addCache(m_log.caches[i], places[i], reservation);
        std::ranges::stable_sort(m_rows, {}, &LogComparison::line);
        return std::move(m_rows);
    }

private:
    void add(std::int64_t line, std::string name, std::string printed, std::string predicted, Message cause)
    {
        LogComparison row{.line = line,
                          .figure = std::move(name),
                          .printed = std::move(printed),
                          .predicted = std::move(predicted),
                          .difference = {},
                          .agrees = false,
                          .cause = {}};
        row.agrees = row.printed == row.predicted;
        if (!row.agrees) {
            const double difference =
                std::strtod(row.predicted.c_str(), nullptr) - std::strtod(row.printed.c_str(), nullptr);
            const bool whole = row.predicted.find('.') == std::string::npos;
            row.difference = fmt::format("{:+.{}f}", difference, whole ? 0 : 2);
            row.cause = std::move(cause);
        }
        m_rows.push_back(std::move(row));
    }

    void addCache(const LogCache& printed, std::size_t place, const Reservation& reservation)
    {
        if (place >= reservation.partCount) {
            add(printed.line, "cache", printed.total, "",
                {KV_TEXT("core", "This scenario makes no such cache; the log is of another model or of another build."),
                 {}});
            return;
        }
        const CachePart& part = reservation.caches()[place];
        const bool good = agrees(printed, part);
        const Message why = good ? Message() : causeOf();
        for (Figure& figure : figuresOf(printed, part))
            add(printed.line, std::move(figure.name), std::move(figure.printed), std::move(figure.predicted), why);
    }

    void addValue(const LogValue& value)
    {
        const Message otherModel{KV_TEXT("core", "The log is of a model with other facts than this one."), {}};
        const Message otherSetting{KV_TEXT("core", "The engine ran with another setting; take the log's over."), {}};
        if (const std::optional<std::string> fact = factOf(m_scenario, value.key))
            add(value.line, value.key, value.value, *fact, otherModel);
        else if (const std::optional<std::string> setting = settingOf(m_scenario, value.key))
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

    /// "CUDA0 KV buffer" against the caches at that place; a cache with a buffer of its own is not told apart.
    void addBuffer(const LogValue& value)
    {
        const bool output = value.key.ends_with(" output buffer");
        if (!output || !m_scenario.model.vocabulary)
            return;
        add(value.line, value.key, value.value, mibText(m_plan.outputBuffer(m_plan.cells(m_scenario.workload))),
            {KV_TEXT("core", "Room for the outputs of more tokens than one for each sequence."), {}});
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
    const EngineLog& m_log;
    LlamaPlan m_plan;
    std::vector<LogComparison> m_rows;
    Message m_cause;
};

/// The build that prints so, where the scenario's own does not.
std::string buildOf(const Scenario& scenario, const EngineLog& log)
{
    const std::optional<Version> now = version(scenario.engineVersion);
    const bool ik = log.find("mla_attn") != nullptr ||
                    std::ranges::any_of(log.caches, [](const LogCache& cache) { return cache.isLatent; });
    const bool old =
        !log.caches.empty() && std::ranges::all_of(log.caches, [](const LogCache& cache) { return !cache.cells; });
    const bool streams =
        std::ranges::any_of(log.caches, [](const LogCache& cache) { return cache.streams.has_value(); });
    if (ik)
        return now && now->ik ? scenario.engineVersion : std::string("ik-2025-05");
    if (old)
        return now && (now->ik || !now->since(2025, 5)) ? scenario.engineVersion : std::string("2025-04");
    if (streams && now && (now->ik || !now->since(2025, 8)))
        return std::string(kNewest);
    return scenario.engineVersion;
}

void takeFormats(Scenario& scenario, const EngineLog& log)
{
    const auto cache = std::ranges::find_if(log.caches, [](const LogCache& each) { return !each.isState; });
    const std::string* k = log.find("type_k");
    const std::string* v = log.find("type_v");
    const bool printed = cache != log.caches.end();
    const std::optional<KvFormat> kFormat = k != nullptr ? typeOf(*k) : printed ? typeOf(cache->kType) : std::nullopt;
    const bool hasValues = printed && !cache->v.empty() && cache->v != "0.00";
    const std::optional<KvFormat> vFormat = v != nullptr ? typeOf(*v) : hasValues ? typeOf(cache->vType) : std::nullopt;
    scenario.kFormat = kFormat.value_or(scenario.kFormat);
    scenario.vFormat = vFormat.value_or(scenario.vFormat);
}

void takeWorkload(Scenario& scenario, const EngineLog& log)
{
    const auto cache = std::ranges::find_if(log.caches, [](const LogCache& each) { return each.cells.has_value(); });
    const bool printed = cache != log.caches.end();
    std::optional<std::int64_t> sequences = numberIn(log.find("n_seq_max"));
    if (!sequences && printed)
        sequences = cache->sequences;
    std::optional<std::int64_t> context = numberIn(log.find("n_ctx"));
    if (!context && printed && !cache->isState)
        context = *cache->cells * cache->streams.value_or(1);
    const std::int64_t batch = std::clamp<std::int64_t>(sequences.value_or(scenario.workload.batch), 1, kMostSequences);
    scenario.workload.batch = batch;
    if (!context || *context < batch)
        return;
    scenario.workload.context = std::min(*context / batch, kMaxContext);
    scenario.workload.spareTokens = *context % batch;
    scenario.workload.maxContext.reset();
    const auto split = std::ranges::find_if(log.caches, [](const LogCache& each) { return each.streams.has_value(); });
    if (split != log.caches.end() && split->sequences.value_or(1) > 1)
        scenario.settings.set("kv-unified", *split->streams == 1 ? "on" : "off");
}

void takeSwitches(Scenario& scenario, const EngineLog& log)
{
    const auto take = [&](std::string_view key, std::string_view flag) {
        if (const std::string* value = log.find(key))
            scenario.settings.set(flag, *value);
    };
    take("n_batch", "batch-size");
    take("n_ubatch", "ubatch-size");
    take("mla_attn", "mla");
    take("n_gpu_layers", "n-gpu-layers");
    if (const std::string* flash = log.find("flash_attn")) {
        const bool off = *flash == "0" || *flash == "disabled" || *flash == "off";
        scenario.settings.set("flash-attn", off ? "off" : "on");
    }
    if (const std::string* unified = log.find("kv_unified"))
        scenario.settings.set("kv-unified", *unified == "true" || *unified == "1" ? "on" : "off");
    if (log.find("swa_full") != nullptr)
        scenario.settings.set("swa-full", "on");
    for (const LogCache& cache : log.caches) {
        if (cache.rollback.value_or(0) > 0)
            scenario.settings.set("num-speculative-tokens", std::to_string(*cache.rollback));
    }
}

} // namespace

Scenario withLog(Scenario scenario, const EngineLog& log)
{
    scenario.engineVersion = buildOf(scenario, log);
    takeFormats(scenario, log);
    takeWorkload(scenario, log);
    takeSwitches(scenario, log);
    return scenario;
}

std::vector<LogComparison> compareLog(const Scenario& scenario, const EngineLog& log)
{
    return Comparer(scenario, log).rows();
}

} // namespace core::engines::llama
