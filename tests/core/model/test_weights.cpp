// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/weights.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cstdint>
#include <string>

using core::Bytes;
using core::WeightFormat;
using core::WeightPart;
using core::Weights;

namespace {

constexpr WeightPart kParts[] = {WeightPart::Embedding, WeightPart::Head,    WeightPart::Attention,
                                 WeightPart::Mlp,       WeightPart::Experts, WeightPart::SharedExperts,
                                 WeightPart::Other};

/// 256 parameters in each part, so that every block size divides them.
Weights everyPart(bool experts)
{
    Weights weights;
    for (const WeightPart part : kParts) {
        if (experts || part != WeightPart::Experts)
            weights.parts.push_back({part, 256});
    }
    return weights;
}

/// "100" for parts kept at 16 bit (512 bytes of 256 parameters) and encoded ones.
QString keptParts(const Weights& weights, WeightFormat format)
{
    QStringList kept;
    for (const core::WeightCount& count : weights.parts) {
        if (core::bytesOf(weights, count, format) == Bytes(512))
            kept << QString::fromUtf8(core::id(count.part).data());
    }
    return kept.join(QLatin1Char(' '));
}

} // namespace

Q_DECLARE_METATYPE(core::WeightFormat)

class TestWeights : public QObject {
    Q_OBJECT

private slots:
    void encodings_data()
    {
        QTest::addColumn<QString>("id");
        QTest::addColumn<qint64>("bytes"); // of 256 encoded parameters
        QTest::newRow("4 bytes each") << "fp32" << qint64{1'024};
        QTest::newRow("2 bytes each") << "bf16" << qint64{512};
        QTest::newRow("2 bytes each too") << "fp16" << qint64{512};
        QTest::newRow("1 byte each") << "fp8" << qint64{256};
        QTest::newRow("1 byte each too") << "int8" << qint64{256};
        // Two groups of 128: 64 bytes of values, a 2-byte scale and a 4-bit zero point each (arXiv:2306.00978).
        QTest::newRow("AWQ") << "awq-4bit" << qint64{2 * 64 + 2 * 2 + 1};
        QTest::newRow("GPTQ") << "gptq-4bit" << qint64{2 * 64 + 2 * 2 + 1};
        QTest::newRow("16 scales of a byte") << "nvfp4" << qint64{128 + 16};
        QTest::newRow("8 scales of a byte") << "mxfp4" << qint64{128 + 8};
        // Four blocks of 64 with an 8-bit scale, and a 64th of a 4-byte scale, rounded up (arXiv:2305.14314).
        QTest::newRow("NF4, scales quantised") << "bnb-4bit" << qint64{128 + 4 + 1};
        QTest::newRow("MLX, four groups") << "mlx-4bit" << qint64{128 + 4 * 4};
        QTest::newRow("MLX, six bits") << "mlx-6bit" << qint64{192 + 4 * 4};
        QTest::newRow("MLX, eight bits") << "mlx-8bit" << qint64{256 + 4 * 4};
    }
    void encodings()
    {
        QFETCH(const QString, id);
        QFETCH(const qint64, bytes);
        const std::optional<WeightFormat> format = core::weightFormat(id.toUpper().toStdString());
        QVERIFY(format);
        QCOMPARE(std::string(core::info(*format).id), id.toStdString());
        QVERIFY(!core::info(*format).source.empty());
        const Weights weights = everyPart(true);
        const core::WeightCount experts{WeightPart::Experts, 256};
        QCOMPARE(core::bytesOf(weights, experts, *format), Bytes(bytes));
    }

    void everyFormatIsListed()
    {
        QCOMPARE(core::weightFormats().size(), std::size_t{20});
        QVERIFY(!core::weightFormat("q4"));
        for (const WeightPart part : kParts)
            QCOMPARE(core::weightPart(core::id(part)), std::optional(part));
        QVERIFY(!core::weightPart("layers"));
    }

    void keptAt16Bit_data()
    {
        QTest::addColumn<WeightFormat>("format");
        QTest::addColumn<bool>("experts");
        QTest::addColumn<QString>("kept");
        QTest::newRow("FP8 keeps nothing") << WeightFormat::Fp8 << true << "";
        QTest::newRow("INT8 keeps nothing") << WeightFormat::Int8 << false << "";
        QTest::newRow("AWQ keeps embedding, head, norms") << WeightFormat::Awq4 << true << "embedding head other";
        QTest::newRow("GPTQ the same") << WeightFormat::Gptq4 << false << "embedding head other";
        QTest::newRow("NVFP4 the same") << WeightFormat::Nvfp4 << true << "embedding head other";
        QTest::newRow("MXFP4 keeps all but experts (gpt-oss)")
            << WeightFormat::Mxfp4 << true << "embedding head attention mlp shared_experts other";
        QTest::newRow("MXFP4 without experts") << WeightFormat::Mxfp4 << false << "embedding head other";
    }
    void keptAt16Bit()
    {
        QFETCH(const WeightFormat, format);
        QFETCH(const bool, experts);
        QFETCH(const QString, kept);
        QCOMPARE(keptParts(everyPart(experts), format), kept);
    }

    void publishedSizes_data()
    {
        QTest::addColumn<QString>("model");
        QTest::addColumn<WeightFormat>("format");
        QTest::addColumn<qint64>("bytes");
        QTest::newRow("8,030,261,248 · 2 = 14.96 GiB")
            << "llama-3.1-8b" << WeightFormat::Bf16 << qint64{16'060'522'496};
        // total_size of openai/gpt-oss-20b's index, and the tensors of openai/gpt-oss-120b.
        QTest::newRow("gpt-oss-20b") << "gpt-oss-20b" << WeightFormat::Mxfp4 << qint64{13'761'264'768};
        QTest::newRow("gpt-oss-120b") << "gpt-oss-120b" << WeightFormat::Mxfp4 << qint64{65'248'815'744};
        // Attention 4,026,990,592 and MLP 27,179,089,920 · 133 / 256, rounded up each; embedding and head 778,567,680
        // each and norms 660,480 · 2: 2,092,147,456 + 14,120,386,560 + 3,114,270,720 + 1,320,960.
        QTest::newRow("Qwen2.5-32B AWQ") << "qwen2.5-32b" << WeightFormat::Awq4
                                         << qint64{2'092'147'456 + 14'120'386'560 + 3'114'270'720 + 1'320'960};
    }
    void publishedSizes()
    {
        QFETCH(const QString, model);
        QFETCH(const WeightFormat, format);
        QFETCH(const qint64, bytes);
        QCOMPARE(core::bytesOf(tests::model(model.toStdString()).weights, format), Bytes(bytes));
    }

    void awqOfQwen32BIsAbout18GiB()
    {
        const double gib = core::toGib(core::bytesOf(tests::model("qwen2.5-32b").weights, WeightFormat::Awq4));
        QVERIFY2(std::abs(gib - 18.0) <= 0.1, QByteArray::number(gib)); // the table
    }

    void sumsOverParts()
    {
        for (const core::Model& model : tests::models()) {
            std::int64_t parameters = 0;
            for (const core::WeightCount& count : model.weights.parts)
                parameters += count.parameters;
            QCOMPARE(model.weights.parameters(), parameters);
            for (const core::WeightFormatInfo& format : core::weightFormats()) {
                Bytes sum;
                for (const core::WeightCount& count : model.weights.parts)
                    sum += core::bytesOf(model.weights, count, format.format);
                QCOMPARE(core::bytesOf(model.weights, format.format), sum);
            }
        }
    }

    void roundingAndUnknown()
    {
        Weights weights;
        QVERIFY(!weights.known());
        QCOMPARE(core::bytesOf(weights, WeightFormat::Bf16), Bytes());
        weights.parts = {{WeightPart::Mlp, 1}};
        QVERIFY(weights.known());
        QCOMPARE(core::bytesOf(weights, WeightFormat::Awq4), Bytes(1)); // 133 / 256, rounded up to a byte
        weights.parts = {{WeightPart::Mlp, 257}};
        QCOMPARE(core::bytesOf(weights, WeightFormat::Awq4), Bytes(134)); // 133.52
    }

    void givenBytesCountInsteadOfParameters()
    {
        core::Scenario scenario = tests::scenarioOf("llama-3.1-8b");
        scenario.weightBytes = core::gib(5);
        QCOMPARE(core::weightBytes(scenario), std::optional(core::gib(5)));
        scenario.weightBytes.reset();
        QCOMPARE(core::weightBytes(scenario), std::optional(Bytes(16'060'522'496)));
        scenario.model.weights = {};
        QVERIFY(!core::weightBytes(scenario));
    }
};

ROOM_TEST(TestWeights, void)
#include "test_weights.moc"
