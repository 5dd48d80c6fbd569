// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/llama.h"
#include "core/engines/llama/plan.h"
#include "core/engines/llama/words.h"
#include "core/scenario/kv_cache.h"

#include <fmt/format.h>

#include <string>
#include <utility>

namespace core::engines::llama {

namespace {

/// Who prints a line: the functions' names changed with the code.
struct Printers {
    std::string_view context; ///< settings and output buffer
    std::string_view size;    ///< size of the cache in old builds
    std::string_view cache;
    std::string_view windows;
    std::string_view state = "llama_memory_recurrent";
};

Printers printersOf(const Version& build)
{
    if (build.ik || !build.since(2025, 1))
        return {"llama_new_context_with_model", "llama_new_context_with_model", "llama_kv_cache_init", {}};
    if (!build.since(2025, 3))
        return {"llama_init_from_model", "llama_init_from_model", "llama_kv_cache_init", {}};
    if (!build.since(2025, 5))
        return {"llama_context", "llama_context", "init", {}};
    if (!build.since(2025, 9))
        return {"llama_context", {}, "llama_kv_cache_unified", "llama_kv_cache_unified_iswa"};
    return {"llama_context", {}, "llama_kv_cache", "llama_kv_cache_iswa"};
}

/// The lines of one reservation.
class LogWriter {
public:
    LogWriter(const LlamaPlan& plan, const Reservation& reservation)
        : m_scenario(plan.scenario()),
          m_reservation(reservation),
          m_plan(plan),
          m_build(m_plan.options().version),
          m_rules(m_plan.options().rules),
          m_printers(printersOf(m_build)),
          m_cells(m_plan.cells(m_scenario.workload))
    {
    }

    std::vector<std::string> lines()
    {
        addSettings();
        const bool outputFirst = m_build.since(2025, 3) && !m_build.ik;
        if (outputFirst)
            addOutput();
        std::size_t part = 0;
        for (std::size_t i = 0; i < kCaches; ++i) {
            const auto cache = static_cast<Cache>(i);
            if (m_plan.makes(cache))
                addCache(cache, m_reservation.caches()[part++]);
        }
        if (!outputFirst)
            addOutput();
        return std::move(m_lines);
    }

private:
    void setting(std::string_view name, const std::string& value)
    {
        m_lines.push_back(fmt::format("{}: {:<13} = {}", m_printers.context, name, value));
    }

    std::string flashText() const
    {
        const bool words = !m_build.ik && m_build.since(2025, 8, 30);
        if (!words)
            return m_plan.options().flash ? "1" : "0";
        const std::string* typed = m_scenario.settings.find("flash-attn");
        if (typed == nullptr || *typed == "auto")
            return "auto";
        return m_plan.options().flash ? "enabled" : "disabled";
    }

    void addSettings()
    {
        const std::int64_t context = m_rules.streams ? m_cells.perStream * m_cells.streams : m_cells.perStream;
        if (!m_build.ik)
            setting("n_seq_max", std::to_string(m_cells.sequences));
        setting("n_ctx", std::to_string(context));
        if (m_build.since(2025, 11) && !m_build.ik)
            setting("n_ctx_seq", std::to_string(m_cells.perStream));
        else if (m_build.since(2024, 12) && !m_build.ik)
            setting("n_ctx_per_seq", std::to_string(context / m_cells.sequences));
        setting("n_batch", std::to_string(m_cells.batch));
        setting("n_ubatch", std::to_string(m_cells.ubatch));
        setting("flash_attn", flashText());
        if (m_build.ik)
            setting("mla_attn", std::to_string(latentNumber()));
        else if (m_rules.streams)
            setting("kv_unified", m_plan.options().unified ? "true" : "false");
    }

    int latentNumber() const
    {
        switch (m_plan.options().latents) {
        case LatentMode::Values:
            return 1;
        case LatentMode::Only: {
            const std::string* typed = m_scenario.settings.find("mla");
            return typed != nullptr && *typed == "2" ? 2 : 3;
        }
        default:
            return 0;
        }
    }

    void addOutput()
    {
        const bool onHost = deviceMemory(m_scenario.hardware).has_value();
        const std::string device = deviceName(m_scenario, 0);
        const std::string name =
            onHost ? fmt::format("{}_Host", device.substr(0, device.find_first_of("0123456789"))) : "CPU";
        if (m_scenario.model.vocabulary)
            m_lines.push_back(fmt::format("{}: {:>10}  output buffer size = {:>8} MiB", m_printers.context, name,
                                          mibText(m_plan.outputBuffer(m_cells))));
    }

    void addBuffers(Cache cache, std::string_view printer, std::string_view what)
    {
        for (std::size_t place = 0; place < kPlaces; ++place) {
            const Bytes bytes = m_plan.bufferAt(cache, place, m_cells);
            if (bytes > Bytes())
                m_lines.push_back(fmt::format("{}: {:>10} {} buffer size = {:>8.2f} MiB", printer,
                                              deviceName(m_scenario, place), what,
                                              static_cast<double>(bytes.count()) / 1024.0 / 1024.0));
        }
    }

    void addCache(Cache cache, const CachePart& part)
    {
        if (cache == Cache::State && m_build.since(2025, 6) && !m_build.ik)
            return addState(part);
        if (cache == Cache::Full || cache == Cache::Windows)
            m_lines.push_back(fmt::format("{}: creating {} KV cache, size = {} cells", m_printers.windows,
                                          cache == Cache::Full ? "non-SWA" : "    SWA", part.cells));
        addBuffers(cache, m_printers.cache, "KV");
        if (!m_printers.size.empty())
            return addOldSize(cache, part);
        const std::string sequences = m_rules.printsStreams ? fmt::format("{:2}/{}", part.sequences, part.streams)
                                                            : fmt::format("{:2}", part.sequences);
        m_lines.push_back(
            fmt::format("{}: size = {:>7} MiB ({:6} cells, {:3} layers, {} seqs), K ({}): {:>7} MiB, V ({}): {:>7} MiB",
                        m_printers.cache, mibText(part.bytes()), part.cells, part.layers, sequences,
                        typeName(part.kFormat), mibText(part.k), typeName(part.vFormat), mibText(part.v)));
    }

    void addState(const CachePart& part)
    {
        addBuffers(Cache::State, m_printers.state, "RS");
        const std::string rows = m_rules.printsRollback ? fmt::format(" {:2} rs_seq", part.rollback) : "";
        std::string line =
            fmt::format("{}: size = {:>7} MiB ({:6} cells, {:3} layers, {:2} seqs{}), R ({}): {:>7} MiB, S ({}): {:>7} "
                        "MiB",
                        m_printers.state, mibText(part.bytes()), part.cells, part.layers, part.sequences, rows,
                        typeName(part.kFormat), mibText(part.k), typeName(part.vFormat), mibText(part.v));
        if (m_rules.printsHistory)
            line += fmt::format(", P (f32): {:>7} MiB", "0.00");
        m_lines.push_back(std::move(line));
    }

    void addOldSize(Cache cache, const CachePart& part)
    {
        const std::string start = fmt::format("{}: KV self size  = {:>7} MiB", m_printers.size, mibText(part.bytes()));
        const std::string k = mibText(part.k);
        const std::string v = mibText(part.v);
        const bool latents = m_build.ik && cache == Cache::Latents;
        if (!latents)
            m_lines.push_back(fmt::format("{}, K ({}): {:>7} MiB, V ({}): {:>7} MiB", start, typeName(part.kFormat), k,
                                          typeName(part.vFormat), v));
        else if (part.v == Bytes())
            m_lines.push_back(
                fmt::format("{}, c^KV ({}): {:>7} MiB, kv^T: not used", start, typeName(part.kFormat), k));
        else
            m_lines.push_back(fmt::format("{}, c^KV ({}): {:>7} MiB, kv^T ({}): {:>7} MiB", start,
                                          typeName(part.kFormat), k, typeName(part.vFormat), v));
    }

    const Scenario& m_scenario;
    const Reservation& m_reservation;
    const LlamaPlan& m_plan;
    const Version& m_build;
    const Rules& m_rules;
    Printers m_printers;
    Cells m_cells;
    std::vector<std::string> m_lines;
};

/// The flags of the launch command, where they differ from the defaults of the version.
class Command {
public:
    explicit Command(const LlamaPlan& plan) : m_scenario(plan.scenario()), m_options(plan.options()) {}

    std::string text()
    {
        const Workload& workload = m_scenario.workload;
        const Cells cells = cellsOf(m_options, workload, 0);
        m_text = fmt::format("llama-server -m MODEL.gguf -c {} -np {}", cells.asked, workload.batch);
        addFormats();
        addBatch();
        addAttention();
        addDevices();
        return std::move(m_text);
    }

private:
    void add(std::string_view flag, std::string_view value = {})
    {
        m_text.append(" ").append(flag);
        if (!value.empty())
            m_text.append(" ").append(value);
    }
    const std::string* typed(std::string_view flag) const { return m_scenario.settings.find(flag); }

    void addFormats()
    {
        if (m_scenario.kFormat != KvFormat::Fp16)
            add("-ctk", typeName(m_scenario.kFormat));
        if (m_scenario.vFormat != KvFormat::Fp16)
            add("-ctv", typeName(m_scenario.vFormat));
    }

    void addBatch()
    {
        if (m_options.batch != Options{}.batch)
            add("-b", std::to_string(m_options.batch));
        if (m_options.ubatch != Options{}.ubatch)
            add("-ub", std::to_string(m_options.ubatch));
        if (m_options.wholeWindows && m_options.rules.windows)
            add("--swa-full");
        if (m_options.unified && m_options.rules.streams)
            add("--kv-unified");
        if (m_options.drafts > 0 && !m_options.version.ik && m_options.rules.printsRollback)
            add("--spec-type draft-mtp --spec-draft-n-max", std::to_string(m_options.drafts));
    }

    void addAttention()
    {
        const bool words = m_options.version.since(2025, m_options.version.ik ? 10 : 9);
        if (const std::string* flash = typed("flash-attn"); words && flash != nullptr)
            add("-fa", *flash);
        else if (!words && m_options.flash)
            add("-fa");
        const bool latents = m_options.version.ik && typed("mla") != nullptr;
        if (latents && *typed("mla") != "auto")
            add("-mla", *typed("mla") == "off" ? "0" : *typed("mla") == "on" ? "3" : *typed("mla"));
    }

    void addDevices()
    {
        if (!deviceMemory(m_scenario.hardware))
            return;
        if (m_options.gpuLayers != kAllLayers)
            add("-ngl", std::to_string(m_options.gpuLayers));
        else if (!m_options.version.since(2025, 12) || m_options.version.ik)
            add("-ngl", "999");
        if (!m_options.offloadsCache)
            add("--no-kv-offload");
        if (!m_options.splitsLayers)
            add("-sm", "none");
        if (const std::string* shares = typed("tensor-split"); shares != nullptr && m_scenario.hardware.count > 1)
            add("-ts", *shares);
    }

    const Scenario& m_scenario;
    const Options& m_options;
    std::string m_text;
};

} // namespace

void LlamaPlan::print(const Reservation& reservation, Description& description) const
{
    description.log = LogWriter(*this, reservation).lines();
    description.command = Command(*this).text();
}

} // namespace core::engines::llama
