// SPDX-License-Identifier: GPL-3.0-or-later
// llama.cpp: published figures by catalogue model, the rules one by one, devices, what is refused, laws.
#include "core/engines/engine.h"
#include "core/sizing/curves.h"
#include "core/sizing/evaluate.h"
#include "core/sizing/explain.h"
#include "core/sizing/limits.h"
#include "tests/core/catalogue.h"
#include "tests/core/engines/decimal_commas.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <numeric>

using core::Bytes;
using core::Scenario;
using core::WasteCause;
namespace engines = core::engines;

namespace {

Scenario llama(const char* model, std::int64_t context, std::int64_t batch = 1)
{
    Scenario scenario = core::scenarioOf(tests::model(model));
    scenario.engine = core::EngineId::LlamaCpp;
    scenario.workload.context = context;
    scenario.workload.batch = batch;
    return scenario;
}

Scenario with(Scenario scenario, const char* flag, const char* value)
{
    scenario.settings.set(flag, value);
    return scenario;
}

Scenario version(Scenario scenario, const char* build)
{
    scenario.engineVersion = build;
    return scenario;
}

Scenario on(Scenario scenario, const char* gpu, std::int64_t count)
{
    scenario.hardware.gpu = tests::gpu(gpu);
    scenario.hardware.count = count;
    return scenario;
}

const engines::CachePart* part(const engines::Reservation& reservation, std::string_view kind)
{
    const auto parts = reservation.caches();
    const auto found = std::ranges::find(parts, kind, &engines::CachePart::kind);
    return found == parts.end() ? nullptr : &*found;
}

/// A part of a reservation: bytes in MiB, cells; -1: there is none.
struct Part {
    const char* kind;
    double mib;
    std::int64_t cells;
};

struct Case {
    const char* name;
    Scenario scenario;
    std::vector<Part> parts;
};

// NOLINTNEXTLINE(readability-function-size): a table.
std::vector<Case> cases()
{
    const Scenario gemma = llama("gemma-3-27b", 131'072);
    const Scenario e4b = llama("gemma-4-e4b", 4'096);
    const Scenario r1 = llama("deepseek-r1", 4'096);
    return {
        // ggml-org/llama.cpp issue 16812: 1,056 MiB for an 8B model at a context of 8,200.
        {"context in steps of 256", llama("llama-3.1-8b", 8'200), {{"kv", 1'056, 8'448}}},
        {"steps of 32 without flash attention",
         version(llama("llama-3.1-8b", 8'200), "2025-06"),
         {{"kv", 1'028, 8'224}}},
        {"steps of 256 with it",
         with(version(llama("llama-3.1-8b", 8'200), "2025-06"), "flash-attn", "on"),
         {{"kv", 1'056, 8'448}}},
        // 10 layers of 131,072 cells and 52 of 1,024 + 512, each 8 KiB.
        {"windows of Gemma 3 27B", gemma, {{"kv_full", 10'240, 131'072}, {"kv_swa", 624, 1'536}}},
        {"a larger ubatch", with(gemma, "ubatch-size", "2048"), {{"kv_swa", 1'248, 3'072}}},
        {"not larger than the batch",
         with(with(gemma, "ubatch-size", "2048"), "batch-size", "512"),
         {{"kv_swa", 624, 1'536}}},
        {"windows kept whole",
         with(gemma, "swa-full", "on"),
         {{"kv_full", 10'240, 131'072}, {"kv_swa", 53'248, 131'072}}},
        {"before windows had a cache", version(gemma, "2025-04"), {{"kv", 63'488, 131'072}, {"kv_swa", -1, 0}}},
        {"ik_llama.cpp ignores windows", version(gemma, "ik-2025-06"), {{"kv", 63'488, 131'072}}},
        {"the first windows held a batch", version(gemma, "2025-05"), {{"kv_swa", 1'248, 3'072}}},
        // idx-lfm2: 6 layers of 8 heads of 64.
        {"LFM2 1.2B", llama("lfm2-1.2b", 32'768), {{"kv", 384, 32'768}, {"recurrent", 0.15625, 1}}},
        {"Gemma 4 E4B, whole windows", with(e4b, "swa-full", "on"), {{"kv_full", 64, 4'096}, {"kv_swa", 160, 4'096}}},
        {"Gemma 4 E4B, 1,024 tokens at once",
         with(e4b, "ubatch-size", "1024"),
         {{"kv_full", 64, 4'096}, {"kv_swa", 60, 1'536}}},
        {"Gemma 4 E4B, values as wide as the widest",
         with(e4b, "flash-attn", "off"),
         {{"kv_full", 64, 4'096}, {"kv_swa", 60, 1'024}}},
        {"sequences apart", llama("gemma-3-27b", 4'096, 4), {{"kv_full", 1'280, 4'096}, {"kv_swa", 2'496, 1'536}}},
        {"sequences in one stretch",
         with(llama("gemma-3-27b", 4'096, 4), "kv-unified", "on"),
         {{"kv_full", 1'280, 16'384}, {"kv_swa", 1'872, 4'608}}},
        // ik_llama.cpp pull request 394, discussions 223 and 258: 576 elements, a copy of 512 beside them.
        {"latents", r1, {{"mla", 61 * 4'096 * 1'152 / 1'048'576.0, 4'096}}},
        {"latents and a copy", version(llama("deepseek-r1", 16'384), "2025-05"), {{"mla", 2'074, 16'384}}},
        {"before latents were known", version(llama("deepseek-r1", 2'048), "2025-03"), {{"kv", 9'760, 2'048}}},
        {"a file without latents", with(llama("deepseek-r1", 2'048), "mla", "off"), {{"kv", 9'760, 2'048}}},
        {"both, in an early branch",
         with(version(llama("deepseek-r1", 2'048), "2025-02"), "mla", "on"),
         {{"kv", 9'760, 2'048}, {"kv_mla_extra", 137.25, 2'048}}},
        {"ik_llama.cpp without its flag", version(llama("deepseek-r1", 2'048), "ik-2025-03"), {{"kv", 9'760, 2'048}}},
        {"ik_llama.cpp -mla 3",
         with(version(llama("deepseek-r1", 20'480), "ik-2025-03"), "mla", "3"),
         {{"mla", 1'372.5, 20'480}}},
        {"ik_llama.cpp -mla 1 without flash attention",
         with(version(llama("deepseek-r1", 163'840), "ik-2025-02"), "mla", "1"),
         {{"mla", 20'740, 163'840}}},
        // idx-glm5-512k: 21 of 78 layers of GLM 5.2 keep index keys; of GLM 5, as tests/engines/live shows, all.
        {"index keys", llama("glm-5.2", 524'288), {{"mla", 44'928, 524'288}, {"indexer", 2'688, 524'288}}},
        {"index keys in all layers", llama("glm-5", 524'288), {{"indexer", 9'984, 524'288}}},
        // tests/engines/live: 49 of 80 layers have heads, and without flash attention all have values.
        {"layers without heads", llama("nemotron-super-49b", 4'096), {{"kv", 784, 4'096}}},
        {"values of layers without heads",
         with(llama("nemotron-super-49b", 4'096), "flash-attn", "off"),
         {{"kv", 1'032, 4'096}}},
        {"states and rows to roll back to",
         with(llama("qwen3.5-27b", 4'096), "num-speculative-tokens", "2"),
         {{"kv", 256, 4'096}, {"recurrent", 448.875, 1}}},
        {"rows of Nemotron-H to roll back to",
         with(llama("nemotron-h-8b", 4'096), "num-speculative-tokens", "2"),
         {{"recurrent", 296.4375, 1}}},
        {"which older builds do not have",
         with(version(llama("nemotron-h-8b", 4'096), "2026-06"), "num-speculative-tokens", "2"),
         {{"recurrent", 98.8125, 1}}},
        {"a state for each sequence",
         with(llama("qwen3.5-27b", 4'096, 4), "kv-unified", "on"),
         {{"kv", 1'024, 16'384}, {"recurrent", 598.5, 4}}},
    };
}

} // namespace

class TestLlama : public QObject {
    Q_OBJECT

private slots:
    /// Shares are read whatever the desktop's locale writes: 0.6 and 0.2 are three to one.
    void decimalCommas()
    {
        const tests::DecimalCommas commas;
        if (!commas.areSet())
            QSKIP("There is no locale de_DE.UTF-8.");
        const Scenario cards = on(llama("llama-3.1-8b", 8'192), "rtx-4090", 2);
        const auto first = [&](const char* shares) {
            return engines::reserve(with(cards, "tensor-split", shares)).devices[0].cache();
        };
        QCOMPARE(first("0.6,0.2"), first("3,1"));
        QVERIFY(first("0.6,0.2") > first("1,1"));
    }

    void parts_data()
    {
        QTest::addColumn<int>("place");
        int place = 0;
        for (const Case& each : cases())
            QTest::addRow("%s", each.name) << place++;
    }

    void parts()
    {
        QFETCH(int, place);
        const Case each = cases()[static_cast<std::size_t>(place)];
        for (const core::Issue& issue : core::check(each.scenario))
            QFAIL(core::english(issue.message).c_str());
        const engines::Reservation reservation = engines::reserve(each.scenario);
        for (const Part& expected : each.parts) {
            const engines::CachePart* found = part(reservation, expected.kind);
            QCOMPARE(found != nullptr, expected.mib >= 0);
            if (found == nullptr)
                continue;
            QCOMPARE(static_cast<double>(found->bytes().count()) / 1'048'576.0, expected.mib);
            QCOMPARE(found->cells, expected.cells);
        }
    }

    /// ideal + causes = reserved; `kv` stays the ideal cache.
    void causesSumUp_data() { parts_data(); }
    void causesSumUp()
    {
        QFETCH(int, place);
        const Scenario scenario = cases()[static_cast<std::size_t>(place)].scenario;
        const engines::Reservation reservation = engines::reserve(scenario);
        const engines::Description description = tests::described(scenario);
        Bytes sum = reservation.used();
        for (const engines::Description::Step& step : description.steps) {
            QVERIFY(step.bytes > Bytes());
            QVERIFY(!step.sentence.empty());
            sum += step.bytes;
        }
        Bytes reserved;
        for (const engines::CachePart& each : reservation.caches())
            reserved += each.bytes();
        QCOMPARE(sum, reserved);
        QVERIFY(!description.log.empty());
        QVERIFY(description.command.starts_with("llama-server -m "));
    }

    void idealAndReserved()
    {
        const core::Footprint footprint = core::evaluate(llama("gemma-3-27b", 131'072));
        QCOMPARE(footprint.kv.total, Bytes(10'240ll * 1'048'576 + 52ll * 1'024 * 8'192)); // 10.41 GiB
        QCOMPARE(footprint.waste.of(WasteCause::WindowBatch), Bytes(52ll * 512 * 8'192));
        QCOMPARE(footprint.waste.of(WasteCause::Padding), Bytes());
        const core::Footprint padded = core::evaluate(llama("llama-3.1-8b", 8'200));
        QCOMPARE(padded.waste.of(WasteCause::Padding), Bytes(248ll * 131'072));
        QCOMPARE(padded.wasteCause, WasteCause::Padding);
        Scenario longer = llama("llama-3.1-8b", 1'000);
        longer.workload.maxContext = 8'192;
        QCOMPARE(core::evaluate(longer).waste.of(WasteCause::MaxContext), Bytes(7'192ll * 131'072));
    }

    void logLines()
    {
        const auto log = [](const Scenario& scenario) { return tests::described(scenario).log; };
        const auto has = [](const std::vector<std::string>& lines, const std::string& line) {
            return std::ranges::count(lines, line) == 1;
        };
        // From real logs: ggml-org/llama.cpp issue 27872 and others; ikawrakow/ik_llama.cpp discussion 258.
        QVERIFY(has(log(llama("gpt-oss-20b", 4'096)),
                    "llama_kv_cache: size =   96.00 MiB (  4096 cells,  12 layers,  1/1 seqs), K (f16):   48.00 MiB, V "
                    "(f16):   48.00 MiB"));
        QVERIFY(
            has(log(llama("gpt-oss-20b", 4'096)), "llama_kv_cache_iswa: creating     SWA KV cache, size = 768 cells"));
        Scenario ik = with(version(llama("deepseek-r1", 20'480), "ik-2025-03"), "mla", "3");
        ik.kFormat = core::KvFormat::Q8_0;
        ik.settings.set("flash-attn", "on");
        QVERIFY(has(log(ik),
                    "llama_new_context_with_model: KV self size  =  729.14 MiB, c^KV (q8_0):  729.14 MiB, kv^T: not "
                    "used"));
        QVERIFY(has(
            log(version(llama("llama-3.1-8b", 8'192), "2024-05")),
            "llama_new_context_with_model: KV self size  = 1024.00 MiB, K (f16):  512.00 MiB, V (f16):  512.00 MiB"));
        QVERIFY(has(log(llama("qwen3.5-27b", 32'768)), "llama_memory_recurrent: size =  149.62 MiB (     1 cells,  64 "
                                                       "layers,  1 seqs  0 rs_seq), R (f32):    5.62 "
                                                       "MiB, S (f32):  144.00 MiB, P (f32):    0.00 MiB"));
    }

    void command()
    {
        Scenario scenario =
            with(with(on(llama("gemma-3-27b", 8'192, 2), "rtx-4090", 2), "tensor-split", "3,1"), "swa-full", "on");
        scenario.kFormat = scenario.vFormat = core::KvFormat::Q8_0;
        scenario.settings.set("flash-attn", "on");
        scenario.settings.set("ubatch-size", "1024");
        QCOMPARE(
            tests::described(scenario).command,
            std::string(
                "llama-server -m MODEL.gguf -c 16384 -np 2 -ctk q8_0 -ctv q8_0 -ub 1024 --swa-full -fa on -ts 3,1"));
        QCOMPARE(tests::described(version(llama("llama-3.1-8b", 4'096), "2025-06")).command,
                 std::string("llama-server -m MODEL.gguf -c 4096 -np 1"));
    }

    /// Layers fill the GPUs in order; the output is one of them, the embedding stays on the host.
    void devices()
    {
        const Scenario scenario = on(llama("llama-3.1-8b", 8'192), "rtx-4090", 2);
        const core::Footprint footprint = core::evaluate(scenario);
        QCOMPARE(footprint.devices.size(), std::size_t{2});
        QVERIFY(footprint.host.has_value());
        // 33 layers with the output: 17 on the first, 15 and the output on the second.
        QCOMPARE(footprint.devices[0].parts.cache, Bytes(17ll * 4'096 * 8'192));
        QCOMPARE(footprint.devices[1].parts.cache, Bytes(15ll * 4'096 * 8'192));
        Bytes weights = footprint.host->parts.weights;
        for (const core::DeviceFootprint& device : footprint.devices)
            weights += device.parts.weights;
        QCOMPARE(weights, *footprint.weights);
        QCOMPARE(footprint.host->parts.weights, Bytes(128'256ll * 4'096 * 2));
    }

    void shares()
    {
        const Scenario scenario = with(on(llama("llama-3.1-8b", 8'192), "rtx-4090", 2), "tensor-split", "3,1");
        QCOMPARE(core::evaluate(scenario).devices[0].parts.cache, Bytes(25ll * 4'096 * 8'192)); // ceil(33 · 3 / 4)
        const Scenario one = with(on(llama("llama-3.1-8b", 8'192), "rtx-4090", 2), "split-mode", "none");
        QCOMPARE(core::evaluate(one).devices[0].parts.cache, Bytes(32ll * 4'096 * 8'192));
        QCOMPARE(core::evaluate(one).devices[1].parts.cache, Bytes());
    }

    void partlyOnTheHost()
    {
        const Scenario scenario = with(on(llama("llama-3.1-8b", 8'192), "rtx-4090", 1), "n-gpu-layers", "11");
        const core::Footprint footprint = core::evaluate(scenario);
        QCOMPARE(footprint.devices[0].parts.cache, Bytes(10ll * 4'096 * 8'192)); // 10 layers and the output
        QCOMPARE(footprint.host->parts.cache, Bytes(22ll * 4'096 * 8'192));
        const core::Footprint older = core::evaluate(version(scenario, "2025-10"));
        QCOMPARE(older.devices[0].parts.cache, Bytes(11ll * 4'096 * 8'192)); // 11 layers, the output on the host
        const core::Footprint none =
            core::evaluate(with(on(llama("llama-3.1-8b", 8'192), "rtx-4090", 1), "no-kv-offload", "on"));
        QCOMPARE(none.devices[0].parts.cache, Bytes());
        QCOMPARE(none.host->parts.cache, Bytes(32ll * 4'096 * 8'192));
    }

    /// Two cards are not one of twice the size: the fullest decides.
    void fullestDecides()
    {
        Scenario scenario = with(on(llama("llama-3.1-8b", 131'072, 1), "rtx-4090", 2), "tensor-split", "20,1");
        const core::Footprint footprint = core::evaluate(scenario);
        QVERIFY(footprint.memory.total() <= *footprint.capacity);
        QCOMPARE(footprint.fits(), std::optional(false));
        QCOMPARE(footprint.fullest(), &footprint.devices[0]);
        QVERIFY(footprint.limits.maxContext.device.ends_with("#0"));
        scenario.settings.erase("tensor-split");
        QCOMPARE(core::evaluate(scenario).fits(), std::optional(true));
    }

    void estimates()
    {
        Scenario scenario = on(llama("llama-3.1-8b", 8'192), "rtx-4090", 1);
        const core::Footprint footprint = core::evaluate(scenario);
        QCOMPARE(footprint.overhead.size(), std::size_t{2});
        QVERIFY(footprint.overhead[0].estimate && footprint.overhead[1].estimate);
        QCOMPARE(footprint.overhead[0].bytes, core::mib(250)); // gguf-parser's default footprint
        scenario.settings.set("runtime-context", "0");
        scenario.settings.set("compute-buffer", "512MiB");
        scenario.overhead = core::mib(100);
        QCOMPARE(core::evaluate(scenario).memory.overhead, core::mib(612));
    }

    void refused_data()
    {
        QTest::addColumn<QString>("flag");
        QTest::addColumn<QString>("value");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* flag, const char* value, const char* says) {
            QTest::addRow("%s %s", flag, value) << flag << value << says;
        };
        row("split-mode", "row", "rows");
        row("split-mode", "rows", "layer none");
        row("ubatch-size", "0", "1 to 1,048,576");
        row("flash-attn", "maybe", "on off auto");
        row("swa-full", "yes", "on nor off");
        row("tensor-split", "3,", "3,1");
        row("tensor-split", "3,1", "2 GPUs");
        row("runtime-context", "much", "250MiB");
        row("gpu-memory-utilization", "0.9", "no such setting");
    }

    void refused()
    {
        QFETCH(QString, flag);
        QFETCH(QString, value);
        QFETCH(QString, says);
        Scenario scenario = llama("llama-3.1-8b", 8'192);
        scenario.settings.set(flag.toStdString(), value.toStdString());
        const std::vector<core::Issue> issues = core::check(scenario);
        QCOMPARE(issues.size(), std::size_t{1});
        QCOMPARE(issues.front().field, core::Field::Setting);
        QCOMPARE(QString::fromStdString(issues.front().setting), flag);
        const QString sentence = QString::fromStdString(core::english(issues.front().message));
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void formats()
    {
        const auto fields = [](const Scenario& scenario) {
            std::vector<core::Field> result;
            for (const core::Issue& issue : core::check(scenario))
                result.push_back(issue.field);
            return result;
        };
        using Fields = std::vector<core::Field>;
        Scenario scenario = llama("llama-3.1-8b", 8'192);
        scenario.kFormat = core::KvFormat::Fp8;
        QCOMPARE(fields(scenario), Fields{core::Field::KFormat});
        scenario.kFormat = core::KvFormat::Q8_0;
        QCOMPARE(fields(scenario), Fields{});
        scenario.vFormat = core::KvFormat::Q4_0;
        QCOMPARE(fields(scenario), Fields{});
        scenario.settings.set("flash-attn", "off");
        QCOMPARE(fields(scenario), Fields{core::Field::VFormat}); // quantized values need flash attention
        scenario = llama("mamba-130m", 8'192);                    // the flag is checked though there are no values
        scenario.vFormat = core::KvFormat::Q8_0;
        QCOMPARE(fields(scenario), Fields{});
        QCOMPARE(fields(with(scenario, "flash-attn", "off")), Fields{core::Field::VFormat});
        scenario = llama("deepseek-r1", 8'192); // its latents are key and value at once
        scenario.kFormat = core::KvFormat::Q8_0;
        QCOMPARE(fields(scenario), Fields{core::Field::VFormat});
        QCOMPARE(fields(version(scenario, "2026-06")), Fields{});
        QCOMPARE(fields(with(scenario, "mla", "off")), Fields{});
        scenario.vFormat = core::KvFormat::Q8_0;
        QCOMPARE(fields(scenario), Fields{});
        scenario = llama("llama-3.1-8b", 8'192);
        scenario.kFormat = core::KvFormat::Q8Kv;
        QCOMPARE(fields(scenario), Fields{core::Field::KFormat});
        QCOMPARE(fields(version(scenario, "ik-2025-03")), Fields{});
        scenario.engine = core::EngineId::Ideal;
        QCOMPARE(fields(scenario), Fields{core::Field::KFormat});
        // A head of 100 elements (OpenLLaMA 3B) is no whole number of blocks, 32 of them are.
        Scenario odd = llama("llama-3.1-8b", 8'192);
        odd.model.groups.front().keyDim = 100;
        odd.kFormat = core::KvFormat::Q8_0;
        QCOMPARE(fields(odd), Fields{core::Field::KFormat});
        QCOMPARE(fields(with(odd, "flash-attn", "off")), Fields{});
        QCOMPARE(fields(version(llama("llama-3.1-8b", 8'192), "last week")), Fields{core::Field::EngineVersion});
        QCOMPARE(fields(llama("llama-3.1-8b", 8'192, 257)), Fields{core::Field::Batch});
        QCOMPARE(fields(on(llama("llama-3.1-8b", 8'192), "rtx-4090", 17)), Fields{core::Field::GpuCount});
    }

    void ownFormat()
    {
        // ik_llama.cpp pull request 208: 8 bytes for each row, which is a head.
        Scenario scenario = version(llama("llama-3.1-8b", 4'096), "ik-2025-03");
        scenario.kFormat = core::KvFormat::Q8Kv;
        const engines::Reservation reservation = engines::reserve(scenario);
        QCOMPARE(part(reservation, "kv")->k, Bytes(32ll * 4'096 * 8 * (128 + 8)));
    }

    void monotone_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model :
             {"llama-3.1-8b", "gemma-3-27b", "qwen3.5-27b", "deepseek-r1", "gpt-oss-20b", "lfm2-1.2b"})
            QTest::addRow("%s", model) << model;
    }

    void monotone()
    {
        QFETCH(QString, model);
        for (const char* build : {"2024-06", "2025-06", "2025-10", "2026-09", "ik-2025-05"}) {
            const Scenario scenario = version(llama(model.toUtf8().constData(), 1), build);
            const auto plan = engines::plan(scenario);
            for (std::int64_t batch = 1; batch < 9; ++batch) {
                Bytes before;
                for (std::int64_t context = 1; context < 5'000; context += 37) {
                    core::Workload workload = scenario.workload;
                    workload.context = context;
                    workload.batch = batch;
                    const Bytes total = plan->reserve(workload).used();
                    QVERIFY(total >= before);
                    before = total;
                    ++workload.batch;
                    QVERIFY(plan->reserve(workload).used() >= total);
                }
            }
        }
    }

    /// need(n) fits, need(n + 1) does not.
    void limits_data() { monotone_data(); }
    void limits()
    {
        QFETCH(QString, model);
        for (const std::int64_t gpus : {1, 3}) {
            Scenario scenario = on(llama(model.toUtf8().constData(), 2'000, 2), "h100-sxm", gpus);
            scenario.weightBytes = core::gib(12);
            const auto plan = engines::plan(scenario);
            const core::Limits limits = tests::limitsOf(scenario);
            if (const auto context = limits.maxContext.value) {
                QVERIFY(plan->fits(core::withContext(scenario.workload, *context)));
                QVERIFY(!plan->fits(core::withContext(scenario.workload, *context + 1)));
            }
            core::Workload workload = scenario.workload;
            workload.batch = limits.maxBatch.value.value();
            QVERIFY(plan->fits(workload));
            ++workload.batch;
            QVERIFY(!plan->fits(workload) || *limits.maxBatch.value == 256);
            if (limits.crossover) {
                QVERIFY(plan->reserve(core::withContext(scenario.workload, *limits.crossover)).used() >= core::gib(12));
                QVERIFY(plan->reserve(core::withContext(scenario.workload, *limits.crossover - 1)).used() <
                        core::gib(12));
            }
        }
    }

    void curvesAreStaircases()
    {
        const Scenario scenario = llama("llama-3.1-8b", 8'192);
        const std::vector<core::CurvePoint> curve = core::growthCurve(core::assess(scenario), 10'000, 500);
        QVERIFY(curve.size() > 400);
        for (const core::CurvePoint& point : curve) {
            if (point.context > 0)
                QCOMPARE((point.cache + point.waste).count() % (256ll * 131'072), 0ll);
        }
    }

    /// Every sum of the derivation can be recomputed.
    void explained()
    {
        const core::Evaluation evaluation = core::assess(on(llama("gemma-3-27b", 131'072), "h100-sxm", 1));
        const core::Derivation derivation = core::explain(evaluation, core::Quantity::Waste);
        QVERIFY(derivation.steps.size() >= 4);
        for (const core::Step& step : derivation.steps) {
            Bytes sum;
            for (const core::Operand& operand : step.operands)
                sum += std::get<Bytes>(operand.value);
            QCOMPARE(sum, std::get<Bytes>(step.result));
        }
        QCOMPARE(std::get<Bytes>(derivation.steps.back().result), evaluation.footprint.waste.total());
    }
};

ROOM_TEST(TestLlama, void)
#include "test_llama.moc"
