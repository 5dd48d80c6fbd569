// SPDX-License-Identifier: GPL-3.0-or-later
// Pasted logs: what is recognised, what is taken over, what is compared, what is left.
#include "core/engines/engine.h"
#include "core/engines/log.h"
#include "core/sizing/evaluate.h"
#include "tests/core/catalogue.h"
#include "tests/core/engines/decimal_commas.h"
#include "tests/core/engines/llama_case.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>

using core::Scenario;
namespace engines = core::engines;

namespace {

Scenario llama(const char* model)
{
    Scenario scenario = tests::scenarioOf(model);
    scenario.engine = core::EngineId::LlamaCpp;
    return scenario;
}

/// Lines as builds of all eras print them, in no order, with prefixes, colours, quotes and commas.
constexpr const char* kLines =
    "\x1B[32m0.01.234.567 I\x1B[0m llama_kv_cache: size =   96.00 MiB (  4096 cells,  12 layers,  1/1 seqs), K (f16):  "
    " 48.00 "
    "MiB, V (f16):   48.00 MiB\r\n"
    "> | llama_context: n_ubatch      = 512\n"
    "time=2026-05-20 level=INFO msg=\"llama_kv_cache_iswa: creating     SWA KV cache, size = 768 cells\"\n"
    "[2025-12-01 10:00:00] llama_memory_recurrent: size =   55,37 MiB (     1 cells,  40 layers,  1 seqs), R (f32):    "
    "1,37 "
    "MiB, S (f32):   54,00 MiB\n"
    "llama_kv_cache_init:      CUDA0 KV buffer size =   994.51 MiB\n"
    "llama_new_context_with_model: KV self size  = 4666.50 MiB, c^KV (q8_0): 4666.50 MiB, kv^T: not used\n"
    "print_info: n_layer          = 24\n"
    "llm_load_print_meta: model params     = 671.026 B\n"
    "print_info: file size   = 26.62 GiB (8.50 BPW)\n"
    "load_tensors: offloaded 33/33 layers to GPU\n"
    "llama_kv_cache_iswa: using full-size SWA cache (ref: a pull request)\n"
    "llama_new_context_with_model: kv self size  =  256.00 MB\n"
    "Once upon a time there was a cache.\n"
    "\n"
    "llama_context:  CUDA_Host  output buffer size =     0.58 MiB\n"
    "print_info: n_head_kv        = [0, 0, 8]\n"
    "llama_kv_cache_unified: kv_size = 4096, type_k = 'f16', type_v = 'f16', n_layer = 26, can_shift = 1, padding = "
    "32\n";

} // namespace

class TestLlamaLog : public QObject {
    Q_OBJECT

private slots:
    /// Points are read whatever the desktop's locale writes.
    void decimalCommas()
    {
        const tests::DecimalCommas commas;
        if (!commas.areSet())
            QSKIP("There is no locale de_DE.UTF-8.");
        const engines::EngineLog log = engines::readLog(
            "llama_kv_cache: size = 1024.00 MiB ( 8192 cells,  32 layers,  1/1 seqs), K (f16):  512.25 MiB, V (f16): "
            "511.75 MiB\n");
        Scenario scenario = llama("llama-3.1-8b");
        scenario.workload.context = 8'192;
        const auto rows = tests::compared(scenario, log);
        for (const char* difference : {"-0.25", "+0.25"})
            QVERIFY(std::ranges::count(rows, difference, &engines::LogComparison::difference) == 1);
    }

    void recognised()
    {
        const engines::EngineLog log = engines::readLog(kLines);
        QCOMPARE(log.caches.size(), std::size_t{4});
        const engines::LogCache& kv = log.caches[0];
        QCOMPARE(kv.cells, std::optional<std::int64_t>(4'096));
        QCOMPARE(kv.layers, std::optional<std::int64_t>(12));
        QCOMPARE(kv.sequences, std::optional<std::int64_t>(1));
        QCOMPARE(kv.streams, std::optional<std::int64_t>(1));
        QCOMPARE(kv.k, std::string("48.00"));
        QCOMPARE(kv.kType, std::string("f16"));
        const engines::LogCache& state = log.caches[1];
        QVERIFY(state.isState);
        QCOMPARE(state.total, std::string("55.37"));
        QCOMPARE(state.v, std::string("54.00"));
        const engines::LogCache& latent = log.caches[2];
        QVERIFY(latent.isLatent);
        QCOMPARE(latent.k, std::string("4666.50"));
        QCOMPARE(latent.v, std::string("0.00"));
        QCOMPARE(log.caches[3].total, std::string("256.00"));
        const auto value = [&](const char* key) { return log.find(key) != nullptr ? *log.find(key) : std::string(); };
        QCOMPARE(value("n_ubatch"), std::string("512"));
        QCOMPARE(value("CUDA0 KV buffer"), std::string("994.51"));
        QCOMPARE(value("CUDA_Host output buffer"), std::string("0.58"));
        QCOMPARE(value("model params"), std::string("671.026 B"));
        QCOMPARE(value("file size"), std::string("26.62 GiB (8.50 BPW)"));
        QCOMPARE(value("n_gpu_layers"), std::string("all"));
        QCOMPARE(value("swa_full"), std::string("1"));
        QCOMPARE(value("n_head_kv"), std::string("[0, 0, 8]"));
        QCOMPARE(value("type_k"), std::string("f16"));
        QCOMPARE(log.unknown.size(), std::size_t{1});
        QCOMPARE(log.unknown.front().line, std::int64_t{13});
        QCOMPARE(log.unknown.front().text, std::string("Once upon a time there was a cache."));
    }

    /// What we predict is what we read: the log of each case explains itself.
    void ownLines_data()
    {
        QTest::addColumn<int>("place");
        const auto rows = tableRows(TESTS_DATA_DIR "/engines/llama_logs.tsv");
        for (std::size_t i = 0; i < rows.size(); ++i)
            QTest::addRow("%s %s", qPrintable(rows[i].at("id")), qPrintable(rows[i].at("part"))) << static_cast<int>(i);
    }

    void ownLines()
    {
        QFETCH(int, place);
        const auto rows = tableRows(TESTS_DATA_DIR "/engines/llama_logs.tsv");
        const Scenario scenario = llamaScenario(rows[static_cast<std::size_t>(place)]);
        const engines::Reservation reservation = engines::reserve(scenario);
        std::string text;
        for (const std::string& line : tests::described(scenario).log)
            text += line + '\n';
        const engines::EngineLog log = engines::readLog(text);
        QVERIFY2(log.unknown.empty(), log.unknown.empty() ? "" : log.unknown.front().text.c_str());
        QCOMPARE(log.caches.size(), reservation.partCount);
        const auto comparison = tests::compared(scenario, log);
        QVERIFY(comparison.size() >= reservation.partCount);
        for (const engines::LogComparison& row : comparison)
            QVERIFY2(row.agrees, (row.figure + ": " + row.printed + ", predicted " + row.predicted).c_str());
        // Taken over, the log's settings give the same again.
        const Scenario taken = engines::withLog(scenario, log);
        for (const engines::LogComparison& row : tests::compared(taken, log))
            QVERIFY2(row.agrees, (row.figure + ": " + row.printed + ", taken over " + row.predicted).c_str());
    }

    /// The buffer of each cache at each device, in whatever order the lines come.
    void buffersOfDevices()
    {
        Scenario scenario = tests::on(llama("gemma-3-27b"), "rtx-4090", 2);
        scenario.workload.context = 131'072;
        scenario.settings.set("tensor-split", "3,1");
        // 63 layers count, the output as the last: of 62, the first 48 are on the first GPU, where 8 of the 10 full
        // ones are, of 1,024 MiB each, and 40 of the 52 windows, of 12 MiB each.
        const auto rows = tests::compared(scenario, engines::readLog("x: CUDA1 KV buffer size = 144.00 MiB\n"
                                                                     "x: CUDA0 KV buffer size = 480.00 MiB\n"
                                                                     "x: CUDA0 KV buffer size = 8192.03 MiB\n"
                                                                     "x: CUDA1 KV buffer size = 2048.00 MiB\n"
                                                                     "x: CUDA2 KV buffer size = 1.00 MiB\n"));
        QCOMPARE(rows.size(), std::size_t{4});
        for (const std::size_t good : {0U, 1U, 3U})
            QVERIFY2(rows[good].agrees, (rows[good].figure + " is " + rows[good].predicted).c_str());
        QCOMPARE(rows[2].figure, std::string("CUDA0 KV buffer"));
        QCOMPARE(rows[2].predicted, std::string("8192.00"));
        QVERIFY(core::english(rows[2].cause).find("alignment") != std::string::npos);
    }

    void takenOver()
    {
        const engines::EngineLog log =
            engines::readLog("llama_context: n_seq_max     = 4\n"
                             "llama_context: n_ctx         = 65538\n"
                             "llama_context: n_batch       = 1024\n"
                             "llama_context: n_ubatch      = 256\n"
                             "llama_context: flash_attn    = disabled\n"
                             "llama_context: kv_unified    = true\n"
                             "llama_kv_cache: size = 1.00 MiB ( 65538 cells,  1 layers,  4/1 seqs), K "
                             "(q8_0): 0.50 MiB, V (f16): 0.50 MiB\n");
        const Scenario scenario = engines::withLog(tests::scenarioOf("llama-3.1-8b"), log);
        QCOMPARE(scenario.engine, core::EngineId::LlamaCpp);
        QCOMPARE(scenario.workload.batch, std::int64_t{4});
        QCOMPARE(scenario.workload.context, std::int64_t{16'384});
        QCOMPARE(scenario.workload.spareTokens, std::int64_t{2});
        QCOMPARE(scenario.kFormat, core::KvFormat::Q8_0);
        QCOMPARE(scenario.vFormat, core::KvFormat::Fp16);
        for (const auto& [flag, value] : {std::pair("batch-size", "1024"), std::pair("ubatch-size", "256"),
                                          std::pair("flash-attn", "off"), std::pair("kv-unified", "on")}) {
            QVERIFY(scenario.settings.find(flag) != nullptr);
            QCOMPARE(*scenario.settings.find(flag), std::string(value));
        }
        const Scenario automatic =
            engines::withLog(scenario, engines::readLog("llama_context: flash_attn    = auto\n"));
        QVERIFY(automatic.settings.find("flash-attn") == nullptr);
        const engines::EngineLog ik = engines::readLog("llama_new_context_with_model: mla_attn   = 3\n");
        QVERIFY(engines::withLog(tests::scenarioOf("deepseek-r1"), ik).engineVersion.starts_with("ik-"));
    }

    void causes_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        // gpt-oss-20b at 4,096 tokens, as other settings, builds and models print it.
        const auto row = [](const char* name, const char* line, const char* says) {
            QTest::addRow("%s", name) << line << says;
        };
        row("whole windows",
            "llama_kv_cache: size = 96.00 MiB ( 4096 cells, 12 layers, 1/1 seqs), K (f16): 48.00 MiB, V (f16): 48.00 "
            "MiB\n"
            "llama_kv_cache: size = 96.00 MiB ( 4096 cells, 12 layers, 1/1 seqs), K (f16): 48.00 MiB, V (f16): 48.00 "
            "MiB\n",
            "swa-full = on");
        row("an older build",
            "llama_kv_cache: size = 15.00 MiB ( 640 cells, 12 layers, 1/1 seqs), K (f16): 7.50 MiB, V (f16): 7.50 "
            "MiB\n",
            "build");
        row("another context",
            "llama_kv_cache: size = 192.00 MiB ( 8192 cells, 12 layers, 1/1 seqs), K (f16): 96.00 MiB, V (f16): 96.00 "
            "MiB\n",
            "take them over");
        row("another model",
            "print_info: n_layer = 36\nllama_kv_cache: size = 144.00 MiB ( 4096 cells, 18 layers, 1/1 seqs), K "
            "(f16): 72.00 MiB, V (f16): 72.00 MiB\n",
            "another model");
    }

    void causes()
    {
        QFETCH(QString, line);
        QFETCH(QString, says);
        Scenario scenario = llama("gpt-oss-20b");
        scenario.workload.context = 4'096;
        const auto rows = tests::compared(scenario, engines::readLog(line.toStdString()));
        const auto differs =
            std::find_if(rows.rbegin(), rows.rend(), [](const engines::LogComparison& row) { return !row.agrees; });
        QVERIFY(differs != rows.rend());
        const QString sentence = QString::fromStdString(core::english(differs->cause));
        QVERIFY2(sentence.contains(says), qPrintable(sentence));
    }

    void hostileText()
    {
        for (const char* text : {"", "\n\n", "size = MiB cells layers seqs", "KV self size  = ", "K (",
                                 "n_ctx =", "n_ctx = 99999999999999999999999", "\x1B[",
                                 "size = 1.00 MiB (99999999999999999999 cells, -1 layers, "
                                 "a/b seqs), K (: , V )",
                                 "offloaded /3 layers", "offloaded 99999999999999999999/3 layers"}) {
            const engines::EngineLog log = engines::readLog(text);
            const Scenario taken = engines::withLog(llama("llama-3.1-8b"), log);
            tests::compared(taken, log);
        }
        engines::readLog(std::string(1'000'000, '('));
    }
};

ROOM_TEST(TestLlamaLog, void)
#include "test_llama_log.moc"
