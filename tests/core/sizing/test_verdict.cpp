// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sizing/verdict.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::gib;
using core::MemoryBasis;
using core::Outcome;
using core::Scenario;
using core::Verdict;

namespace {

Verdict verdictOf(const Scenario& scenario)
{
    return core::verdictOf(core::assess(scenario));
}

QString text(const core::Message& message)
{
    return QString::fromStdString(core::english(message));
}

QString notes(const Verdict& verdict)
{
    QStringList all;
    for (const core::Message& note : verdict.notes)
        all << text(note);
    return all.join(QLatin1String("; "));
}

Scenario llama8B(std::int64_t context, std::int64_t batch)
{
    return tests::with(tests::scenarioOf("llama-3.1-8b"), context, batch);
}

Scenario onBasis(Scenario scenario, MemoryBasis basis)
{
    scenario.hardware.basis = basis;
    return scenario;
}

/// The issue's Qwen2.5-32B with weights of 18 GiB on two cards of 24 GiB.
Scenario qwenOnTwo3090()
{
    Scenario scenario = tests::on(tests::scenarioOf("qwen2.5-32b"), "rtx-3090", 2);
    scenario.weightBytes = gib(18);
    return scenario;
}

} // namespace

Q_DECLARE_METATYPE(core::Scenario)

class TestVerdict : public QObject {
    Q_OBJECT

private slots:
    void fits()
    {
        const Verdict verdict = verdictOf(tests::onTyped(llama8B(8'192, 4), gib(24)));
        QCOMPARE(verdict.outcome, Outcome::Fits);
        QCOMPARE(text(verdict.word), QStringLiteral("Fits"));
        // 14.957 + 4 GiB; 9.04 requests; 74,075.9 tokens for one request, a quarter for four.
        QCOMPARE(
            text(verdict.sentence),
            QStringLiteral("18.96 GiB of 24.00 GiB used, 5.04 GiB free: batch up to 9 at this context, or context up "
                           "to 18,518 with this batch."));
    }

    void over()
    {
        const Verdict verdict = verdictOf(tests::onTyped(llama8B(8'192, 16), gib(24)));
        QCOMPARE(verdict.outcome, Outcome::Over);
        QCOMPARE(text(verdict.word), QStringLiteral("Over by 6.96 GiB"));
        // A sixteenth of 74,075.9 tokens.
        QCOMPARE(
            text(verdict.sentence),
            QStringLiteral("30.96 GiB needed, 24.00 GiB there. Fits with batch up to 9, or with context up to 4,629."));
    }

    void overInOneWay()
    {
        // 128K of one request is 16 GiB.
        QCOMPARE(
            text(verdictOf(tests::onTyped(llama8B(131'072, 1), gib(24))).sentence),
            QStringLiteral("30.96 GiB needed, 24.00 GiB there. Fits with context up to 74,075; at this context not one "
                           "request fits."));
        // Two requests of 1 GiB; 65,536 requests of one token are 8 GiB already.
        const Scenario many = tests::onTyped(llama8B(8'192, 65'536), Bytes(16'060'522'496) + gib(2));
        QCOMPARE(
            text(verdictOf(many).sentence),
            QStringLiteral("65,550.96 GiB needed, 16.96 GiB there. Fits with batch up to 2; at this batch no context "
                           "fits."));
    }

    /// llama.cpp fills each GPU by itself: figures and limits are those of the fullest.
    void devicesToldApart()
    {
        Scenario scenario = tests::on(tests::scenarioOf("llama-3.1-8b"), "rtx-4090", 2);
        scenario.engine = core::EngineId::LlamaCpp;
        scenario.settings.set("tensor-split", "1,0");
        scenario.workload.batch = 16; // 16 GiB of cache and all weights but the embedding on one GPU
        const core::Footprint footprint = tests::footprintOf(scenario);
        const core::DeviceFootprint& first = footprint.devices.front();
        QVERIFY(*first.free() < Bytes());
        Verdict verdict = verdictOf(scenario);
        QCOMPARE(verdict.outcome, Outcome::Over);
        const QString figures = QString::fromStdString(core::formatBytes(first.parts.total())) +
                                QStringLiteral(" needed, 23.64 GiB there.");
        QVERIFY2(text(verdict.sentence).startsWith(figures), qPrintable(text(verdict.sentence)));
        QVERIFY(text(verdict.sentence).contains(QLatin1String("Fits with batch up to ")));
        const auto notes = [&] {
            QString all;
            for (const core::Message& note : verdict.notes)
                all += text(note) + QStringLiteral("; ");
            return all;
        };
        QVERIFY2(
            notes().contains(QLatin1String("GeForce RTX 4090 #0 is the fullest of 2 GPUs; their memory is not pooled")),
            qPrintable(notes()));
        Scenario alike = scenario;
        alike.engine = core::EngineId::Vllm; // by its ranks all hold as much
        alike.settings = {};
        QVERIFY(text(verdictOf(alike).notes.at(1))
                    .endsWith(QLatin1String("each of 2 GPUs holds as much; their memory is not pooled")));
        scenario.weightBytes = gib(60); // where nothing fits no batch is offered
        verdict = verdictOf(scenario);
        QVERIFY2(text(verdict.sentence).endsWith(QLatin1String("leave no room.")), qPrintable(text(verdict.sentence)));
    }

    void nothingFits()
    {
        const Verdict verdict = verdictOf(tests::onTyped(llama8B(8'192, 1), gib(6)));
        QCOMPARE(verdict.outcome, Outcome::Over);
        QCOMPARE(
            text(verdict.sentence),
            QStringLiteral("15.96 GiB needed, 6.00 GiB there. Before any cache the weights of 14.96 GiB, with overhead "
                           "and reserve, leave no room."));
        // Weights alone would fit; neither one request of this length nor so many of any length do.
        const Verdict tight = verdictOf(tests::onTyped(llama8B(131'072, 65'536), gib(16)));
        QVERIFY(text(tight.sentence).endsWith(QLatin1String("Not one request fits at this context or batch.")));
    }

    void noGrowth()
    {
        const Scenario windowed = tests::onTyped(tests::scenarioOf("mistral-7b-v0.1"), gib(24));
        QVERIFY(
            text(verdictOf(windowed).sentence).endsWith(QLatin1String("the cache no longer grows with the context.")));
        Scenario none = tests::onTyped(llama8B(8'192, 1), gib(24));
        none.model.groups.front().kind = core::CacheKind::None;
        QCOMPARE(text(verdictOf(none).sentence),
                 QStringLiteral("14.96 GiB of 24.00 GiB used, 9.04 GiB free; this model keeps no cache."));
    }

    void noCapacity()
    {
        const Verdict verdict = verdictOf(llama8B(8'192, 1));
        QCOMPARE(verdict.outcome, Outcome::NoCapacity);
        QCOMPARE(text(verdict.sentence),
                 QStringLiteral("15.96 GiB needed. Choose hardware or type a size to see whether it fits."));
        QCOMPARE(notes(verdict), QString());
        // A lesson that locks the hardware does not ask for it.
        QCOMPARE(text(core::verdictOf(core::assess(llama8B(8'192, 1)), false).sentence),
                 QStringLiteral("15.96 GiB needed."));
    }

    /// Without hardware a pool that is given is what there is: 1,952 blocks of 16 tokens and 2 MiB.
    void poolAlone()
    {
        Scenario scenario = llama8B(20'000, 1);
        scenario.engine = core::EngineId::Vllm;
        scenario.cacheMemory = Bytes(4'093'640'704); // 3.8125 GiB
        const Verdict one = verdictOf(scenario);
        QCOMPARE(one.outcome, Outcome::Fits);
        QCOMPARE(
            text(one.sentence),
            QStringLiteral("2.44 GiB of 3.81 GiB used, 1.37 GiB free: batch up to 1 at this context, or context up "
                           "to 31,232 with this batch."));
        QCOMPARE(notes(one),
                 QStringLiteral("of the 3.81 GiB given for the cache; without hardware, weights are not compared"));
        scenario.workload.batch = 2;
        const Verdict two = verdictOf(scenario);
        QCOMPARE(text(two.word), QStringLiteral("Over by 1.07 GiB"));
        QCOMPARE(text(two.sentence), QStringLiteral("4.88 GiB needed, 3.81 GiB there. Fits with batch up to 1, or with "
                                                    "context up to 15,616."));
    }

    /// A pool that is given is what there is, however much memory is beside it.
    void poolOnGpu()
    {
        Scenario scenario = tests::onTyped(llama8B(8'192, 4), gib(80));
        scenario.engine = core::EngineId::Vllm;
        scenario.cacheMemory = gib(1);
        const Verdict over = verdictOf(scenario);
        QCOMPARE(text(over.sentence),
                 QStringLiteral("4.00 GiB needed, 1.00 GiB there. Fits with batch up to 1, or with context up to "
                                "2,048."));
        QVERIFY2(notes(over).contains(QLatin1String("of the 1.00 GiB given for the cache of each GPU")),
                 qPrintable(notes(over)));
        scenario.hardware.typed = gib(12); // here the weights are too large already
        QVERIFY(text(verdictOf(scenario).sentence).contains(QLatin1String(" needed, 12.00 GiB there. ")));
    }

    /// A setting that is wrong is named.
    void wrongSetting()
    {
        Scenario scenario = llama8B(8'192, 1);
        scenario.engine = core::EngineId::Vllm;
        scenario.settings.set("graph-memory", "zz");
        QCOMPARE(text(verdictOf(scenario).word), QStringLiteral("Cannot be sized: graph-memory"));
    }

    void issues()
    {
        const Verdict verdict = verdictOf(llama8B(0, 1));
        QCOMPARE(verdict.outcome, Outcome::Issues);
        QCOMPARE(text(verdict.sentence), QStringLiteral("Context is 0 tokens; use 1 to 16,777,216."));
        QCOMPARE(notes(verdict), QString());
    }

    void labelMemory()
    {
        // 2 · 24,124 MiB − 18 GiB = 29.1 GiB: 14 requests of 2 GiB; with 2 · 24 GiB 15 (issue).
        const Verdict verdict = verdictOf(qwenOnTwo3090());
        QVERIFY(text(verdict.sentence).contains(QLatin1String("batch up to 14 ")));
        QCOMPARE(notes(verdict),
                 QStringLiteral("24 GiB card, 23.56 GiB usable; memory of 2 GPUs pooled; 14 requests usable, "
                                "15 with label memory"));
        // One request more or less is the same: nothing to say.
        QVERIFY(!notes(verdictOf(tests::on(llama8B(65'536, 1), "rtx-3090"))).contains(QLatin1String("label")));
        QVERIFY(
            !notes(verdictOf(onBasis(qwenOnTwo3090(), MemoryBasis::Label))).contains(QLatin1String("label memory")));
    }

    void basis_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::addColumn<QString>("note");
        const auto row = [](const char* name, const char* gpu, MemoryBasis basis, const char* note) {
            QTest::newRow(name) << onBasis(tests::on(llama8B(8'192, 1), gpu), basis) << QString::fromUtf8(note);
        };
        // Figures of gpus.json, 2^20 or 2^30 bytes at a time.
        row("usable as a runtime saw it", "rtx-4090", MemoryBasis::Usable, "24 GiB card, 23.64 GiB usable");
        row("by the driver", "rtx-4090", MemoryBasis::Driver, "24 GiB card, 23.99 GiB by its driver");
        row("by label", "rtx-4090", MemoryBasis::Label, "24 GiB by label");
        row("no usable figure: driver", "rtx-3090-ti", MemoryBasis::Usable,
            "24 GiB card, 23.99 GiB by its driver, as no usable figure is known");
        row("unified memory", "apple-m2-ultra:128", MemoryBasis::Usable,
            "128 GiB machine, 107.52 GiB usable by its GPU");
        row("no driver total", "apple-m2-ultra:128", MemoryBasis::Driver,
            "128 GiB by label, as no driver total is known");
        Scenario typed = tests::onTyped(tests::on(llama8B(8'192, 1), "rtx-4090"), gib(20));
        QTest::newRow("typed beside a card") << typed << "20.00 GiB of memory typed for each GPU";
        QTest::newRow("typed alone") << tests::onTyped(llama8B(8'192, 1), gib(20))
                                     << "20.00 GiB of memory typed for each GPU";
    }
    void basis()
    {
        QFETCH(const Scenario, scenario);
        QFETCH(const QString, note);
        QCOMPARE(text(verdictOf(scenario).notes.front()), note);
    }

    void everyGpuNamesItsBasis()
    {
        for (const core::Gpu& gpu : tests::gpus()) {
            const QString note = text(verdictOf(tests::on(llama8B(256, 1), gpu.id)).notes.front());
            const bool byLabel = gpu.memory.usableSource == core::UsableSource::Label;
            QVERIFY2(note.contains(QString::fromStdString(gpu.memory.labelText)), gpu.id.c_str());
            QVERIFY2(note.contains(QLatin1String("as no usable figure is known")) ==
                         (byLabel || gpu.memory.usableSource == core::UsableSource::Driver),
                     gpu.id.c_str());
        }
    }

    void unknowns()
    {
        Scenario scenario = llama8B(200'000, 1); // trained for 131,072
        scenario.model.weights = {};
        QCOMPARE(notes(verdictOf(scenario)),
                 QStringLiteral("weights unknown and not counted; beyond the 131,072 tokens the "
                                "model was trained for"));
        QCOMPARE(notes(verdictOf(llama8B(131'072, 1))), QString());
    }
};

ROOM_TEST(TestVerdict, void)
#include "test_verdict.moc"
