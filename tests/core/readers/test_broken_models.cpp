// SPDX-License-Identifier: GPL-3.0-or-later
// Folders with several models, and models whose files are missing, damaged or of different models.
#include "tests/core/readers/small_model.h"
#include "tests/room.h"

#include <QTest>

using namespace core;
using namespace core::readers;
using namespace tests;

class TestBrokenModels : public QObject {
    Q_OBJECT

private slots:
    void choices();
    void broken_data();
    void broken();
};

void TestBrokenModels::choices()
{
    Files files;
    files.files["a-Q4_K_M.gguf"] = single("A").file();
    files.files["mmproj-a.gguf"] = single("not this").file();
    const Result<Model> one = folder(files);
    QVERIFY2(one, qPrintable(errorOf(one)));
    QCOMPARE(one->name, "A");
    files.files["b.gguf"] = single("B").file();
    const QString several = errorOf(folder(files));
    QVERIFY2(saysAll(several, "here|a-Q4_K_M.gguf, b.gguf|choose one"), qPrintable(several));
    files.add("config.json", kConfig);
    const Result<Model> config = folder(files);
    QVERIFY2(config, qPrintable(errorOf(config)));
    QVERIFY(notes(*config, "also holds a-Q4_K_M.gguf, b.gguf"));
    files.files["x.safetensors"] = whole().file();
    files.files["y.safetensors"] = whole().file();
    const Result<Model> unsure = folder(files);
    QVERIFY2(unsure, qPrintable(errorOf(unsure)));
    QVERIFY(unsure->weights.published == WeightFormat::Bf16);
    QVERIFY(notes(*unsure, "several sets of weights (x.safetensors, y.safetensors)"));
    files.add("model.safetensors", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n");
    const Result<Model> pointer = folder(files);
    QVERIFY2(pointer, qPrintable(errorOf(pointer)));
    QVERIFY(notes(*pointer, "model.safetensors is a Git LFS pointer"));
}

// NOLINTNEXTLINE(readability-function-size): a table.
void TestBrokenModels::broken_data()
{
    QTest::addColumn<std::function<void(Files&)>>("make");
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const char* file, const char* words, std::function<void(Files&)> make) {
        QTest::newRow(name) << make << file << words;
    };
    row("nothing", "", "here|no config.json and no GGUF file", [](Files& files) { files.add("readme.md", "x"); });
    row("weights without config", "model.safetensors", "model.safetensors|config.json beside it",
        [](Files& files) { files.files["model.safetensors"] = whole().file(); });
    row("folder of weights without config", "", "model.safetensors|config.json beside it",
        [](Files& files) { files.files["model.safetensors"] = whole().file(); });
    row("index without config", "model.safetensors.index.json", "config.json beside it", [](Files& files) {
        addSharded(files);
        files.files.erase("config.json");
    });
    row("missing part", "", "model-00002-of-00002.safetensors\" is missing|2 files", [](Files& files) {
        addSharded(files);
        files.files.erase(kSecond);
    });
    row("missing part, no index", kFirst, "model-00002-of-00002.safetensors\" is missing", [](Files& files) {
        addSharded(files);
        files.files.erase(kSecond);
        files.files.erase("model.safetensors.index.json");
    });
    row("part without what the index promises", "", "model-00002-of-00002.safetensors\"|lm_head.weight|not there",
        [](Files& files) {
            addSharded(files);
            SafetensorsWriter writer;
            addLayer(writer, 1);
            writer.bf16("model.norm.weight", {256});
            files.files[kSecond] = writer.file();
        });
    row("a tensor in two parts", "", "model.embed_tokens.weight|Two of the files", [](Files& files) {
        addSharded(files);
        files.files[kSecond] = whole().file();
    });
    row("index of a PyTorch checkpoint", "pytorch_model.bin.index.json", "pytorch_model.bin\", which is no safetensors",
        [](Files& files) {
            files.add("config.json", kConfig);
            files.add("pytorch_model.bin.index.json", R"({"weight_map":{"a":"pytorch_model.bin"}})");
        });
    row("config of a scenario", "model.safetensors", "describes no model of Hugging Face", [](Files& files) {
        files.add("config.json", R"({"format":"kvhorizon.model","version":1,"model":{"name":"M","layers":1,)"
                                 R"("groups":[{"kind":"none","layers":1}]}})");
        files.files["model.safetensors"] = whole().file();
    });
    row("cut GGUF", "a.gguf", "a.gguf|cut short", [](Files& files) {
        files.files["a.gguf"] = single("A").file();
        files.files["a.gguf"].size -= 1;
    });
    row("missing GGUF part", "m-00001-of-00003.gguf", "m-00002-of-00003.gguf\" is missing|part 2 of the 3",
        [](Files& files) {
            files.files["m-00001-of-00003.gguf"] = ggufPart(0, 3, 3).file();
            files.files["m-00003-of-00003.gguf"] = ggufPart(2, 3, 3).file();
        });
    row("renamed GGUF part", "mine.gguf", "mine.gguf is part 2 of 3|-00002-of-00003.gguf",
        [](Files& files) { files.files["mine.gguf"] = ggufPart(1, 3, 3).file(); });
    row("parts in a circle", "m-00001-of-00002.gguf", "m-00002-of-00002.gguf says that it is part 1 of 2|part 2 of 2",
        [](Files& files) {
            files.files["m-00001-of-00002.gguf"] = ggufPart(0, 2, 2).file();
            files.files["m-00002-of-00002.gguf"] = ggufPart(0, 2, 2).file();
        });
    row("parts of another model", "m-00001-of-00002.gguf", "m-00002-of-00002.gguf says that it is part 2 of 5",
        [](Files& files) {
            files.files["m-00001-of-00002.gguf"] = ggufPart(0, 2, 2).file();
            files.files["m-00002-of-00002.gguf"] = ggufPart(1, 5, 2).file();
        });
    row("parts with other tensors", "m-00001-of-00002.gguf", "have 9 tensors, but they have 2", [](Files& files) {
        files.files["m-00001-of-00002.gguf"] = ggufPart(0, 2, 9).file();
        files.files["m-00002-of-00002.gguf"] = ggufPart(1, 2, 9).file();
    });
    row("adapter", "a.gguf", "adapter|no model", [](Files& files) {
        files.files["a.gguf"] =
            GgufWriter().text("general.type", "adapter").text("general.architecture", "llama").file();
    });
    row("no architecture", "a.gguf", "general.architecture",
        [](Files& files) { files.files["a.gguf"] = GgufWriter().number("a", 1).file(); });
}

void TestBrokenModels::broken()
{
    QFETCH(const std::function<void(Files&)>, make);
    QFETCH(const QString, name);
    QFETCH(const QString, words);
    Files files;
    make(files);
    const QString sentence = errorOf(name.isEmpty() ? folder(files) : file(files, qPrintable(name)));
    QVERIFY2(saysAll(sentence, words), qPrintable(sentence));
}

ROOM_TEST(TestBrokenModels, void)
#include "test_broken_models.moc"
