// SPDX-License-Identifier: GPL-3.0-or-later
// Charts in files: what is written decodes, has the size asked for, and is what the table says.
#include "tests/room.h"
#include "tests/ui/harness.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_tables.h"
#include "ui/first_scenario.h"
#include "ui/main_window.h"
#include "ui/views/chart_view.h"

#include <QApplication>
#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>
#include <QXmlStreamReader>

#include <array>
#include <cmath>
#include <set>

namespace {

core::Evaluation first()
{
    return core::assess(ui::firstScenario(tests::catalogue()));
}

const ui::Picture& named(const char* picture)
{
    return *ui::pictureOf(QString::fromLatin1(picture));
}

QByteArray rendered(const char* picture, const ui::ExportSettings& settings, const char* format)
{
    const core::Result<QByteArray> bytes =
        ui::renderPicture(named(picture), first(), settings, QString::fromLatin1(format));
    return bytes ? *bytes : QByteArray();
}

int colours(const QImage& image)
{
    std::set<QRgb> found;
    for (int y = 0; y < image.height(); y += 3) {
        for (int x = 0; x < image.width(); x += 3)
            found.insert(image.pixel(x, y));
    }
    return static_cast<int>(found.size());
}

} // namespace

class TestChartExport : public QObject {
    Q_OBJECT

private slots:
    void initTestCase() { qputenv("SOURCE_DATE_EPOCH", "1764374400"); } // 2025-11-29

    void pngHasItsSize_data()
    {
        QTest::addColumn<QString>("size");
        QTest::addColumn<int>("dpi");
        QTest::addColumn<QSize>("pixels");
        QTest::newRow("pixels") << QStringLiteral("1600x900") << 96 << QSize(1'600, 900);
        QTest::newRow("column of a paper") << QStringLiteral("84x60mm") << 300 << QSize(992, 709); // 84 / 25.4 · 300
        QTest::newRow("page of a paper") << QStringLiteral("174x100mm") << 300 << QSize(2'055, 1'181);
    }
    void pngHasItsSize()
    {
        QFETCH(const QString, size);
        QFETCH(const int, dpi);
        QFETCH(const QSize, pixels);
        for (const char* view : {"growth", "budget"}) {
            ui::ExportSettings settings;
            settings.dpi = dpi;
            QVERIFY(ui::readSize(size, settings));
            const QImage image = QImage::fromData(rendered(view, settings, "png"));
            QCOMPARE(image.size(), pixels);
            QVERIFY(std::abs(image.dotsPerMeterX() - dpi / 0.0254) < 1);
            QVERIFY(colours(image) > 20);
            QVERIFY(image.text(QStringLiteral("Description")).contains(QLatin1String("Llama 3.1 8B")));
            QVERIFY(image.text(QStringLiteral("Description")).contains(QLatin1String("2025-11-29")));
        }
    }

    void badSizes_data()
    {
        QTest::addColumn<QString>("size");
        for (const char* size : {"", "1600", "0x900", "1600x", "axb", "100x100", "90000x900", "-5x900", "1e3x900"})
            QTest::newRow(size) << QString::fromLatin1(size);
    }
    void badSizes()
    {
        QFETCH(const QString, size);
        ui::ExportSettings settings;
        QVERIFY(!ui::readSize(size, settings));
        QCOMPARE(settings.size, QSizeF(1'600, 900));
    }

    void svgIsWellFormedWithAnyTitle()
    {
        ui::ExportSettings settings;
        settings.title = QStringLiteral("A <&> \"title\"");
        const QByteArray svg = rendered("growth", settings, "svg");
        QXmlStreamReader xml(svg);
        int texts = 0;
        while (!xml.atEnd()) {
            xml.readNext();
            texts += xml.isStartElement() && xml.name() == QLatin1String("text") ? 1 : 0;
        }
        QVERIFY2(!xml.hasError(), qPrintable(xml.errorString()));
        QVERIFY(texts > 10);
        QVERIFY(svg.contains("Sizes in GiB; ")); // a title of one's own need not say it
    }

    void pdfIsOne()
    {
        ui::ExportSettings settings;
        settings.dpi = 300;
        QVERIFY(ui::readSize(QStringLiteral("174x100mm"), settings));
        const QByteArray pdf = rendered("budget", settings, "pdf");
        QVERIFY(pdf.startsWith("%PDF-"));
        QVERIFY(pdf.contains("/FontFile2"));         // fonts are embedded
        QVERIFY(pdf.contains("/MediaBox [0 0 493")); // 174 mm = 493.2 points
    }

    void csvEqualsTheTableOfTheWindow()
    {
        ui::MainWindow window(tests::catalogue(), ui::firstScenario(tests::catalogue()));
        window.show();
        QCOMPARE(rendered("growth", {}, "csv"), tests::child<ui::ChartView>(window, "growth")->table().csv().toUtf8());
        QCOMPARE(rendered("budget", {}, "csv"), tests::child<ui::ChartView>(window, "budget")->table().csv().toUtf8());
    }

    void tablesEqualEvaluate()
    {
        const core::Evaluation evaluation = first();
        const std::array<std::int64_t, 3> contexts{0, 8'192, 40'960};
        const std::array<std::int64_t, 2> batches{1, 8};
        const ui::DataTable growth = ui::growthTable(evaluation, contexts, batches);
        QCOMPARE(growth.rows.size(), contexts.size());
        for (std::size_t i = 1; i < contexts.size(); ++i) {
            core::Scenario at = evaluation.scenario;
            at.workload.context = contexts.at(i);
            const core::Footprint footprint = core::evaluate(at);
            QCOMPARE(growth.rows[i][0].toLongLong(), contexts.at(i));
            QCOMPARE(growth.rows[i][1].toLongLong(), footprint.memory.cache.count());
            QCOMPARE(growth.rows[i][3].toLongLong(), footprint.memory.waste.count());
            QCOMPARE(growth.rows[i][5].toLongLong(), footprint.memory.total().count());
            at.workload.batch = 8;
            QCOMPARE(growth.rows[i].back().toLongLong(), core::evaluate(at).kv.total.count());
        }
        const ui::DataTable budget = ui::budgetTable(evaluation);
        qint64 sum = 0;
        for (std::size_t part = 0; part < 5; ++part)
            sum += budget.rows[part][1].toLongLong();
        QCOMPARE(sum, budget.rows[5][1].toLongLong());
        QCOMPARE(sum, evaluation.footprint.memory.total().count());
        QCOMPARE(budget.rows[7][1].toLongLong(), evaluation.footprint.free()->count());
    }

    void csvKeepsDotsInAnyLocale()
    {
        const QByteArray english = rendered("budget", {}, "csv");
        QLocale::setDefault(QLocale(QLocale::German));
        const QByteArray german = rendered("budget", {}, "csv");
        QLocale::setDefault(QLocale::c());
        QCOMPARE(german, english);
        QVERIFY(english.startsWith("part,size_bytes,size_gib\n"));
    }

    void screenThemeDoesNotMatter()
    {
        const QByteArray light = rendered("growth", {}, "png");
        QApplication::setPalette(ui::Theme::dark().palette());
        const QByteArray dark = rendered("growth", {}, "png");
        QApplication::setPalette(ui::Theme::light().palette());
        QVERIFY(light == dark);
    }

    void aFileThatCannotBeWrittenIsAMessage()
    {
        const QTemporaryDir folder;
        const QString name = folder.filePath(QStringLiteral("a 'b' \"c\" ü.png"));
        QVERIFY(ui::exportPicture(named("growth"), first(), {}, name));
        QVERIFY(QFile::exists(name));
        const core::Result<void> missing =
            ui::exportPicture(named("growth"), first(), {}, folder.filePath(QStringLiteral("none/x.png")));
        QVERIFY(!missing);
        QVERIFY(core::english(missing.error().message).find("none/x.png") != std::string::npos);
        QVERIFY(!ui::exportPicture(named("growth"), first(), {}, folder.filePath(QStringLiteral("x.gif"))));
    }
};

ROOM_TEST(TestChartExport, QApplication)
#include "test_chart_export.moc"
