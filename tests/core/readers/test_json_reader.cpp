// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/json_reader.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QTest>

#include <string>

using namespace core;
using namespace core::readers;

class TestJsonReader : public QObject {
    Q_OBJECT

private slots:
    void counts_data();
    void counts();
    void accepted_data();
    void accepted();
    void refused_data();
    void refused();
    void nesting_data();
    void nesting();
    void typesOtherThanCounts();
    void absentAndNull();
    void unknownKeys();
    void placesOfNestedKeys();
};

constexpr qint64 kRefused = -1;

void TestJsonReader::counts_data()
{
    QTest::addColumn<QString>("value");
    QTest::addColumn<qint64>("count");
    QTest::newRow("whole") << "8" << qint64{8};
    QTest::newRow("whole as a float") << "4.0" << qint64{4};
    QTest::newRow("whole with an exponent") << "1e2" << qint64{100};
    QTest::newRow("lower end") << "1" << qint64{1};
    QTest::newRow("upper end") << "1000" << qint64{1000};
    QTest::newRow("below the range") << "0" << kRefused;
    QTest::newRow("above the range") << "1001" << kRefused;
    QTest::newRow("fraction") << "3.5" << kRefused;
    QTest::newRow("text") << "\"8\"" << kRefused;
    QTest::newRow("true") << "true" << kRefused;
    QTest::newRow("false") << "false" << kRefused;
    QTest::newRow("negative") << "-8" << kRefused;
    QTest::newRow("list") << "[8]" << kRefused;
    QTest::newRow("object") << "{\"a\":8}" << kRefused;
    QTest::newRow("2^64 + 8 does not wrap") << "18446744073709551624" << kRefused;
    QTest::newRow("2^63 does not wrap") << "9223372036854775808" << kRefused;
    QTest::newRow("huge") << "1e300" << kRefused;
    QTest::newRow("beyond a double") << "1e999" << kRefused;
    QTest::newRow("infinity") << "Infinity" << kRefused;
    QTest::newRow("negative infinity") << "-Infinity" << kRefused;
    QTest::newRow("not a number") << "NaN" << kRefused;
}

void TestJsonReader::counts()
{
    QFETCH(QString, value);
    QFETCH(qint64, count);
    const Result<JsonDocument> json = parseJson(("{\"heads\": " + value + "}").toStdString(), "a.json");
    QVERIFY2(json, qPrintable(errorOf(json)));
    const Result<std::int64_t> read = json->root()->count("heads", {1, 1000});
    QCOMPARE(read ? *read : kRefused, count);
    if (!read)
        QVERIFY2(saysAll(errorOf(read), "a.json|\"heads\"|1,000"), qPrintable(errorOf(read)));
}

void TestJsonReader::accepted_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<qint64>("layers");
    QTest::newRow("plain") << QByteArray("{\"layers\":7}") << qint64{7};
    QTest::newRow("byte order mark") << QByteArray("\xEF\xBB\xBF{\"layers\":7}") << qint64{7};
    QTest::newRow("CRLF and blank lines") << QByteArray("\r\n\r\n{\r\n\"layers\" : 7\r\n}\r\n\r\n") << qint64{7};
    QTest::newRow("Infinity before it") << QByteArray("{\"t\":[0.0, Infinity,-Infinity,NaN],\"layers\":7}")
                                        << qint64{7};
    QTest::newRow("Infinity inside a text") << QByteArray("{\"t\":\"a \\\" Infinity\",\"layers\":7}") << qint64{7};
    QTest::newRow("a number beyond a double") << QByteArray("{\"t\":1e400,\"layers\":7}") << qint64{7};
    QTest::newRow("a number of 400 digits") << "{\"t\":" + QByteArray(400, '9') + ",\"layers\":7}" << qint64{7};
    QTest::newRow("a number that is almost 0") << QByteArray("{\"t\":1e-999,\"layers\":7}") << qint64{7};
    QTest::newRow("a key twice: the last counts") << QByteArray("{\"layers\":6,\"layers\":7}") << qint64{7};
    QTest::newRow("200 levels") << "{\"t\":" + QByteArray(199, '[') + QByteArray(199, ']') + ",\"layers\":7}"
                                << qint64{7};
}

void TestJsonReader::accepted()
{
    QFETCH(QByteArray, text);
    QFETCH(qint64, layers);
    const Result<JsonDocument> json = parseJson(text.toStdString(), "a.json");
    QVERIFY2(json, qPrintable(errorOf(json)));
    QCOMPARE(*json->root()->count("layers", {0, 1000}), layers);
}

void TestJsonReader::refused_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("words");
    QTest::newRow("empty") << QByteArray() << "empty";
    QTest::newRow("blanks alone") << QByteArray(" \r\n\t\n") << "empty";
    QTest::newRow("truncated in an object") << QByteArray("{\"layers\": 7,") << "truncated|13 bytes";
    QTest::newRow("truncated in a text") << QByteArray("{\"layers\": \"7") << "truncated|13 bytes";
    QTest::newRow("truncated in a number") << QByteArray("{\"layers\": 7") << "truncated";
    QTest::newRow("two values") << QByteArray("{} {}") << "byte 4|\"{}\"";
    QTest::newRow("merge marker inside") << QByteArray("{\n<<<<<<< HEAD\n\"a\":1}") << "byte 3|<<<<<<<";
    QTest::newRow("comment") << QByteArray("{\"a\":1, // one\n\"b\":2}") << "byte 9|// one";
    QTest::newRow("byte after Infinity") << QByteArray("{\"a\":Infinity,\"b\":x}") << "byte 19|x}";
    QTest::newRow("bad UTF-8") << QByteArray("{\"a\":\"\xFF\"}") << "byte 7";
    QTest::newRow("pasted page text") << QByteArray("BloomConfig {\n \"a\":1}") << "BloomConfig {|no JSON";
    QTest::newRow("web page") << QByteArray("\n<!DOCTYPE html>\n<html>") << "web page";
    QTest::newRow("web page without a type") << QByteArray("<HTML><body>") << "web page";
    QTest::newRow("hub answer") << QByteArray("Entry not found") << "\"Entry not found\"|server";
    QTest::newRow("hub refusal") << QByteArray("Invalid username or password.") << "Invalid username|server";
    QTest::newRow("Git LFS pointer") << QByteArray("version https://git-lfs.github.com/spec/v1\noid sha256:0\n")
                                     << "Git LFS pointer|git lfs pull";
    QTest::newRow("merge marker first") << QByteArray("<<<<<<< HEAD\n{}") << "merge marker";
    QTest::newRow("GGUF") << QByteArray("GGUF\3\0\0\0", 8) << "GGUF|open it as a file";
    QTest::newRow("safetensors") << QByteArray("\x40\0\0\0\0\0\0\0{\"__metadata__\"", 23)
                                 << "safetensors|open it as a file";
    QTest::newRow("zip") << QByteArray("PK\3\4\0\0", 6) << "PyTorch";
    QTest::newRow("binary") << QByteArray("\x7F"
                                          "ELF\2\1\1\0",
                                          8)
                            << "binary";
    QTest::newRow("text") << QByteArray("hello") << "\"hello\"";
}

void TestJsonReader::refused()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, words);
    const Result<JsonDocument> json = parseJson(text.toStdString(), "a.json");
    QVERIFY2(saysAll(errorOf(json), "a.json|" + words), qPrintable(errorOf(json)));
}

void TestJsonReader::nesting_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::newRow("201 lists") << QByteArray(201, '[') + QByteArray(201, ']');
    QTest::newRow("100,000 lists") << QByteArray(100'000, '[') + QByteArray(100'000, ']');
    QTest::newRow("100,000 objects") << QByteArray("{\"a\":").repeated(100'000) + "1" + QByteArray(100'000, '}');
    QTest::newRow("never closed") << QByteArray(1'000'000, '[');
}

void TestJsonReader::nesting()
{
    QFETCH(QByteArray, text);
    const Result<JsonDocument> json = parseJson(text.toStdString(), "a.json");
    QVERIFY2(saysAll(errorOf(json), "a.json|200 levels|byte"), qPrintable(errorOf(json)));
}

void TestJsonReader::typesOtherThanCounts()
{
    const auto json =
        parseJson(R"({"t":"x","b":true,"n":1,"o":{"k":1},"l":["a","b"],"ll":[{"k":1}],"m":["a",1]})", "a.json");
    QVERIFY2(json, qPrintable(errorOf(json)));
    const JsonObject object = *json->root();
    QCOMPARE(*object.text("t"), "x");
    QCOMPARE(*object.optionalBool("b"), std::optional(true));
    QCOMPARE(*object.object("o")->count("k", {1, 1}), 1);
    QVERIFY(*object.texts("l") == (std::vector<std::string>{"a", "b"}));
    QCOMPARE(object.objects("ll")->size(), std::size_t{1});
    QVERIFY2(saysAll(errorOf(object.text("n")), "\"n\" is 1|text"), qPrintable(errorOf(object.text("n"))));
    QVERIFY2(saysAll(errorOf(object.optionalBool("n")), "\"n\" is 1|true or false"), "number for a flag");
    QVERIFY2(saysAll(errorOf(object.object("l")), "\"l\"|object"), "list for an object");
    QVERIFY2(saysAll(errorOf(object.objects("l")), "\"l\"|list of objects"), "texts for objects");
    QVERIFY2(saysAll(errorOf(object.texts("m")), "\"m\"|list of texts"), "a number among texts");
}

void TestJsonReader::absentAndNull()
{
    const auto json = parseJson(R"({"null":null})", "a.json");
    const JsonObject object = *json->root();
    for (const char* key : {"null", "absent"}) {
        QVERIFY(!object.has(key));
        QVERIFY(!*object.optionalCount(key, {1, 2}));
        QVERIFY(!*object.optionalText(key));
        QVERIFY(!*object.optionalBool(key));
        QVERIFY(!*object.optionalObject(key));
        QVERIFY(object.objects(key)->empty());
        const QString error = errorOf(object.count(key, {1, 2}));
        QVERIFY2(saysAll(error, QString("a.json|\"%1\"").arg(key)), qPrintable(error));
    }
}

void TestJsonReader::unknownKeys()
{
    const auto json = parseJson(R"({"layers":1,"kv_head":2})", "a.json");
    const std::vector<std::string_view> known{"layers", "kv_heads"};
    const QString error = errorOf(json->root()->onlyKeys(known));
    QVERIFY2(saysAll(error, "a.json|\"kv_head\"|did you mean \"kv_heads\""), qPrintable(error));
    const std::vector<std::string_view> both{"layers", "kv_head"};
    QVERIFY(json->root()->onlyKeys(both));
}

void TestJsonReader::placesOfNestedKeys()
{
    const auto json = parseJson(R"({"model":{"groups":[{"window":1},{"window":-1}]}})", "a.json");
    const auto groups = json->root()->object("model")->objects("groups");
    QVERIFY(groups);
    const QString error = errorOf(groups->at(1).count("window", {1, 9}));
    QVERIFY2(saysAll(error, "\"model.groups[1].window\" is -1"), qPrintable(error));
}

ROOM_TEST(TestJsonReader, void)
#include "test_json_reader.moc"
