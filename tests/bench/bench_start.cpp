// SPDX-License-Identifier: GPL-3.0-or-later
/// Cold start to the first paint as a ratio to a bare window with two charts, and `size` as a whole process as a ratio
/// to `--version`. Every start is a process of its own, the two kinds alternating.
#include "core/files/catalog.h"
#include "tests/bench/bare_window.h"
#include "tests/bench/ratio.h"
#include "ui/main_window.h"
#include "ui/theme.h"

#include <QApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryFile>
#include <QTimer>

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>

namespace {

constexpr int kStarts = 50; ///< of each kind; the fastest counts

std::string resource(const QString& name)
{
    QFile file(QStringLiteral(RESOURCES_DIR) + QLatin1Char('/') + name);
    return file.open(QIODevice::ReadOnly) ? file.readAll().toStdString() : std::string();
}

/// Ends the program once its window was painted.
class EndAfterPaint : public QObject {
public:
    bool eventFilter(QObject*, QEvent* event) override
    {
        if (event->type() == QEvent::Paint)
            QTimer::singleShot(0, qApp, &QApplication::quit);
        return false;
    }
};

std::unique_ptr<QWidget> makeWindow(bool bare)
{
    if (bare) {
        auto window = std::make_unique<bench::BareWindow>(QSize(1600, 900), QSize(1000, 720), QSize(264, 720));
        window->setRanges(40'960, 28);
        window->step({QPointF(0, 0), QPointF(40'960, 20)}, {QPointF(0, 15), QPointF(40'960, 40)}, 40'960, 15, 23.6);
        return window;
    }
    // As the program does it: the catalogues come after the first paint.
    core::Model model = core::findModel(resource(QStringLiteral("models.json")), ui::kFirstModel).value();
    core::Gpu gpu = core::findGpu(resource(QStringLiteral("gpus.json")), ui::kFirstGpu).value();
    return std::make_unique<ui::MainWindow>(ui::Catalogue{}, ui::firstScenario(std::move(model), std::move(gpu)));
}

int start(int& argc, char** argv, bool bare)
{
    const QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(ui::Theme::light().palette());
    const std::unique_ptr<QWidget> window = makeWindow(bare);
    EndAfterPaint end;
    window->installEventFilter(&end);
    window->show();
    return QApplication::exec();
}

double run(const QString& program, const QStringList& arguments)
{
    return bench::milliseconds([&] {
        QProcess process;
        process.start(program, arguments);
        process.waitForFinished();
    });
}

/// Ratio of the times of two commands, alternating; of the fastest runs, as others only say what else the machine did.
double ratioOf(const QString& firstProgram, const QStringList& first, const QString& secondProgram,
               const QStringList& second)
{
    double ours = std::numeric_limits<double>::max();
    double floor = ours;
    for (int i = 0; i < kStarts; ++i) {
        ours = std::min(ours, run(firstProgram, first));
        floor = std::min(floor, run(secondProgram, second));
    }
    std::printf("%.1f ms against %.1f ms\n", ours, floor);
    return ours / floor;
}

/// The longest of the configs kept as facts, in a file of its own.
QByteArray longestConfig()
{
    QFile file(QStringLiteral(TESTS_DATA_DIR "/configs/mixed.json"));
    QByteArray longest;
    if (file.open(QIODevice::ReadOnly)) {
        for (const QJsonValue config : QJsonDocument::fromJson(file.readAll()).array()) {
            const QByteArray text = QJsonDocument(config.toObject()).toJson();
            longest = text.size() > longest.size() ? text : longest;
        }
    }
    return longest;
}

} // namespace

int main(int argc, char** argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    if (argc > 1)
        return start(argc, argv, std::strcmp(argv[1], "bare") == 0);
    const QString self = QFile::symLinkTarget(QStringLiteral("/proc/self/exe"));
    const QString program = QStringLiteral(KVHORIZON_PROGRAM);
    bench::Result result;
    result.report("start to first paint / bare window",
                  ratioOf(self, {QStringLiteral("ours")}, self, {QStringLiteral("bare")}), 1.5);
    const QStringList size{QStringLiteral("size"),     QStringLiteral("llama-3.1-8b"), QStringLiteral("--gpu"),
                           QStringLiteral("rtx-4090"), QStringLiteral("--batch"),      QStringLiteral("4")};
    const QStringList version{QStringLiteral("--version")};
    result.report("size / --version, whole processes", ratioOf(program, size, program, version), 1.4);
    QTemporaryFile config(QDir::tempPath() + QStringLiteral("/config-XXXXXX.json"));
    if (!config.open() || config.write(longestConfig()) < 1'000 || !config.flush())
        return 1;
    const QStringList inspect{QStringLiteral("inspect"), config.fileName()};
    // --version takes 20 ms and more: 3 ms beside it are 15 %.
    result.report("inspect of a long config.json / --version", ratioOf(program, inspect, program, version), 1.15);
    return result.good ? 0 : 1;
}
