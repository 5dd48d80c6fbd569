// SPDX-License-Identifier: GPL-3.0-or-later
// SGLang: pools of tokens, windows and states, their ratios and spare slots, ranks, laws.
#include "core/engines/engine.h"
#include "core/engines/sglang/sglang.h"
#include "core/sizing/limits.h"
#include "tests/core/catalogue.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>

using core::Bytes;
using core::Scenario;
using core::WasteCause;
namespace engines = core::engines;

namespace {

Scenario sglang(const char* model, std::int64_t context, std::int64_t batch = 1)
{
    Scenario scenario = tests::with(tests::scenarioOf(model), context, batch);
    scenario.engine = core::EngineId::Sglang;
    return scenario;
}

Scenario with(Scenario scenario, const char* flag, const char* value)
{
    scenario.settings.set(flag, value);
    return scenario;
}

Scenario pool(Scenario scenario, Bytes memory)
{
    scenario.cacheMemory = memory;
    return scenario;
}

const engines::CachePart* part(const engines::Reservation& reservation, std::string_view kind)
{
    const auto parts = reservation.caches();
    const auto found = std::ranges::find(parts, kind, &engines::CachePart::kind);
    return found == parts.end() ? nullptr : &*found;
}

} // namespace

class TestSglang : public QObject {
    Q_OBJECT

private slots:
    /// One page more than tokens: 65.49 GiB where 65.48 are in use.
    void sparePage()
    {
        Scenario scenario =
            with(with(sglang("deepseek-v3.2", 8'192), "max-total-tokens", "1462784"), "page-size", "64");
        scenario.kFormat = scenario.vFormat = core::KvFormat::Fp8;
        const engines::Reservation reservation = engines::reserve(scenario);
        QCOMPARE(part(reservation, "kv")->k, Bytes((1'462'784ll + 64) * 61 * 788));
        QVERIFY(part(reservation, "index") == nullptr);
        scenario.engineVersion = "0.5.2"; // printed without index keys
        QCOMPARE(part(engines::reserve(scenario), "kv")->k, Bytes((1'462'784ll + 64) * 61 * 656));
        QCOMPARE(part(engines::reserve(scenario), "index")->k, Bytes((1'462'784ll + 64) * 61 * 132));
        scenario.engineVersion = "2025-10"; // the month of the change: both are about
        QVERIFY(part(engines::reserve(scenario), "index") == nullptr);
        QVERIFY(part(engines::reserve(with(scenario, "indexer-in-log", "off")), "index") != nullptr);
    }

    /// Layers that share a cache in the model have one each here: 35 and 7 of Gemma 4 E4B.
    void sharedLayersCost()
    {
        const engines::Reservation reservation =
            engines::reserve(with(sglang("gemma-4-e4b", 8'192), "max-total-tokens", "805556"));
        QCOMPARE(part(reservation, "kv_full")->layers, std::int64_t{7});
        QCOMPARE(part(reservation, "kv_swa")->layers, std::int64_t{35});
        QCOMPARE(part(reservation, "kv_swa")->cells, std::int64_t{644'444});
    }

    /// full = M / (F · n_full + r · S · n_swa), windows r · full.
    void windowPool()
    {
        const Scenario scenario = pool(sglang("gpt-oss-120b", 8'192), core::gib(10));
        const engines::Reservation reservation = engines::reserve(scenario);
        const std::int64_t cell = 18 * 2'048 * 18 / 10; // 18 layers and 0.8 · 18 layers of 2,048 bytes
        QCOMPARE(part(reservation, "kv_full")->cells, core::gib(10).count() / cell);
        QCOMPARE(part(reservation, "kv_swa")->cells, part(reservation, "kv_full")->cells * 8 / 10);
        const engines::Reservation whole = engines::reserve(with(scenario, "disable-hybrid-swa-memory", "on"));
        QCOMPARE(part(whole, "kv")->cells, core::gib(10).count() / (36 * 2'048));
    }

    /// Memory of states and of tokens are as 0.9 to 1; a running request takes three states.
    void statePool()
    {
        const Scenario scenario = pool(sglang("qwen3.5-27b", 8'192, 4), core::gib(19));
        const engines::Reservation reservation = engines::reserve(scenario);
        const Bytes state((30'720ll * 2 + 786'432ll * 4) * 48);
        QCOMPARE(part(reservation, "state")->cells, core::gib(9).count() / state.count());
        QCOMPARE(part(reservation, "kv")->cells, core::gib(10).count() / 65'536);
        QCOMPARE(part(reservation, "state")->bytes(), state * (part(reservation, "state")->cells + 1));
        const std::int64_t most = tests::limitsOf(scenario).maxBatch.value.value();
        QCOMPARE(most, std::min(part(reservation, "state")->cells / 3, part(reservation, "kv")->cells / 8'192));
        QVERIFY(tests::limitsOf(with(scenario, "disable-radix-cache", "on")).maxBatch.value.value() >= most);
        QCOMPARE(part(engines::reserve(with(scenario, "max-mamba-cache-size", "30")), "kv")->cells,
                 (core::gib(19) - state * 30).count() / 65'536);
    }

    /// Drafts keep a state of each running request for each token, set aside before the pools are divided; they have a
    /// pool of as many tokens.
    void draftsBesideStates()
    {
        const Scenario scenario =
            with(pool(sglang("qwen3.5-27b", 8'192, 2), core::gib(40)), "max-running-requests", "4");
        const Scenario drafting = with(scenario, "num-speculative-tokens", "3");
        const Bytes state((30'720ll * 2 + 786'432ll * 4) * 48);
        const engines::Reservation plain = engines::reserve(scenario);
        const engines::Reservation reservation = engines::reserve(drafting);
        const Bytes left = core::gib(40) - state * 12;
        QCOMPARE(part(reservation, "state")->cells, (left - core::scaledUp(left, 10, 19)).count() / state.count());
        QVERIFY(part(reservation, "state")->cells < part(plain, "state")->cells);
        QCOMPARE(part(reservation, "draft")->cells, part(reservation, "kv")->cells);
        QVERIFY(reservation.pool->needed >= plain.pool->needed + state * 12);
        // Without a limit they are those of the requests there are.
        Scenario free = with(pool(sglang("qwen3.5-27b", 8'192, 2), core::gib(40)), "num-speculative-tokens", "3");
        QCOMPARE(part(engines::reserve(free), "state")->cells, part(plain, "state")->cells);
        const Bytes two = engines::reserve(free).waste().of(core::WasteCause::Speculation);
        free.workload.batch = 4;
        QVERIFY(engines::reserve(free).waste().of(core::WasteCause::Speculation) >= two + state * 6);
        QVERIFY(tests::described(drafting).command.find(
                    "--speculative-algorithm EAGLE --speculative-num-steps 2 --speculative-eagle-topk 1 "
                    "--speculative-num-draft-tokens 3") != std::string::npos);
    }

    /// What is needed is that of one device, however many are told apart.
    void manyDevices()
    {
        Scenario scenario = sglang("llama-3.1-8b", 8'192);
        for (const std::int64_t replicas : {1, 8}) {
            scenario.workload.batch = replicas;
            scenario.hardware.parallel = {4, 1, replicas};
            scenario.hardware.count = 4 * replicas;
            QCOMPARE(engines::reserve(scenario).pool->needed, core::mib(256));
        }
    }

    /// The ranks of one model are replicas: nothing of the cache is divided.
    void dataParallelAttention()
    {
        Scenario scenario = sglang("llama-3.1-8b", 8'192, 8);
        scenario.hardware.parallel = {8, std::nullopt, 8};
        scenario.hardware.count = 8;
        const engines::Reservation reservation = engines::reserve(scenario);
        QCOMPARE(reservation.deviceCount, std::size_t{8});
        QCOMPARE(reservation.used(), Bytes(8ll * 8'192 * 131'072));
        QVERIFY(reservation.devices[3].used == Bytes(8'192ll * 131'072));
        QVERIFY(reservation.devices[3].weights < core::gib(8));
    }

    /// A slot of a token is one of all layers: those of cross attention have more than the encoder's tokens.
    void crossAttention()
    {
        Scenario scenario = sglang("whisper-large-v3", 4'096, 8);
        const core::Waste waste = engines::reserve(scenario).waste();
        QVERIFY(waste.of(WasteCause::PagePadding) > Bytes());
        QCOMPARE(waste.of(WasteCause::PartialBlock), Bytes());
    }

    void lines()
    {
        const engines::EngineLog log =
            engines::readLog("[TP0] Mamba Cache is allocated. max_mamba_cache_size: 8, conv_state size: 0.00 GB, "
                             "ssm_state size: 0.10 GB\n"
                             "[TP0] KV Cache is allocated. #tokens: 1557504, K size: 2.23 GB, V size: 2.23 GB\n"
                             "[TP0] Memory pool end. avail mem=3.39 GB\n");
        QCOMPARE(log.engine, core::EngineId::Sglang);
        QVERIFY(log.unknown.empty());
        Scenario scenario = engines::withLog(tests::scenarioOf("nemotron-3-nano-30b-a3b"), log);
        scenario.hardware.parallel.tensor = 4;
        scenario.hardware.count = 4;
        const std::vector<engines::LogComparison> rows = tests::compared(scenario, log);
        QVERIFY(rows.size() >= 5); // slots, two sizes of states, K and V
        for (const engines::LogComparison& row : rows)
            QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
    }

    /// A server's arguments and what it allocates: ranks that share the weights, drafts, format, release.
    void arguments()
    {
        const engines::EngineLog log = engines::readLog(
            "sglang: 0.5.4.post3\n"
            "[2025-11-06 01:22:00] server_args=ServerArgs(model_path='x', dtype='auto', kv_cache_dtype='auto', "
            "mem_fraction_static=0.835, max_total_tokens=None, page_size=64, tp_size=8, moe_dp_size=2, pp_size=1, "
            "dp_size=4, speculative_algorithm='EAGLE', speculative_num_steps=3, speculative_eagle_topk=1, "
            "speculative_num_draft_tokens=4, disable_radix_cache=True, enable_dp_attention=True, "
            "enable_dp_lm_head=False)\n"
            "[2025-11-06 01:23:00 DP0 TP0] KV Cache is allocated. dtype: torch.float8_e4m3fn, #tokens: 9216, "
            "K size: 0.07 GB, V size: 0.07 GB\n");
        QCOMPARE(log.engine, core::EngineId::Sglang);
        QVERIFY(log.unknown.empty());
        const Scenario scenario = engines::withLog(tests::scenarioOf("llama-3.1-8b"), log);
        QCOMPARE(scenario.engineVersion, std::string("0.5.4.post3"));
        QCOMPARE(scenario.hardware.count, std::int64_t{8});
        QCOMPARE(scenario.hardware.parallel.data, std::optional<std::int64_t>(4));
        QCOMPARE(*scenario.settings.find("enable-dp-attention"), std::string("on"));
        QCOMPARE(*scenario.settings.find("num-speculative-tokens"), std::string("4"));
        QCOMPARE(*scenario.settings.find("disable-radix-cache"), std::string("on"));
        QCOMPARE(scenario.kFormat, core::KvFormat::Fp8);
        QVERIFY(core::check(scenario).empty());
        // Replicas of their own where they share nothing.
        const Scenario copies = engines::withLog(
            scenario, engines::readLog("server_args=ServerArgs(tp_size=2, dp_size=3, enable_dp_attention=False)\n"
                                       "KV Cache is allocated. dtype: torch.bfloat16, #tokens: 9216, K size: 0.56 GB, "
                                       "V size: 0.56 GB\n"));
        QCOMPARE(copies.hardware.count, std::int64_t{6});
        QVERIFY(copies.settings.find("enable-dp-attention") == nullptr);
        QCOMPARE(copies.kFormat, core::KvFormat::Bf16);
    }

    /// Every rank prints all pools: each of its lines is of another one.
    void linesOfRanks()
    {
        const auto line = [](const char* rank, const char* tokens, const char* size) {
            return std::string("[2025-11-06 01:23:00 ") + rank + "] KV Cache is allocated. #tokens: " + tokens +
                   ", K size: " + size + " GB, V size: " + size + " GB\n";
        };
        Scenario scenario = sglang("gemma-3-27b", 131'072);
        scenario.hardware.parallel.tensor = scenario.hardware.count = 2;
        scenario.settings.set("max-total-tokens", "131072");
        // 131,072 · 10 layers · 8 heads · 128 · 2 B = 2.50 GiB of K, and 0.8 · 131,072 tokens of 52 window layers.
        const std::string windows = "104857";
        for (const char* format : {"TP0", "DP0 TP0"}) {
            const std::string first(format);
            const std::string second = first.substr(0, first.size() - 1) + "1";
            const auto rows =
                tests::compared(scenario, engines::readLog(line(first.c_str(), windows.c_str(), "10.40") +
                                                           line(second.c_str(), windows.c_str(), "10.40") +
                                                           line(first.c_str(), "131072", "2.50") +
                                                           line(second.c_str(), "131072", "2.50")));
            QCOMPARE(rows.size(), std::size_t{12});
            for (const engines::LogComparison& row : rows)
                QVERIFY2(row.agrees, (row.figure + " " + row.predicted).c_str());
        }
    }

    /// Llama-3.1-8B has 16,060,522,496 bytes of weights in 16 bits: 14.96 GiB. The engine counts a little more.
    void weights()
    {
        const auto rowOf = [](const char* size, core::WeightFormat format) {
            Scenario scenario = sglang("llama-3.1-8b", 8'192);
            scenario.weightFormat = format;
            const auto rows = tests::compared(
                scenario, engines::readLog(std::string("KV Cache is allocated. #tokens: 100, K size: 0.01 GB, V size: "
                                                       "0.01 GB\nLoad weight end. type=LlamaForCausalLM, avail mem=") +
                                           "62.1 GB, mem usage=" + size + " GB.\n"));
            return rows.back();
        };
        QCOMPARE(rowOf("15.08", core::WeightFormat::Bf16).predicted, std::string("14.96"));
        QVERIFY(rowOf("15.08", core::WeightFormat::Bf16).agrees);
        QVERIFY(!rowOf("15.20", core::WeightFormat::Bf16).agrees);
        QVERIFY(!rowOf("15.08", core::WeightFormat::Fp8).agrees);
    }

    void releases_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<int>("month"); // 0: no version
        const auto row = [](const char* text, int month) { QTest::newRow(text) << text << month; };
        row("0.5.4.post3", 202'510);
        row("0.5", 202'508);
        row("0.4.9", 202'412);
        row("0.4.150", 202'412);
        row("0.3.999", 202'401);
        row("0.1000", 0);
        row("0.4.1000", 0);
        row("0.9000000000000000000.1", 0);
        row("0.4.99999999999999999999", 0);
        row("2025-10", 202'510);
    }
    void releases()
    {
        QFETCH(QString, text);
        QFETCH(int, month);
        QCOMPARE(engines::sglang::month(text.toStdString()).value_or(0), month);
    }

    void command()
    {
        Scenario scenario = with(sglang("llama-3.1-8b", 8'192), "mem-fraction-static", "0.9");
        scenario.hardware.count = 2;
        scenario.kFormat = scenario.vFormat = core::KvFormat::Fp8;
        QCOMPARE(tests::described(scenario).command,
                 std::string("python -m sglang.launch_server --model-path MODEL --context-length 8192 --tp-size 2 "
                             "--kv-cache-dtype fp8_e4m3 --mem-fraction-static 0.9"));
        scenario = with(sglang("qwen3.5-27b", 8'192), "mamba-ssm-dtype", "fp32");
        QVERIFY(tests::described(scenario).command.ends_with("--mamba-ssm-dtype float32"));
        scenario = with(sglang("llama-3.1-8b", 8'192), "max-total-tokens", "100K");
        QVERIFY(tests::described(scenario).command.ends_with("--max-total-tokens 102400"));
    }

    void laws_data()
    {
        QTest::addColumn<QString>("model");
        for (const char* model : {"llama-3.1-8b", "gpt-oss-20b", "gemma-4-e4b", "qwen3.5-27b", "deepseek-v3.2",
                                  "whisper-large-v3", "mamba2-2.7b"})
            QTest::addRow("%s", model) << model;
    }
    void laws()
    {
        QFETCH(QString, model);
        const Scenario scenario = pool(sglang(model.toUtf8().constData(), 2'000, 2), core::gib(12));
        QVERIFY(core::check(scenario).empty());
        const auto plan = engines::plan(scenario);
        for (std::int64_t batch = 1; batch < 5; ++batch) {
            Bytes before;
            for (std::int64_t context = 1; context < 9'000; context += 97) {
                core::Workload workload = scenario.workload;
                workload.context = context;
                workload.batch = batch;
                QVERIFY(plan->reserve(workload).used() >= before);
                before = plan->reserve(workload).used();
                ++workload.batch;
                QVERIFY(plan->reserve(workload).used() >= before);
            }
        }
        const core::Limits limits = tests::limitsOf(scenario);
        core::Workload workload = scenario.workload;
        workload.batch = limits.maxBatch.value.value();
        QVERIFY(plan->fits(workload));
        ++workload.batch;
        QVERIFY(!plan->fits(workload));
        if (const auto context = limits.maxContext.value) {
            QVERIFY(plan->fits(core::withContext(scenario.workload, *context)));
            QVERIFY(!plan->fits(core::withContext(scenario.workload, *context + 1)));
        }
    }
};

ROOM_TEST(TestSglang, void)
#include "test_sglang.moc"
