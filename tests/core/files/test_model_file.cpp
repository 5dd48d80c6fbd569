// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_file.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

using namespace core;
using namespace core::readers;

class TestModelFile : public QObject {
    Q_OBJECT

private slots:
    void folderAndFile();
    void namesOfModels_data();
    void namesOfModels();
    void description();
    void badFiles_data();
    void badFiles();
    void missingFile();
    void folderWithoutConfig();
    void deviceWithoutEnd();

private:
    QString write(const QString& path, const QByteArray& content);

    QTemporaryDir m_folder;
};

static const char* const kSmall =
    R"({"model_type":"llama","hidden_size":256,"num_attention_heads":4,"num_key_value_heads":2,)"
    R"("num_hidden_layers":3,"intermediate_size":512,"vocab_size":1000})";

QString TestModelFile::write(const QString& path, const QByteArray& content)
{
    const QString whole = m_folder.filePath(path);
    QDir().mkpath(QFileInfo(whole).path());
    QFile file(whole);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("cannot write the test's file");
    return whole;
}

void TestModelFile::folderAndFile()
{
    const std::filesystem::path folder(TESTS_DATA_DIR "/configs/qwen2.5-7b");
    for (const std::filesystem::path& path : {folder, folder / "config.json"}) {
        const Result<Model> model = readModelFile(path);
        QVERIFY2(model, qPrintable(errorOf(model)));
        QCOMPARE(model->name, "qwen2.5-7b");
        QCOMPARE(model->source, (folder / "config.json").string());
        QCOMPARE(model->layers, 28);
        QCOMPARE(model->groups.at(0).kvHeads, 4);
        QCOMPARE(model->groups.at(0).keyDim, 128);
        QCOMPARE(provenanceOf(*model, "kv_heads")->file, "config.json");
    }
}

void TestModelFile::namesOfModels_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("name");
    QTest::newRow("folder of a config.json") << "Small-1B/config.json"
                                             << "Small-1B";
    QTest::newRow("another file name") << "small.json"
                                       << "small";
    QTest::newRow("a hub's cache") << "models--org--Small-2B/snapshots/0123abcd/config.json"
                                   << "Small-2B";
}

void TestModelFile::namesOfModels()
{
    QFETCH(QString, path);
    QFETCH(QString, name);
    const Result<Model> model = readModelFile(write(path, kSmall).toStdString());
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(QString::fromStdString(model->name), name);
}

void TestModelFile::description()
{
    const QString path =
        write("mine.json", R"({"format":"kvhorizon.model","version":1,"model":{"name":"Mine","source":"me",
        "layers":2,"groups":[{"kind":"latent","layers":2,"latent_dim":512,"rope_dim":64}]}})");
    const Result<Model> model = readModelFile(path.toStdString());
    QVERIFY2(model, qPrintable(errorOf(model)));
    QCOMPARE(model->name, "Mine");
    QCOMPARE(model->source, "me");
    QCOMPARE(model->groups.at(0).layers.count(), 2);
    QVERIFY(!model->weights.known());
}

void TestModelFile::badFiles_data()
{
    QTest::addColumn<QByteArray>("content");
    QTest::addColumn<QString>("words");
    const auto with = [](const char* from, const char* to) { return QByteArray(kSmall).replace(from, to); };
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("binary") << QByteArray("\0\1\2\3", 4) << "binary";
    QTest::newRow("GGUF") << QByteArray("GGUF\3\0\0\0", 8) << "cut short|GGUF header";
    QTest::newRow("truncated") << QByteArray(kSmall).chopped(20) << "truncated";
    QTest::newRow("nested 100,000 deep") << QByteArray(100'000, '[') << "200 levels";
    QTest::newRow("a list") << QByteArray("[1,2]") << "list";
    QTest::newRow("an object of something else") << QByteArray("{\"a\":1}") << "model_type|config.json";
    QTest::newRow("index of weights") << QByteArray("{\"metadata\":{},\"weight_map\":{}}")
                                      << "weight_map|names no tensor";
    QTest::newRow("our footprint") << QByteArray("{\"format\":\"kvhorizon.footprint\",\"version\":1}")
                                   << "kvhorizon.footprint";
    QTest::newRow("negative layers") << with("\"num_hidden_layers\":3", "\"num_hidden_layers\":-3")
                                     << "\"num_hidden_layers\" is -3";
    QTest::newRow("no layers") << with("\"num_hidden_layers\":3", "\"num_hidden_layers\":0")
                               << "\"num_hidden_layers\" is 0";
    QTest::newRow("half a head") << with("\"num_key_value_heads\":2", "\"num_key_value_heads\":2.5")
                                 << "\"num_key_value_heads\" is 2.5";
    QTest::newRow("heads as a text") << with("\"num_attention_heads\":4", "\"num_attention_heads\":\"4\"")
                                     << "\"num_attention_heads\" is \"4\"";
    QTest::newRow("heads as a list") << with("\"num_attention_heads\":4", "\"num_attention_heads\":[4]")
                                     << "\"num_attention_heads\" is […]";
    QTest::newRow("heads true") << with("\"num_attention_heads\":4", "\"num_attention_heads\":true")
                                << "\"num_attention_heads\" is true";
    QTest::newRow("huge width") << with("\"hidden_size\":256", "\"hidden_size\":1e300") << "\"hidden_size\" is 1e+300";
    QTest::newRow("infinite width") << with("\"hidden_size\":256", "\"hidden_size\":Infinity")
                                    << "\"hidden_size\" is \"Infinity\"";
    QTest::newRow("width that wraps") << with("\"hidden_size\":256", "\"hidden_size\":18446744073709551872")
                                      << "\"hidden_size\" is 1.8446744073709552e+19|1,048,576";
    QTest::newRow("heads null") << with("\"num_attention_heads\":4", "\"num_attention_heads\":null")
                                << "query_heads|num_attention_heads";
    QTest::newRow("more KV heads than heads")
        << with("\"num_key_value_heads\":2", "\"num_key_value_heads\":8") << "8 KV heads|4 query heads";
    QTest::newRow("a quotient that is not whole")
        << with("\"hidden_size\":256", "\"hidden_size\":258") << "258|4 query heads|head_dim";
    QTest::newRow("parameters without end")
        << with("\"intermediate_size\":512", "\"intermediate_size\":16777216,\"head_dim\":1048576")
               .replace("\"hidden_size\":256", "\"hidden_size\":1048576")
               .replace("\"num_hidden_layers\":3", "\"num_hidden_layers\":65535")
        << "1,000,000,000,000,000 parameters";
}

void TestModelFile::badFiles()
{
    QFETCH(QByteArray, content);
    QFETCH(QString, words);
    const Result<Model> model = readModelFile(write("bad/config.json", content).toStdString());
    QVERIFY2(saysAll(errorOf(model), "config.json|" + words), qPrintable(errorOf(model)));
}

void TestModelFile::missingFile()
{
    const QString error = errorOf(readModelFile("no/such/file.json"));
    QVERIFY2(saysAll(error, "no/such/file.json"), qPrintable(error));
}

void TestModelFile::folderWithoutConfig()
{
    QVERIFY(QDir(m_folder.path()).mkpath("empty"));
    const QString path = m_folder.filePath("empty");
    const QString error = errorOf(readModelFile(path.toStdString()));
    QVERIFY2(saysAll(error, path + "|no config.json"), qPrintable(error));
}

void TestModelFile::deviceWithoutEnd()
{
    const QString error = errorOf(readModelFile("/dev/zero"));
    QVERIFY2(saysAll(error, "zero|256 MiB"), qPrintable(error));
}

ROOM_TEST(TestModelFile, void)
#include "test_model_file.moc"
