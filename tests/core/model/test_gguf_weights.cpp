// SPDX-License-Identifier: GPL-3.0-or-later
// The mixtures of llama.cpp, whose shares are typical: sizes are about right.
#include "core/model/weights.h"
#include "tests/core/catalogue.h"
#include "tests/room.h"

#include <QTest>

#include <cmath>

using core::WeightFormat;

Q_DECLARE_METATYPE(core::WeightFormat)

class TestGgufWeights : public QObject {
    Q_OBJECT

private slots:
    void sizesOfLlama8BFiles_data()
    {
        QTest::addColumn<WeightFormat>("format");
        QTest::addColumn<double>("gib"); // of the files of Meta-Llama-3.1-8B-Instruct that are published
        QTest::newRow("Q8_0") << WeightFormat::Q8_0 << 7.95;
        QTest::newRow("Q6_K") << WeightFormat::Q6K << 6.14;
        QTest::newRow("Q5_K_M") << WeightFormat::Q5KM << 5.33;
        QTest::newRow("Q4_K_M") << WeightFormat::Q4KM << 4.58;
        QTest::newRow("IQ4_XS") << WeightFormat::Iq4Xs << 4.17;
        QTest::newRow("Q3_K_M") << WeightFormat::Q3KM << 3.74;
        QTest::newRow("Q2_K") << WeightFormat::Q2K << 2.95;
    }
    void sizesOfLlama8BFiles()
    {
        QFETCH(const WeightFormat, format);
        QFETCH(const double, gib);
        const double counted = core::toGib(core::bytesOf(tests::model("llama-3.1-8b").weights, format));
        QVERIFY2(std::abs(counted / gib - 1.0) <= 0.01, QByteArray::number(counted));
    }

    void mixturesSayAbout()
    {
        for (const core::WeightFormatInfo& format : core::weightFormats())
            QCOMPARE(format.about, format.format >= WeightFormat::Q8_0);
    }

    void everyModelOrdersThemAlike()
    {
        constexpr WeightFormat kLadder[] = {WeightFormat::Bf16, WeightFormat::Q8_0, WeightFormat::Q6K,
                                            WeightFormat::Q5KM, WeightFormat::Q4KM, WeightFormat::Q3KM,
                                            WeightFormat::Q2K};
        for (const core::Model& model : tests::models()) {
            for (std::size_t i = 1; i < std::size(kLadder); ++i)
                QVERIFY2(core::bytesOf(model.weights, kLadder[i]) < core::bytesOf(model.weights, kLadder[i - 1]),
                         model.id.c_str());
        }
    }
};

ROOM_TEST(TestGgufWeights, void)
#include "test_gguf_weights.moc"
