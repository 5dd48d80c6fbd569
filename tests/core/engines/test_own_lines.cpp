// SPDX-License-Identifier: GPL-3.0-or-later
// The log that is predicted for a scenario, read again: every figure agrees, also when its settings are taken over.
#include "core/engines/engine.h"
#include "core/sizing/evaluate.h"
#include "tests/core/catalogue.h"
#include "tests/core/planned.h"
#include "tests/room.h"

#include <QTest>

using core::EngineId;
using core::Scenario;
namespace engines = core::engines;

Q_DECLARE_METATYPE(core::Scenario)

class TestOwnLines : public QObject {
    Q_OBJECT

private slots:
    void agree_data()
    {
        struct Flag {
            const char* name;
            const char* value;
        };
        QTest::addColumn<Scenario>("scenario");
        const auto row = [](const char* name, EngineId engine, const char* model, const char* version,
                            core::Parallelism ranks, const std::vector<Flag>& flags) {
            const std::int64_t count = ranks.tensor.value_or(1) * ranks.pipeline.value_or(1) * ranks.data.value_or(1);
            Scenario scenario = tests::on(tests::with(tests::scenarioOf(model), 8'192, 2), "h200-sxm", count);
            scenario.engine = engine;
            scenario.engineVersion = version;
            scenario.hardware.parallel = ranks;
            for (const Flag& flag : flags)
                scenario.settings.set(flag.name, flag.value);
            QTest::newRow(name) << scenario;
        };
        const auto vllm = EngineId::Vllm;
        row("vLLM V0", vllm, "llama-3.1-8b", "0.6.4", {}, {});
        row("vLLM by blocks", vllm, "llama-3.1-8b", "0.8.3", {}, {});
        row("vLLM by groups", vllm, "gemma-3-27b", "0.11", {}, {});
        row("vLLM with graphs", vllm, "gemma-3-27b", "0.22", {2, 1, 1}, {});
        row("vLLM of today", vllm, "gpt-oss-120b", "", {2, {}, {}}, {});
        row("vLLM's stages", vllm, "llama-3.1-8b", "", {2, 2, 1}, {});
        row("vLLM's copies", vllm, "llama-3.1-8b", "0.22", {1, 1, 2}, {});
        row("vLLM's states", vllm, "qwen3.5-27b", "", {}, {});
        row("vLLM's latents", vllm, "deepseek-v3.2", "", {8, {}, {}}, {});
        row("vLLM's given blocks", vllm, "llama-3.1-8b", "0.22", {}, {{"num-gpu-blocks-override", "1024"}});
        row("vLLM with drafts", vllm, "llama-3.1-8b", "", {}, {{"num-speculative-tokens", "3"}});
        const auto sglang = EngineId::Sglang;
        row("SGLang", sglang, "llama-3.1-8b", "", {2, 1, 1}, {});
        row("SGLang's windows", sglang, "gemma-3-27b", "", {2, {}, {}}, {});
        row("SGLang's states", sglang, "qwen3.5-27b", "", {}, {});
        row("SGLang's latents", sglang, "deepseek-v3.2", "", {8, {}, {}}, {{"page-size", "64"}});
        row("SGLang with drafts", sglang, "deepseek-v3", "", {8, {}, {}}, {{"num-speculative-tokens", "3"}});
        const auto trtllm = EngineId::TensorRtLlm;
        row("TensorRT-LLM", trtllm, "llama-3.1-8b", "", {2, 1, 1}, {});
        row("TensorRT-LLM before 1.0", trtllm, "llama-3.1-8b", "0.13", {}, {});
        row("TensorRT-LLM's stages", trtllm, "llama-3.1-8b", "", {1, 2, 1}, {});
        const auto llama = EngineId::LlamaCpp;
        row("llama.cpp", llama, "gemma-3-27b", "", {}, {});
        row("llama.cpp's latents", llama, "deepseek-v3", "", {}, {{"n-gpu-layers", "20"}});
        row("ik_llama.cpp", llama, "llama-3.1-8b", "ik-2026-09", {}, {});
    }
    void agree()
    {
        QFETCH(Scenario, scenario);
        for (const core::Bytes overhead : {core::Bytes(), core::gib(1)}) {
            scenario.overhead = overhead;
            QCOMPARE(core::check(scenario).size(), std::size_t{0});
            std::string text;
            for (const std::string& line : tests::described(scenario).log)
                text += line + '\n';
            const engines::EngineLog log = engines::readLog(text, scenario.engine);
            QCOMPARE(log.engine, scenario.engine);
            QVERIFY2(log.unknown.empty(), log.unknown.empty() ? "" : log.unknown.front().text.c_str());
            for (const Scenario& each : {scenario, engines::withLog(scenario, log)}) {
                QCOMPARE(core::check(each).size(), std::size_t{0});
                const std::vector<engines::LogComparison> rows = tests::compared(each, log);
                QVERIFY(rows.size() > 1);
                for (const engines::LogComparison& row : rows)
                    QVERIFY2(row.agrees, (row.figure + " " + row.printed + " " + row.predicted).c_str());
            }
        }
    }
};

ROOM_TEST(TestOwnLines, void)
#include "test_own_lines.moc"
