// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/catalog.h"
#include "tests/core/files/catalogue_facts.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <algorithm>
#include <string>

using namespace core;

class TestCatalog : public QObject {
    Q_OBJECT

private slots:
    void publishedModels();
    void modelsAreWhatTheReaderSays();
    void publishedGpus();
    void oneEntryEqualsAll();
    void unknownNames_data();
    void unknownNames();
    void memorySizes();
    void brokenCatalogues_data();
    void brokenCatalogues();
};

static std::string models()
{
    return contentOf(RESOURCES_DIR "/models.json");
}

static std::string gpus()
{
    return contentOf(RESOURCES_DIR "/gpus.json");
}

void TestCatalog::publishedModels()
{
    const Result<std::vector<Model>> all = parseModels(models());
    QVERIFY2(all, qPrintable(errorOf(all)));
    QVERIFY(all->size() >= 150);
    const Result<Model> llama = findModel(*all, "Llama-3.1-8B");
    QVERIFY2(llama, qPrintable(errorOf(llama)));
    QCOMPARE(llama->layers, 32);
    QCOMPARE(llama->groups.at(0).kvHeads, 8);
    QCOMPARE(llama->weights.parameters(), 8030261248);
    for (const Model& model : *all)
        QVERIFY2(model.weights.known() && !model.weights.source.empty(), model.id.c_str());
}

void TestCatalog::modelsAreWhatTheReaderSays()
{
    const Result<std::string> expected = tests::catalogueFromFacts();
    QVERIFY2(expected, qPrintable(errorOf(expected)));
    QVERIFY2(models() == *expected, "resources/models.json differs from tests/data; build the target catalogue.");
}

void TestCatalog::publishedGpus()
{
    const Result<std::vector<Gpu>> all = parseGpus(gpus());
    QVERIFY2(all, qPrintable(errorOf(all)));
    QCOMPARE(all->size(), std::size_t{180});
    const Result<Gpu> card = findGpu(*all, "rtx-4090");
    QVERIFY2(card, qPrintable(errorOf(card)));
    QCOMPARE(card->memory.label, gib(24));
    QCOMPARE(card->memory.labelText, "24 GiB");
    QCOMPARE(card->memory.driver, std::optional(mib(24564)));
    QCOMPARE(card->memory.usable, mib(24210));
    QVERIFY(card->memory.usableSource == UsableSource::Runtime);
    QVERIFY(std::ranges::all_of(*all, [](const Gpu& gpu) { return gpu.memory.usable <= gpu.memory.label; }));
}

void TestCatalog::oneEntryEqualsAll()
{
    const std::string modelText = models();
    const std::string gpuText = gpus();
    const auto allModels = parseModels(modelText);
    const auto allGpus = parseGpus(gpuText);
    QVERIFY(allModels && allGpus);
    for (const char* id : {"llama-2-7b", "mixtral-8x7b", "gpt-oss-120b"})
        QVERIFY(*findModel(std::string_view(modelText), id) == *findModel(*allModels, id));
    for (const char* id : {"rtx-4090", "apple-m2-ultra", "apple-m2-ultra:128"})
        QVERIFY(*findGpu(std::string_view(gpuText), id) == *findGpu(*allGpus, id));
}

void TestCatalog::unknownNames_data()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("isGpu");
    QTest::addColumn<QString>("words");
    QTest::newRow("GPU, a digit off") << "rtx-4091" << true
                                      << "There is no GPU \"rtx-4091\"|closest are rtx-4090, rtx-4080";
    QTest::newRow("GPU, nothing like it") << "abacus" << true << "There is no GPU \"abacus\"|kvhorizon gpus";
    QTest::newRow("model, a letter short")
        << "llama-3.1-8" << false << "There is no model \"llama-3.1-8\"|closest are llama-3.1-8b";
    QTest::newRow("model, nothing like it") << "zzz" << false << "There is no model \"zzz\"|kvhorizon models";
    QTest::newRow("model, empty") << "" << false << "There is no model \"\"";
    QTest::newRow("size not sold") << "apple-m2-ultra:100" << true << "apple-m2-ultra|100|64, 128, 192";
    QTest::newRow("one size only") << "rtx-4090:48" << true << "rtx-4090|24 GiB|:48";
    QTest::newRow("size of an unknown GPU") << "rtx-4091:48" << true << "There is no GPU \"rtx-4091\"";
}

void TestCatalog::unknownNames()
{
    QFETCH(QString, id);
    QFETCH(bool, isGpu);
    QFETCH(QString, words);
    const QString error = isGpu ? errorOf(findGpu(std::string_view(gpus()), id.toStdString()))
                                : errorOf(findModel(std::string_view(models()), id.toStdString()));
    QVERIFY2(saysAll(error, words), qPrintable(error));
}

void TestCatalog::memorySizes()
{
    const std::string text = gpus();
    const Result<Gpu> standard = findGpu(std::string_view(text), "apple-m2-ultra");
    QVERIFY2(standard, qPrintable(errorOf(standard)));
    QVERIFY(standard->unified);
    for (const std::int64_t size : {64, 128, 192}) {
        const Result<Gpu> gpu = findGpu(std::string_view(text), "apple-m2-ultra:" + std::to_string(size));
        QVERIFY2(gpu, qPrintable(errorOf(gpu)));
        QCOMPARE(gpu->memory.label, gib(size));
        QVERIFY(gpu->memory.usable < gpu->memory.label);
        QVERIFY(gpu->sizes == standard->sizes);
    }
}

void TestCatalog::brokenCatalogues_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("words");
    const QString good = R"({"id":"a","name":"A","vendor":"V","unified":false,"label_bytes":8,"label":"8 B",)"
                         R"("driver_bytes":null,"usable_bytes":8,"usable_basis":"label","usable_source":null})";
    const auto with = [&](const char* from, const char* to) { return "[" + QString(good).replace(from, to) + "]"; };
    QTest::newRow("no list") << good << "gpus.json|list";
    QTest::newRow("truncated") << "[" + good << "gpus.json|list";
    QTest::newRow("closed twice") << "[" + good + "]]"
                                  << "gpus.json|list";
    QTest::newRow("entry without id") << "[" + good + R"(,{"name":"B"}])"
                                      << "gpus.json|entry 2";
    QTest::newRow("a number in the list") << "[" + good + ",[1]]"
                                          << "gpus.json|entry 2";
    QTest::newRow("two of one id") << "[" + good + "," + good + "]"
                                   << "gpus.json|two entries|\"a\"";
    QTest::newRow("text for a count") << with(":8,", R"(:"8",)") << "gpus.json (a)|\"label_bytes\"|\"8\"";
    QTest::newRow("negative") << with("\"usable_bytes\":8", "\"usable_bytes\":-8")
                              << "gpus.json (a)|\"usable_bytes\"|-8";
    QTest::newRow("missing") << with("\"name\":\"A\",", "") << "gpus.json (a)|\"name\"";
    QTest::newRow("unknown key") << with("\"vendor\"", "\"vendr\"") << "gpus.json (a)|\"vendr\"|\"vendor\"";
    QTest::newRow("unknown basis") << with("\"usable_basis\":\"label\"", "\"usable_basis\":\"guess\"")
                                   << "gpus.json (a)|\"usable_basis\"|guess";
    QTest::newRow("no JSON inside") << with("\"vendor\":", "\"vendor\"") << "gpus.json (a)|byte";
}

void TestCatalog::brokenCatalogues()
{
    QFETCH(QString, text);
    QFETCH(QString, words);
    const Result<std::vector<Gpu>> all = parseGpus(text.toStdString());
    QVERIFY2(saysAll(errorOf(all), words), qPrintable(errorOf(all)));
}

ROOM_TEST(TestCatalog, void)
#include "test_catalog.moc"
