// SPDX-License-Identifier: GPL-3.0-or-later
/// What one step of a slider costs, from the edit until formula, verdict and both charts are painted, as a ratio to a
/// bare Qt Charts window with the same two charts, and what parts of it cost as a ratio to a step. All in this process.
#include "core/engines/engine.h"
#include "core/files/catalog.h"
#include "core/sizing/evaluate.h"
#include "tests/bench/bare_window.h"
#include "tests/bench/ratio.h"
#include "ui/count_slider.h"
#include "ui/first_scenario.h"
#include "ui/main_window.h"
#include "ui/theme.h"

#include <QAbstractScrollArea>
#include <QApplication>
#include <QEvent>
#include <QFile>

#include <cstdio>
#include <string>

namespace {

constexpr int kSteps = 10;    ///< Steps of one run: a run takes what they take on average.
constexpr int kSmall = 4'096; ///< Contexts between these two stay within one range.
constexpr int kLarge = 12'288;

std::string resource(const QString& name)
{
    QFile file(QStringLiteral(RESOURCES_DIR) + QLatin1Char('/') + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

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
    bench::require(false, "A step was not painted.");
}

/// The context of one of the steps of a run.
int contextOf(int step)
{
    return kSmall + (kLarge - kSmall) * step / kSteps;
}

/// One step of the bare window with the points that our charts have at `context`.
void bareStep(bench::BareWindow& bare, int context)
{
    const double gib = context / 8'192.0 * 4;
    bare.step({QPointF(0, 0), QPointF(40'960, gib * 5)}, {QPointF(0, 15), QPointF(40'960, 15 + gib * 6)}, 40'960, 15,
              23.6);
}

constexpr int kReservations = 1'000;
constexpr int kSide = 128; ///< A plane of reservations has so many contexts and so many batches.
constexpr int kStride = 1'000;

class Bench {
public:
    Bench(const ui::Catalogue& catalogue, const QSize& size, bench::Ratios& ratios)
        : m_size(size),
          m_window(catalogue, ui::firstScenario(catalogue)),
          m_bare(size, viewSize("growth"), viewSize("budget")),
          m_growth(m_window, QStringLiteral("growth")),
          m_budget(m_window, QStringLiteral("budget")),
          m_bareGrowth(m_bare, QStringLiteral("growth")),
          m_bareBudget(m_bare, QStringLiteral("budget")),
          m_ratios(ratios)
    {
        m_bare.setRanges(40'960, 28);
        m_bare.show();
        QApplication::processEvents();
        m_slider = m_window.findChild<ui::CountSlider*>(QStringLiteral("context-slider"));
    }

    void steps(const std::string& name, double limit)
    {
        m_ratios.compare(
            name, limit, 20, [this] { return ourRun(contextOf); }, [this] { return bareRun(contextOf); });
    }

    /// How often one step plans a scenario: once for all that is shown of it, and once for what the label's memory
    /// would give.
    void plans()
    {
        m_slider->setValue(kSmall);
        QApplication::processEvents();
        const std::int64_t before = core::engines::plansMade();
        m_slider->setValue(kLarge);
        QApplication::processEvents();
        std::printf("plans of one step: %lld\n", static_cast<long long>(core::engines::plansMade() - before));
    }

    /// Every step leaves the range: far away and back.
    void rangeSteps()
    {
        const auto farAndBack = [](int step) { return step % 2 == 0 ? 1'048'576 : 1'024; };
        m_ratios.compare(
            "step in which the ranges change / bare step", 2.5, 20, [&] { return ourRun(farAndBack); },
            [this] { return bareRun(contextOf); });
    }

    void evaluation()
    {
        const core::Scenario scenario = m_window.session().current().scenario;
        compareToStep("evaluate with all limits / step", 0.01,
                      [&] { return core::evaluate(scenario).memory.total().count(); });
    }

    /// What each engine's reservation of the model at hand costs, made anew and from a plan that is kept.
    void reservations(const core::Model& model)
    {
        for (std::size_t i = 0; i < core::engineIds().size(); ++i) {
            core::Scenario scenario = core::scenarioOf(model);
            scenario.engine = static_cast<core::EngineId>(i);
            scenario.workload.batch = 4;
            const std::string name(core::engineIds()[i]);
            compareToStep("reserve, " + name + " / step", 0.02, [&] {
                scenario.workload.context = scenario.workload.context % kReservations + 1;
                return core::engines::reserve(scenario).used().count();
            });
            plane(name, scenario);
        }
    }

private:
    /// Compares one call of `work`, which returns a number so that it is not left out, with a step.
    template <typename Work> void compareToStep(const std::string& what, double limit, Work work)
    {
        std::int64_t sum = 0;
        m_ratios.compare(
            what, limit, 5,
            [&] {
                return bench::milliseconds([&] {
                           for (int i = 0; i < kReservations; ++i)
                               sum += work() % 3 + 1;
                       }) /
                       kReservations;
            },
            [this] { return ourRun(contextOf); });
        bench::require(sum > 0, what + ": nothing was counted.");
    }

    /// A plane of reservations of one plan for one GPU.
    void plane(const std::string& name, const core::Scenario& scenario)
    {
        const auto plan = core::engines::plan(scenario);
        core::Workload workload = scenario.workload;
        core::engines::Reservation reservation; // one for all cells, as a map of them would have
        std::int64_t sum = 0;
        const auto fill = [&] {
            for (workload.batch = 1; workload.batch <= kSide; ++workload.batch) {
                for (int n = 1; n <= kSide; ++n) {
                    workload.context = n * kStride;
                    plan->reserve(workload, reservation);
                    sum += reservation.used().count() % 3 + 1;
                }
            }
        };
        m_ratios.compare(
            "plane of reservations, " + name + " / step", 1, 10, [&] { return bench::milliseconds(fill); },
            [this] { return ourRun(contextOf); });
        bench::require(sum > 0, name + ": nothing was reserved.");
    }

    /// The size that a view of our window has.
    QSize viewSize(const char* name)
    {
        m_window.resize(m_size);
        m_window.show();
        QApplication::processEvents();
        return m_window.findChild<QWidget*>(QString::fromLatin1(name))->size();
    }

    /// What a step of our window takes on average, over the contexts of a run.
    template <typename ContextOf> double ourRun(ContextOf contextOfStep)
    {
        return bench::milliseconds([&] {
                   for (int step = 0; step < kSteps; ++step) {
                       const int growth = m_growth.count;
                       const int budget = m_budget.count;
                       m_slider->setValue(contextOfStep(step));
                       untilPainted(m_growth, m_budget, growth, budget);
                   }
               }) /
               kSteps;
    }

    template <typename ContextOf> double bareRun(ContextOf contextOfStep)
    {
        return bench::milliseconds([&] {
                   for (int step = 0; step < kSteps; ++step) {
                       const int growth = m_bareGrowth.count;
                       const int budget = m_bareBudget.count;
                       bareStep(m_bare, contextOfStep(step));
                       untilPainted(m_bareGrowth, m_bareBudget, growth, budget);
                   }
               }) /
               kSteps;
    }

    QSize m_size;
    ui::MainWindow m_window;
    bench::BareWindow m_bare;
    PaintCounter m_growth;
    PaintCounter m_budget;
    PaintCounter m_bareGrowth;
    PaintCounter m_bareBudget;
    ui::CountSlider* m_slider = nullptr;
    bench::Ratios& m_ratios;
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
    bench::require(models && gpus, "The catalogues cannot be read.");
    const ui::Catalogue catalogue{*models, *gpus};
    bench::Ratios ratios;
    {
        Bench bench(catalogue, QSize(1600, 900), ratios);
        bench.steps("step / bare step, 1600x900", 1.4);
        bench.plans();
        bench.evaluation();
        for (const core::Model& model : *models) {
            if (model.id == "qwen3.5-27b" || model.id == "gemma-3-27b" || model.id == "deepseek-v3.2")
                bench.reservations(model);
        }
        bench.rangeSteps();
    }
    Bench bench(catalogue, QSize(3840, 2160), ratios);
    bench.steps("step / bare step, 3840x2160", 1.2);
    return ratios.exitCode();
}
