// SPDX-License-Identifier: GPL-3.0-or-later
/// What one step of a slider costs, from the edit until formula, verdict and both charts are painted, as a ratio to a
/// bare Qt Charts window with the same two charts. Both in this process, steps alternating, medians of 200.
#include "core/engines/engine.h"
#include "core/files/catalog.h"
#include "core/sizing/evaluate.h"
#include "tests/bench/bare_window.h"
#include "tests/bench/ratio.h"
#include "ui/count_slider.h"
#include "ui/main_window.h"
#include "ui/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QFile>

#include <cstdio>
#include <vector>

namespace {

constexpr int kSteps = 200;
constexpr int kSmall = 4'096; ///< contexts between these two stay within one range
constexpr int kLarge = 12'288;

std::string resource(const QString& name)
{
    QFile file(QStringLiteral(RESOURCES_DIR) + QLatin1Char('/') + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

using bench::median;
using bench::milliseconds;

/// Counts paint events, to be sure that a step was painted.
class PaintCounter : public QObject {
public:
    explicit PaintCounter(QWidget& window, const QString& view)
    {
        window.findChild<QAbstractScrollArea*>(view)->viewport()->installEventFilter(this);
    }
    bool eventFilter(QObject*, QEvent* event) override
    {
        count += event->type() == QEvent::Paint ? 1 : 0;
        return false;
    }
    int count = 0;
};

/// Runs the event loop until both charts of a window were painted: a scene passes its changes on by queued calls, so
/// one pass is not enough.
void untilPainted(const PaintCounter& growth, const PaintCounter& budget, int growthBefore, int budgetBefore)
{
    constexpr int kMostPasses = 20;
    for (int pass = 0; pass < kMostPasses; ++pass) {
        QApplication::processEvents();
        if (growth.count > growthBefore && budget.count > budgetBefore)
            return;
    }
}

/// One step of the bare window with the points that our charts have at `context`.
void bareStep(bench::BareWindow& bare, int context)
{
    const double gib = context / 8'192.0 * 4;
    bare.step({QPointF(0, 0), QPointF(40'960, gib * 5)}, {QPointF(0, 15), QPointF(40'960, 15 + gib * 6)}, 40'960, 15,
              23.6);
}

constexpr int kReservations = 1'000;
constexpr int kSide = 128; ///< of a plane of reservations: contexts by batches
constexpr int kStride = 1'000;
constexpr int kPlanes = 21;

class Bench {
public:
    Bench(const ui::Catalogue& catalogue, const QSize& size)
        : m_size(size),
          m_window(catalogue, ui::firstScenario(catalogue)),
          m_bare(size, viewSize("growth"), viewSize("budget")),
          m_growth(m_window, QStringLiteral("growth")),
          m_budget(m_window, QStringLiteral("budget")),
          m_bareGrowth(m_bare, QStringLiteral("growth")),
          m_bareBudget(m_bare, QStringLiteral("budget"))
    {
        m_bare.setRanges(40'960, 28);
        m_bare.show();
        QApplication::processEvents();
        m_slider = m_window.findChild<ui::CountSlider*>(QStringLiteral("context-slider"));
    }

    bool good() const { return m_result.good; }

    void steps(const char* name, double limit)
    {
        std::vector<double> ours;
        std::vector<double> floor;
        for (int i = 0; i < kSteps; ++i) {
            const int context = kSmall + (kLarge - kSmall) * ((i * 37) % kSteps) / kSteps;
            ours.push_back(ourStep(context));
            floor.push_back(floorStep(context));
        }
        m_step = median(ours);
        std::printf("step: %.2f ms, bare window: %.2f ms\n", m_step, median(floor));
        std::printf("paints of %d steps: growth %d, budget %d\n", kSteps, m_growth.count, m_budget.count);
        m_result.report(name, m_step / median(floor), limit);
        m_result.good = m_result.good && m_growth.count >= kSteps && m_budget.count >= kSteps;
    }

    /// Every step leaves the range: far away and back.
    void rangeSteps()
    {
        std::vector<double> ours;
        std::vector<double> floor;
        for (int i = 0; i < kSteps; ++i) {
            const int context = i % 2 == 0 ? 1'048'576 : 1'024;
            ours.push_back(ourStep(context));
            floor.push_back(floorStep(kSmall + i));
        }
        m_result.report("step in which the ranges change / bare step", median(ours) / median(floor), 2.5);
    }

    void evaluation()
    {
        const core::Scenario scenario = m_window.session().current().scenario;
        constexpr int kTimes = 1'000;
        std::int64_t sum = 0;
        const double each = milliseconds([&] {
                                for (int i = 0; i < kTimes; ++i)
                                    sum += core::evaluate(scenario).memory.total().count() % 3;
                            }) /
                            kTimes;
        std::printf("evaluate with all limits: %.1f us (%lld)\n", each * 1'000, static_cast<long long>(sum));
        m_result.report("evaluate with all limits / step", each / m_step * 100, 1, "%");
    }

    /// What each engine's reservation of the model at hand costs, made anew and from a plan that is kept.
    void reservations(const core::Model& model)
    {
        for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
            core::Scenario scenario = core::scenarioOf(model);
            scenario.engine = static_cast<core::EngineId>(i);
            scenario.workload.batch = 4;
            const std::string name(core::engineIds()[i]);
            std::int64_t sum = 0;
            const double each = milliseconds([&] {
                                    for (int n = 1; n <= kReservations; ++n) {
                                        scenario.workload.context = n;
                                        sum += core::engines::reserve(scenario).used().count() % 3;
                                    }
                                }) /
                                kReservations;
            m_result.report(("reserve, " + name + " / step").c_str(), each / m_step * 100, 2, "%");
            plane(name, scenario);
        }
    }

private:
    /// A plane of reservations of one plan for one GPU, in turns with steps.
    void plane(const std::string& name, const core::Scenario& scenario)
    {
        const auto plan = core::engines::plan(scenario, core::Bytes());
        core::Workload workload = scenario.workload;
        core::engines::Reservation reservation; // one for all cells, as a map of them would have
        std::int64_t sum = 0;
        std::vector<double> planes;
        std::vector<double> steps;
        for (int i = 0; i < kPlanes; ++i) {
            steps.push_back(ourStep(kSmall + (kLarge - kSmall) * ((i * 37) % kPlanes) / kPlanes));
            planes.push_back(milliseconds([&] {
                for (workload.batch = 1; workload.batch <= kSide; ++workload.batch) {
                    for (int n = 1; n <= kSide; ++n) {
                        workload.context = n * kStride;
                        plan->reserve(workload, reservation);
                        sum += reservation.used().count() % 3;
                    }
                }
            }));
        }
        std::printf("plane: %.2f ms (%lld)\n", median(planes), static_cast<long long>(sum));
        m_result.report(("plane of reservations, " + name + " / step").c_str(), median(planes) / median(steps), 1);
    }

    /// The size that a view of our window has.
    QSize viewSize(const char* name)
    {
        m_window.resize(m_size);
        m_window.show();
        QApplication::processEvents();
        return m_window.findChild<QWidget*>(QString::fromLatin1(name))->size();
    }

    double ourStep(int context)
    {
        return milliseconds([&] {
            const int growth = m_growth.count;
            const int budget = m_budget.count;
            m_slider->setValue(context);
            untilPainted(m_growth, m_budget, growth, budget);
        });
    }

    double floorStep(int context)
    {
        return milliseconds([&] {
            const int growth = m_bareGrowth.count;
            const int budget = m_bareBudget.count;
            bareStep(m_bare, context);
            untilPainted(m_bareGrowth, m_bareBudget, growth, budget);
        });
    }

    QSize m_size;
    ui::MainWindow m_window;
    bench::BareWindow m_bare;
    PaintCounter m_growth;
    PaintCounter m_budget;
    PaintCounter m_bareGrowth;
    PaintCounter m_bareBudget;
    ui::CountSlider* m_slider = nullptr;
    double m_step = 0;
    bench::Result m_result;
};

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(ui::Theme::light().palette());
    const auto models = core::parseModels(resource(QStringLiteral("models.json")));
    const auto gpus = core::parseGpus(resource(QStringLiteral("gpus.json")));
    if (!models || !gpus)
        return 1;
    const ui::Catalogue catalogue{*models, *gpus};
    bool good = true;
    {
        Bench bench(catalogue, QSize(1600, 900));
        bench.steps("step / bare step, 1600x900", 1.4);
        bench.evaluation();
        for (const core::Model& model : *models) {
            if (model.id == "qwen3.5-27b" || model.id == "gemma-3-27b" || model.id == "deepseek-v3.2")
                bench.reservations(model);
        }
        bench.rangeSteps();
        good = bench.good();
    }
    Bench bench(catalogue, QSize(3840, 2160));
    bench.steps("step / bare step, 3840x2160", 1.2);
    return good && bench.good() ? 0 : 1;
}
