// SPDX-License-Identifier: GPL-3.0-or-later
// The container: what is read of it, and that nothing it says can do harm.
#include "core/readers/gguf/gguf_header.h"
#include "tests/core/readers/weight_files.h"
#include "tests/core/reading.h"
#include "tests/room.h"

#include <QElapsedTimer>
#include <QTest>

#include <nlohmann/json.hpp>

#include <functional>

using namespace core::readers;
using tests::GgufWriter;
using tests::SparseFile;
using tests::SparseSource;

Q_DECLARE_METATYPE(tests::SparseFile)

/// A second in the program; more here, for builds without optimisation on machines that do other things.
constexpr qint64 kMostMilliseconds = 10'000;

class TestGgufHeader : public QObject {
    Q_OBJECT

private slots:
    void valuesOfEveryType();
    void versions();
    void listsAreSkipped();
    void tensorsOfEveryType_data();
    void tensorsOfEveryType();
    void readsNoMoreThanTheHeader();
    void cutAnywhere();
    void hostile_data();
    void hostile();
    void manyTensors();
    void endlessTexts();
};

static core::Result<GgufHeader> read(const SparseFile& file)
{
    SparseSource source(file);
    return readGgufHeader(source, "a.gguf");
}

static std::string bytesOf(std::uint64_t number, std::size_t count)
{
    std::string bytes(count, '\0');
    std::memcpy(bytes.data(), &number, count);
    return bytes;
}

/// A key with a type and the value's bytes.
static std::string value(std::string_view key, std::uint32_t type, const std::string& bytes)
{
    return bytesOf(key.size(), 8) + std::string(key) + bytesOf(type, 4) + bytes;
}

static GgufWriter small()
{
    GgufWriter writer;
    writer.text("general.architecture", "llama").number("llama.block_count", 2);
    writer.texts("tokenizer.ggml.tokens", {"a", "b", "cd"});
    writer.tensor("token_embd.weight", {64, 3}, "F16").tensor("output_norm.weight", {64}, "F32");
    return writer;
}

void TestGgufHeader::valuesOfEveryType()
{
    GgufWriter writer;
    writer.rawValue(value("u8", GgufWriter::U8, bytesOf(200, 1)));
    writer.rawValue(value("i8", GgufWriter::I8, bytesOf(0xFE, 1)));
    writer.rawValue(value("u16", GgufWriter::U16, bytesOf(60'000, 2)));
    writer.rawValue(value("i16", GgufWriter::I16, bytesOf(0xFFFD, 2)));
    writer.rawValue(value("i32", GgufWriter::I32, bytesOf(0xFFFFFFFC, 4)));
    writer.rawValue(value("f32", GgufWriter::F32, bytesOf(0x3FC00000, 4)));
    writer.rawValue(value("u64", GgufWriter::U64, bytesOf(~std::uint64_t{0}, 8)));
    writer.rawValue(value("i64", GgufWriter::I64, bytesOf(~std::uint64_t{0}, 8)));
    writer.rawValue(value("f64", GgufWriter::F64, bytesOf(0x3FF8000000000000, 8)));
    writer.flag("yes", true).text("text", "hello").list("list", {1, -2, 3}).list("flags", {1, 0}, GgufWriter::Bool);
    const core::Result<GgufHeader> header = read(writer.file());
    QVERIFY2(header, qPrintable(errorOf(header)));
    const nlohmann::json expected = {{"u8", 200},
                                     {"i8", -2},
                                     {"u16", 60'000},
                                     {"i16", -3},
                                     {"i32", -4},
                                     {"f32", 1.5},
                                     {"u64", ~0ULL},
                                     {"i64", -1},
                                     {"f64", 1.5},
                                     {"yes", true},
                                     {"text", "hello"},
                                     {"list", {1, -2, 3}},
                                     {"flags", {true, false}}};
    QCOMPARE(QString::fromStdString(header->values->dump()), QString::fromStdString(expected.dump()));
}

void TestGgufHeader::versions()
{
    for (const std::uint32_t version : {2U, 3U}) {
        const core::Result<GgufHeader> header = read(GgufWriter(version).number("general.alignment", 64).file());
        QVERIFY2(header, qPrintable(errorOf(header)));
        QCOMPARE(header->version, std::int64_t{version});
    }
}

void TestGgufHeader::listsAreSkipped()
{
    std::vector<int> scores(300'000, 1);
    GgufWriter writer;
    writer.list("tokenizer.ggml.scores", scores).list("other.long", scores).texts("tokenizer.ggml.tokens", {"a", "bc"});
    writer.text("tokenizer.chat_template", std::string(100'000, 'x')).number("last", 7);
    const core::Result<GgufHeader> header = read(writer.file());
    QVERIFY2(header, qPrintable(errorOf(header)));
    QCOMPARE(QString::fromStdString(header->values->dump()), "{\"last\":7}");
    QCOMPARE(header->tokens, 2);
}

void TestGgufHeader::tensorsOfEveryType_data()
{
    QTest::addColumn<QString>("type");
    QTest::addColumn<qint64>("bytes"); // of 2 rows of 512 elements, by the published bits of an element
    const auto row = [](const char* type, double bits) {
        QTest::newRow(type) << type << static_cast<qint64>(1'024 * bits / 8);
    };
    row("F32", 32);
    row("F16", 16);
    row("BF16", 16);
    row("Q8_0", 8.5);
    row("Q4_0", 4.5);
    row("Q4_1", 5.0);
    row("Q5_0", 5.5);
    row("Q5_1", 6.0);
    row("Q2_K", 2.625);
    row("Q3_K", 3.4375);
    row("Q4_K", 4.5);
    row("Q5_K", 5.5);
    row("Q6_K", 6.5625);
    row("IQ2_XXS", 2.0625);
    row("IQ3_S", 3.4375);
    row("IQ4_NL", 4.5);
    row("IQ4_XS", 4.25);
    row("IQ1_S", 1.5625);
    row("TQ1_0", 1.6875);
    row("MXFP4", 4.25);
    row("NVFP4", 4.5);
    QTest::newRow("Q8_KV: 8 bytes more for each row") << "Q8_KV" << qint64{1'024 + 2 * 8};
}

void TestGgufHeader::tensorsOfEveryType()
{
    QFETCH(const QString, type);
    QFETCH(const qint64, bytes);
    GgufWriter writer;
    writer.tensor("before", {64, 3}, "F16").tensor("a", {512, 2}, type.toStdString());
    SparseFile file = writer.file();
    file.size += 64; // for the rows of Q8_KV, which the writer does not know
    const core::Result<GgufHeader> header = read(file);
    QVERIFY2(header, qPrintable(errorOf(header)));
    QCOMPARE(header->tensors.size(), std::size_t{2});
    QCOMPARE(header->tensors[1].elements, 1'024);
    QCOMPARE(header->tensors[1].bytes, bytes);
    QCOMPARE(header->tensors[1].offset, 384);
}

void TestGgufHeader::readsNoMoreThanTheHeader()
{
    GgufWriter writer;
    writer.text("general.architecture", "llama").tensor("a", {1'000'000, 1'000}, "F32");
    SparseSource source(writer.file());
    QVERIFY(readGgufHeader(source, "a.gguf"));
    QVERIFY2(source.bytesRead() <= 1 << 18, qPrintable(QString::number(source.bytesRead())));
    SparseSource unsized(writer.file(), false); // as a server that does not say how large the file is
    QVERIFY(readGgufHeader(unsized, "a.gguf"));
}

void TestGgufHeader::cutAnywhere()
{
    const SparseFile whole = small().file();
    QVERIFY(read(whole));
    const auto header = static_cast<std::int64_t>(whole.bytes.size());
    for (std::int64_t size = 0; size < whole.size; ++size) {
        SparseFile file{whole.bytes.substr(0, static_cast<std::size_t>(size)), size};
        const QString sentence = errorOf(read(file));
        QVERIFY2(saysAll(sentence, size < header ? "a.gguf" : "a.gguf|cut short"), qPrintable(QString::number(size)));
    }
}

void TestGgufHeader::hostile_data()
{
    QTest::addColumn<tests::SparseFile>("file");
    QTest::addColumn<QString>("words");
    const auto row = [](const char* name, const SparseFile& file, const char* words) {
        QTest::newRow(name) << file << words;
    };
    const auto patched = [](std::size_t place, const std::string& bytes) {
        SparseFile file = small().file();
        file.bytes.replace(place, bytes.size(), bytes);
        return file;
    };
    constexpr std::uint64_t kHuge = std::uint64_t{1} << 63U;
    row("version 1", patched(4, bytesOf(1, 4)), "version 1|versions 2 and 3");
    row("version 4", patched(4, bytesOf(4, 4)), "version 4");
    row("version 0", patched(4, bytesOf(0, 4)), "version 0");
    row("big endian", patched(4, bytesOf(0x03000000, 4)), "big-endian");
    row("other magic", patched(0, "GGUG"), "no GGUF file");
    row("2^63 tensors", patched(8, bytesOf(kHuge, 8)), "tensors follow|9,223,372,036,854,775,807");
    row("2^63 keys", patched(16, bytesOf(kHuge, 8)), "keys follow|9,223,372,036,854,775,807");
    row("more keys than bytes", patched(16, bytesOf(1'000'000, 8)), "1,000,000 keys follow");
    row("key of 2^63 bytes", patched(24, bytesOf(kHuge, 8)), "cut short");
    row("key of 70,000 bytes", GgufWriter().number(std::string(70'000, 'k'), 1).file(), "70,000 bytes|65,535");
    row("value of type 13", GgufWriter().rawValue(value("k", 13, "")).file(), "\"k\" has the type 13");
    row("list of lists",
        GgufWriter().rawValue(value("k", GgufWriter::List, bytesOf(GgufWriter::List, 4) + bytesOf(1, 8))).file(),
        "\"k\" is a list of lists");
    row("list of type 99", GgufWriter().rawValue(value("k", GgufWriter::List, bytesOf(99, 4) + bytesOf(1, 8))).file(),
        "\"k\" has the type 99");
    for (const std::uint64_t count : {kHuge, kHuge / 4, std::uint64_t{1} << 40U}) {
        for (const std::uint32_t type : {GgufWriter::F64, GgufWriter::U8, GgufWriter::Text})
            row(qPrintable(QStringLiteral("list of %1 values of type %2").arg(count).arg(type)),
                GgufWriter().rawValue(value("k", GgufWriter::List, bytesOf(type, 4) + bytesOf(count, 8))).file(),
                "entries follows|bytes left");
    }
    row("text without end", GgufWriter().rawValue(value("k", GgufWriter::Text, bytesOf(kHuge, 8))).file(), "cut short");
    row("text one byte too long", GgufWriter().rawValue(value("k", GgufWriter::Text, bytesOf(64, 8) + "abc")).file(),
        "cut short");
    row("key twice", GgufWriter().number("k", 1).number("k", 2).file(), "\"k\" twice");
    row("alignment 0", GgufWriter().number("general.alignment", 0).file(), "\"general.alignment\" is 0");
    row("alignment 48", GgufWriter().number("general.alignment", 48).file(), "\"general.alignment\" is 48");
    row("alignment as a text", GgufWriter().text("general.alignment", "32").file(), "\"general.alignment\" is \"32\"");
    row("tensor twice", small().tensor("token_embd.weight", {64}, "F32").file(), "\"token_embd.weight\" twice");
    row("5 dimensions", GgufWriter().rawTensor("t", {1, 1, 1, 1, 1}, 0, 0).file(), "\"t\" has 5 dimensions");
    row("dimension below 0", GgufWriter().rawTensor("t", {-1}, 0, 0).file(), "\"t\" has a dimension of");
    row("more elements than 2^63", GgufWriter().rawTensor("t", {1LL << 40, 1LL << 40}, 0, 0).file(), "\"t\" has more");
    row("half a block", GgufWriter().rawTensor("t", {100}, 12, 0).file(), "100 elements|Q4_K");
    row("unknown type", GgufWriter().rawTensor("t", {256}, 139, 0).file(), "type 139, which is not known");
    row("removed type", GgufWriter().rawTensor("t", {256}, 31, 0).file(), "Q4_0_4_4|removed");
    row("beyond the file", GgufWriter().rawTensor("t", {256}, 0, 1'048'576).file(), "\"t\" ends beyond");
    row("beyond any file", GgufWriter().rawTensor("t", {256}, 0, -32).file(), "\"t\" begins beyond");
    row("not aligned", GgufWriter().rawTensor("t", {8}, 0, 8).file(), "begins at 8|alignment 32");
    row("overlapping", small().rawTensor("t", {64}, 0, 32).file(), "\"token_embd.weight\" and \"t\" overlap");
}

void TestGgufHeader::hostile()
{
    QFETCH(const tests::SparseFile, file);
    QFETCH(const QString, words);
    QElapsedTimer timer;
    timer.start();
    const QString sentence = errorOf(read(file));
    QVERIFY2(saysAll(sentence, "a.gguf|nothing was changed|" + words), qPrintable(sentence));
    QVERIFY2(timer.elapsed() < kMostMilliseconds, qPrintable(QString::number(timer.elapsed())));
}

void TestGgufHeader::manyTensors()
{
    GgufWriter writer;
    for (int i = 0; i < 100'000; ++i)
        writer.tensor("blk." + std::to_string(i) + ".attn_q.weight", {32}, "F32");
    const SparseFile file = writer.file();
    QElapsedTimer timer;
    timer.start();
    const core::Result<GgufHeader> header = read(file);
    QVERIFY2(header, qPrintable(errorOf(header)));
    QCOMPARE(header->tensors.size(), std::size_t{100'000});
    QVERIFY2(timer.elapsed() < kMostMilliseconds, qPrintable(QString::number(timer.elapsed())));
}

/// A file of terabytes that says it is nothing but empty texts ends where headers must end.
void TestGgufHeader::endlessTexts()
{
    SparseFile file =
        GgufWriter()
            .rawValue(value("k", GgufWriter::List, bytesOf(GgufWriter::Text, 4) + bytesOf(1'000'000'000'000, 8)))
            .file();
    file.size = 1LL << 50;
    SparseSource source(file);
    const QString sentence = errorOf(readGgufHeader(source, "a.gguf"));
    QVERIFY2(saysAll(sentence, "a.gguf|entries follows"), qPrintable(sentence));
    file = GgufWriter()
               .rawValue(value("k", GgufWriter::List, bytesOf(GgufWriter::Text, 4) + bytesOf(33'000'000, 8)))
               .file();
    file.size = 1LL << 50; // 33 million empty texts fit into the longest header
    SparseSource longSource(file);
    QElapsedTimer timer;
    timer.start();
    QVERIFY2(readGgufHeader(longSource, "a.gguf"), "33 million empty texts are a header that can be read");
    QVERIFY2(timer.elapsed() < kMostMilliseconds, qPrintable(QString::number(timer.elapsed())));
    QVERIFY(longSource.bytesRead() <= (256LL << 20) + (1 << 18));
}

ROOM_TEST(TestGgufHeader, void)
#include "test_gguf_header.moc"
