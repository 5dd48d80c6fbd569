// SPDX-License-Identifier: GPL-3.0-or-later
// The two charts and the ranges they share.
#include "tests/room.h"
#include "tests/ui/harness.h"
#include "ui/charts/budget_chart.h"
#include "ui/charts/chart_scale.h"
#include "ui/charts/chart_style.h"
#include "ui/charts/growth_chart.h"
#include "ui/views/overview.h"
#include "ui/views/views.h"

#include <QApplication>
#include <QBarSet>
#include <QChart>
#include <QChartView>
#include <QFontMetricsF>
#include <QLineSeries>
#include <QStackedBarSeries>
#include <QTest>
#include <QValueAxis>

#include <cmath>
#include <vector>

using core::Bytes;
using core::Evaluation;
using core::Scenario;
using ui::ChartScale;
using ui::Role;
using ui::ScaleTracker;
using ui::Theme;

namespace {

/// The first start: every part but overhead and reserve is there.
Scenario first()
{
    Scenario scenario = tests::on(tests::with(tests::scenarioOf("llama-3.1-8b"), 8'192, 4), "rtx-4090");
    scenario.waste = core::Percent::whole(20);
    return scenario;
}

/// All five parts.
Scenario full()
{
    Scenario scenario = first();
    scenario.hardware.count = 2;
    scenario.overhead = core::mib(700);
    scenario.reserve = core::Percent::whole(10);
    return scenario;
}

bool isInside(const ChartScale& scale, const Evaluation& evaluation)
{
    const core::Footprint& footprint = evaluation.footprint;
    return evaluation.scenario.workload.context <= scale.lastContext &&
           scale.valueOf(footprint.memory.total()) <= scale.top &&
           scale.valueOf(footprint.capacity.value_or(Bytes())) <= scale.top;
}

/// The numbers of a drag over a whole slider, 16 for each doubling.
std::vector<std::int64_t> dragOver(std::int64_t from, std::int64_t to, bool back)
{
    std::vector<std::int64_t> numbers;
    const double doublings = std::log2(static_cast<double>(to) / static_cast<double>(from));
    for (int step = 0; step <= doublings * 16; ++step)
        numbers.push_back(std::llround(static_cast<double>(from) * std::exp2(step / 16.0)));
    if (back)
        std::ranges::reverse(numbers);
    return numbers;
}

/// Steps of a drag at which a range changes; -1 where a value is outside its range.
int changesOf(const std::vector<Scenario>& steps)
{
    ScaleTracker tracker;
    ChartScale before = tracker.follow(core::assess(steps.front()));
    int changes = 0;
    for (const Scenario& step : steps) {
        const Evaluation evaluation = core::assess(step);
        const ChartScale now = tracker.follow(evaluation);
        if (!isInside(now, evaluation))
            return -1;
        changes += now == before ? 0 : 1;
        before = now;
    }
    return changes;
}

QLineSeries* lineOf(const ui::GrowthChart& chart, Role role)
{
    for (QAbstractSeries* series : chart.chart()->series()) {
        auto* line = qobject_cast<QLineSeries*>(series);
        if (line != nullptr && line->pen().color() == Theme::light().color(role))
            return line;
    }
    return nullptr;
}

/// The axis of the values: upright, or level where the bars lie.
QValueAxis* valueAxis(const QChart& chart)
{
    for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
        for (QAbstractAxis* axis : chart.axes(orientation)) {
            if (auto* value = qobject_cast<QValueAxis*>(axis))
                return value;
        }
    }
    return nullptr;
}

QList<QBarSet*> setsOf(const QChart& chart)
{
    return qobject_cast<QAbstractBarSeries*>(chart.series().front())->barSets();
}

/// A chart in a view of its own, evaluated.
template <typename Chart> struct Stage {
    Chart chart;
    QChartView view{chart.chart()};
    ScaleTracker tracker;
    ChartScale scale;

    explicit Stage(const Scenario& scenario, QSize size = {900, 500})
    {
        view.resize(size);
        view.show();
        show(scenario);
    }
    void show(const Scenario& scenario)
    {
        const Evaluation evaluation = core::assess(scenario);
        scale = tracker.follow(evaluation);
        chart.show(evaluation, scale);
        QApplication::processEvents();
    }
    int pixelsLike(Role role)
    {
        const QImage image = view.grab().toImage();
        int count = 0;
        for (int y = 0; y < image.height(); ++y) {
            for (int x = 0; x < image.width(); ++x)
                count += image.pixel(x, y) == Theme::light().color(role).rgb() ? 1 : 0;
        }
        return count;
    }
};

} // namespace

Q_DECLARE_METATYPE(core::Scenario)

class TestCharts : public QObject {
    Q_OBJECT

private slots:
    void dragsChangeRangesTenTimesAtMost_data()
    {
        QTest::addColumn<Scenario>("scenario");
        for (const char* model : {"llama-3.1-8b", "llama-2-7b", "gpt2", "gemma-3-27b", "granite-4.0-h-micro"}) {
            for (const std::int64_t batch : {1, 64}) {
                const Scenario scenario = tests::with(tests::scenarioOf(model), 8'192, batch);
                QTest::addRow("%s, batch %d, no GPU", model, static_cast<int>(batch)) << scenario;
                for (const char* gpu : {"rtx-4090", "h100-sxm"})
                    QTest::addRow("%s, batch %d, %s", model, static_cast<int>(batch), gpu) << tests::on(scenario, gpu);
            }
        }
        QTest::newRow("first start") << first();
    }
    void dragsChangeRangesTenTimesAtMost()
    {
        QFETCH(const Scenario, scenario);
        for (const bool back : {false, true}) {
            std::vector<Scenario> byContext;
            for (const std::int64_t context : dragOver(256, 1'048'576, back))
                byContext.push_back(tests::with(scenario, context, scenario.workload.batch));
            std::vector<Scenario> byBatch;
            for (const std::int64_t batch : dragOver(1, 1'024, back))
                byBatch.push_back(tests::with(scenario, scenario.workload.context, batch));
            for (const std::vector<Scenario>& steps : {byContext, byBatch}) {
                const int changes = changesOf(steps);
                QVERIFY2(changes >= 0 && changes <= 10, QByteArray::number(changes));
            }
        }
    }

    void rangeHoldsWhileValuesStayInside()
    {
        ScaleTracker tracker;
        const ChartScale start = tracker.follow(core::assess(first()));
        QVERIFY(start.lastContext > 8'192);
        for (const std::int64_t context : {2'000, 4'096, 9'000, 12'000, 6'000, 8'192})
            QCOMPARE(tracker.follow(core::assess(tests::with(first(), context, 4))), start);
        // Beyond the range: another one, which holds again on the way back.
        const ChartScale next = tracker.follow(core::assess(tests::with(first(), start.lastContext + 1, 4)));
        QVERIFY(next.lastContext > start.lastContext);
        QCOMPARE(tracker.follow(core::assess(tests::with(first(), start.lastContext - 1, 4))).lastContext,
                 next.lastContext);
    }

    void rangesOfTheFirstStart()
    {
        ScaleTracker tracker;
        const Evaluation evaluation = core::assess(first());
        const ChartScale scale = tracker.follow(evaluation);
        QCOMPARE(scale.unit.name(), "GiB");
        QVERIFY(isInside(scale, evaluation));
        QVERIFY(scale.top < 2 * core::toGib(*evaluation.footprint.capacity)); // most of the room is used
        QCOMPARE(std::fmod(scale.top, scale.step), 0.0);
        QCOMPARE(scale.lastContext % scale.contextStep, 0);
        // Memory ends at 14,815 tokens (a quarter of 59,264 with a fifth of waste): in sight.
        QVERIFY(scale.lastContext > *evaluation.footprint.limits.maxContext.value);
    }

    void units()
    {
        const ChartScale mib{.unit = {.power = 2}};
        const ChartScale gib{.unit = {.power = 3}};
        const ChartScale tib{.unit = {.power = 4}};
        QCOMPARE(mib.valueOf(core::gib(2)), 2'048.0);
        QCOMPARE(gib.valueOf(core::gib(2)), 2.0);
        QCOMPARE(tib.valueOf(core::gib(2'048)), 2.0);
        ScaleTracker tracker; // 0.46 GiB of weights
        QCOMPARE(tracker.follow(core::assess(tests::scenarioOf("gpt2"))).unit.name(), "MiB");
    }

    void otherUnit()
    {
        // 28 GiB are 30.06 GB: ticks at 0, 4, … 28 GB; 28 GB are 26.08 GiB.
        const ChartScale scale{.lastContext = 40'960, .contextStep = 8'192, .top = 28, .step = 4, .unit = {}};
        const std::vector<ui::Tick> ticks = scale.otherUnitTicks();
        QCOMPARE(ticks.size(), 8U);
        QCOMPARE(ticks[1].label, QStringLiteral("4"));
        QCOMPARE(ticks.back().label, QStringLiteral("28 GB"));
        QCOMPARE(ticks.back().place, 28e9 / 1'073'741'824.0);
        ChartScale logarithmic = scale;
        logarithmic.logarithmic = true;
        logarithmic.top = 32; // GiB: 34.4 GB
        QCOMPARE(logarithmic.otherUnitTicks().back().label, QStringLiteral("32 GB"));
        QCOMPARE(std::exp2(logarithmic.otherUnitTicks().back().place), 32e9 / 1'073'741'824.0);
    }

    void growthLines_data()
    {
        QTest::addColumn<Scenario>("scenario");
        QTest::newRow("straight") << full();
        QTest::newRow("with a corner") << tests::on(tests::scenarioOf("gemma-3-27b"), "rtx-4090");
        Scenario paged = full();
        paged.waste = {};
        paged.engine = core::EngineId::Paged;
        QTest::newRow("staircase") << paged;
    }
    void growthLines()
    {
        QFETCH(const Scenario, scenario);
        const Stage<ui::GrowthChart> stage(scenario);
        const QLineSeries* cache = lineOf(stage.chart, Role::Cache);
        const QLineSeries* total = lineOf(stage.chart, Role::Total);
        QVERIFY(cache != nullptr && total != nullptr);
        QCOMPARE(cache->points().size(), total->points().size());
        QCOMPARE(cache->points().front().x(), 0.0);
        QCOMPARE(cache->points().back().x(), static_cast<double>(stage.scale.lastContext));
        for (qsizetype i = 0; i < cache->points().size(); ++i) {
            const core::CurvePoint point =
                core::growthAt(core::assess(scenario), std::llround(cache->points().at(i).x()));
            QCOMPARE(cache->points().at(i).y(), core::toGib(point.cache));
            QCOMPARE(total->points().at(i).y(), core::toGib(point.total));
        }
        if (scenario.engine == core::EngineId::Paged)
            QVERIFY(cache->points().size() > 700); // a sample for each pixel column of the plot
    }

    void levels()
    {
        Stage<ui::GrowthChart> stage(first());
        const auto levelOf = [&](Role role) { return lineOf(stage.chart, role)->points(); };
        const auto last = static_cast<double>(stage.scale.lastContext);
        const double weights = core::toGib(Bytes(16'060'522'496));
        QCOMPARE(levelOf(Role::Weights), (QList<QPointF>{{0, weights}, {last, weights}}));
        const double capacity = core::toGib(core::mib(24'210));
        QCOMPARE(levelOf(Role::Capacity), (QList<QPointF>{{0, capacity}, {last, capacity}}));
        Scenario without = first();
        without.hardware.gpu.reset();
        stage.show(without);
        QVERIFY(levelOf(Role::Capacity).isEmpty());
    }

    void growthDescription()
    {
        Stage<ui::GrowthChart> stage(tests::onTyped(tests::scenarioOf("llama-3.1-8b"), core::gib(24)));
        QCOMPARE(
            stage.chart.description(),
            QStringLiteral("At 8,192 tokens and batch 1 the cache is 1.00 GiB and the total 15.96 GiB. Memory ends "
                           "after 74,075 tokens. The cache reaches the weights at 122,533 tokens."));
        stage.show(tests::with(tests::scenarioOf("mistral-7b-v0.1"), 8'192, 2));
        QCOMPARE(stage.chart.description(),
                 QStringLiteral("At 8,192 tokens and batch 2 the cache is 1.00 GiB and the total 14.49 GiB."));
    }

    void barSegmentsSum()
    {
        const Scenario scenario = full();
        const core::MemoryParts memory = tests::footprintOf(scenario).memory;
        const std::vector<Bytes> parts{memory.weights, memory.cache, memory.waste, memory.overhead, memory.reserve};
        for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
            Stage<ui::BudgetChart> stage(scenario);
            stage.chart.setOrientation(orientation);
            const QList<QBarSet*> sets = setsOf(*stage.chart.chart());
            QCOMPARE(sets.size(), 5);
            double sum = 0;
            for (int i = 0; i < 5; ++i) {
                QCOMPARE(sets.at(i)->at(0), core::toGib(parts.at(static_cast<std::size_t>(i))));
                QVERIFY(sets.at(i)->at(0) > 0);
                sum += sets.at(i)->at(0);
            }
            QVERIFY(std::abs(sum - core::toGib(memory.total())) < 1e-9);
            const QValueAxis* axis = valueAxis(*stage.chart.chart());
            QCOMPARE(axis->min(), 0.0); // bars start at 0
            QCOMPARE(axis->max(), stage.scale.top);
        }
    }

    /// llama.cpp fills each GPU by itself: a bar for each, and one for the host where it keeps cache.
    void barsOfDevices()
    {
        Scenario scenario = tests::on(tests::with(tests::scenarioOf("llama-3.1-8b"), 8'192, 4), "rtx-4090", 2);
        scenario.engine = core::EngineId::LlamaCpp;
        scenario.settings.set("tensor-split", "3,1");
        for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
            const bool upright = orientation == Qt::Vertical;
            Stage<ui::BudgetChart> stage(scenario, upright ? QSize(292, 500) : QSize(900, 128));
            stage.chart.setOrientation(orientation);
            const core::Footprint footprint = tests::footprintOf(scenario);
            QCOMPARE(footprint.devices.size(), 2U);
            QCOMPARE(stage.chart.barCount(), 2);
            QCOMPARE(stage.chart.shownBar(), 0); // three quarters of the layers are there
            const QList<QBarSet*> sets = setsOf(*stage.chart.chart());
            for (std::size_t i = 0; i < 2; ++i) {
                const int place = upright ? static_cast<int>(i) : 1 - static_cast<int>(i); // the first one lies on top
                QCOMPARE(sets.at(0)->at(place), core::toGib(footprint.devices[i].parts.weights));
                QCOMPARE(sets.at(1)->at(place), core::toGib(footprint.devices[i].parts.cache));
            }
            // The range is that of one GPU, 23.64 GiB, and not of both.
            QVERIFY(valueAxis(*stage.chart.chart())->max() < 40);
            QVERIFY(stage.chart.description().startsWith(QLatin1String("GeForce RTX 4090 #0: Weights ")));
            QVERIFY(stage.chart.description().contains(QLatin1String("GeForce RTX 4090 #1: Weights ")));
            stage.chart.choose({1, 0});
            QCOMPARE(stage.chart.shownBar(), 1);
            scenario.settings.set("n-gpu-layers", "20");
            stage.show(scenario);
            QCOMPARE(stage.chart.barCount(), 3); // with the host
            QCOMPARE(stage.chart.shownBar(), 0);
            scenario.settings.erase("n-gpu-layers");
            stage.show(first());
            QCOMPARE(stage.chart.barCount(), 1);
            QCOMPARE(valueAxis(*stage.chart.chart())->max(), stage.scale.top);
        }
    }

    void budgetDescription()
    {
        Stage<ui::BudgetChart> stage(first()); // 4 GiB in use, a fifth of 5 GiB is waste
        QCOMPARE(stage.chart.description(), QStringLiteral("Weights 14.96 GiB, Cache in use 4.00 GiB, Waste: typed "
                                                           "share 1.00 GiB, Free 3.69 GiB, Capacity 23.64 GiB."));
        stage.show(tests::with(first(), 8'192, 16)); // 14.96 + 16 + 4 − 23.64
        QVERIFY(stage.chart.description().contains(QLatin1String("Over by 11.31 GiB")));
        stage.show(full());
        QVERIFY(stage.chart.description().contains(QLatin1String("Overhead 1.37 GiB, Kept free 4.73 GiB")));
        Scenario without = first();
        without.hardware.gpu.reset();
        stage.show(without);
        QCOMPARE(stage.chart.description(),
                 QStringLiteral("Weights 14.96 GiB, Cache in use 4.00 GiB, Waste: typed share 1.00 GiB."));
    }

    void overflowIsSeen()
    {
        for (const Qt::Orientation orientation : {Qt::Vertical, Qt::Horizontal}) {
            Stage<ui::BudgetChart> stage(first(), orientation == Qt::Vertical ? QSize(264, 500) : QSize(900, 128));
            stage.chart.setOrientation(orientation);
            QCOMPARE(stage.pixelsLike(Role::Bad), 0);
            stage.show(tests::with(first(), 8'192, 16));
            QVERIFY(stage.pixelsLike(Role::Bad) > 100);
        }
    }

    void levelTicksDoNotTouch_data()
    {
        QTest::addColumn<double>("width");
        QTest::addColumn<int>("least");
        QTest::newRow("wide") << 900.0 << 7;
        QTest::newRow("a lesson beside it") << 200.0 << 3;
        QTest::newRow("hardly any") << 50.0 << 1;
        QTest::newRow("none") << 0.0 << 1;
    }
    void levelTicksDoNotTouch()
    {
        QFETCH(const double, width);
        QFETCH(const int, least);
        std::vector<ui::Tick> all;
        for (int i = 0; i < 7; ++i)
            all.push_back({i * 256.0, QLocale().toString(i * 256)});
        const auto place = [&](double value) { return width * value / (6 * 256.0); };
        const std::vector<ui::Tick> ticks = ui::ticksThatFit(all, QStringLiteral("MiB"), place);
        QVERIFY(static_cast<int>(ticks.size()) >= least);
        QCOMPARE(ticks.front().place, 0.0);
        QVERIFY(ticks.back().label.endsWith(QLatin1String(" MiB")));
        const QFontMetricsF metrics(ui::fontOf(ui::Type::Caption));
        for (std::size_t i = 1; i < ticks.size(); ++i) {
            const double apart = place(ticks[i].place) - place(ticks[i - 1].place);
            const double needed =
                (metrics.horizontalAdvance(ticks[i].label) + metrics.horizontalAdvance(ticks[i - 1].label)) / 2;
            QVERIFY(apart > needed);
        }
    }

    void growthAndBudgetShareRows()
    {
        ui::Overview overview;
        overview.resize(1'200, 600);
        const core::Evaluation evaluation = core::assess(full());
        overview.show({evaluation, evaluation});
        overview.show();
        QVERIFY(QTest::qWaitForWindowExposed(&overview));
        const auto plotOf = [&](const char* name) {
            const auto* view = tests::child<QChartView>(overview, name);
            const QRectF plot = view->chart()->mapRectToScene(view->chart()->plotArea());
            const QRect inView(view->mapFromScene(plot.topLeft()), view->mapFromScene(plot.bottomRight()));
            return QRect(view->mapTo(&overview, inView.topLeft()), view->mapTo(&overview, inView.bottomRight()));
        };
        const QRect growth = plotOf("growth");
        const QRect budget = plotOf("budget");
        QVERIFY(growth.height() > 400);
        QCOMPARE(budget.top(), growth.top());
        QCOMPARE(budget.bottom(), growth.bottom());
        QVERIFY(budget.left() > growth.right());
        const auto axisOf = [&](const char* name) {
            return valueAxis(*tests::child<QChartView>(overview, name)->chart());
        };
        QCOMPARE(axisOf("budget")->max(), axisOf("growth")->max());
        QCOMPARE(axisOf("budget")->min(), axisOf("growth")->min());
    }

    void staleIsFaded()
    {
        ui::ViewFrame overview(ui::views().front());
        const core::Evaluation valid = core::assess(first());
        const core::Evaluation refused = core::assess(tests::with(first(), 0, 1));
        overview.show({valid, refused});
        for (const char* name : {"growth", "budget"})
            QVERIFY(tests::child<QChartView>(overview, name)->chart()->opacity() < 1);
        overview.show({valid, valid});
        for (const char* name : {"growth", "budget"})
            QCOMPARE(tests::child<QChartView>(overview, name)->chart()->opacity(), 1.0);
    }

    void themes()
    {
        Stage<ui::GrowthChart> growth(first());
        Stage<ui::BudgetChart> budget(first());
        growth.chart.setTheme(Theme::dark());
        budget.chart.setTheme(Theme::dark());
        const QColor page = Theme::dark().color(Role::Page);
        QCOMPARE(growth.chart.chart()->backgroundBrush().color(), page);
        QCOMPARE(budget.chart.chart()->backgroundBrush().color(), page);
        QCOMPARE(setsOf(*budget.chart.chart()).front()->brush().color(), Theme::dark().color(Role::Weights));
        QCOMPARE(lineOf(growth.chart, Role::Cache), nullptr); // no line is left in the light theme's colour
        QCOMPARE(growth.view.grab().toImage().pixelColor(2, 2), page);
    }
};

ROOM_TEST(TestCharts, QApplication)
#include "test_charts.moc"
