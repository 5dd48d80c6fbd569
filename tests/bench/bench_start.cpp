// SPDX-License-Identifier: GPL-3.0-or-later
/// The start until the first paint as a ratio to that of a bare window with two charts, and commands as a ratio to
/// `--version`, all as whole processes.
#include "core/files/catalog.h"
#include "tests/bench/bare_window.h"
#include "tests/bench/ratio.h"
#include "ui/first_scenario.h"
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

#include <cstring>
#include <memory>

namespace {

constexpr int kStarts = 30; ///< Processes that a comparison starts of each kind.

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

/// What a process takes from its start to its end.
double run(const QString& program, const QStringList& arguments)
{
    const double before = bench::processorMilliseconds(RUSAGE_CHILDREN);
    QProcess process;
    process.setStandardOutputFile(QProcess::nullDevice());
    process.start(program, arguments);
    const bool ended = process.waitForFinished();
    bench::require(ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0,
                   (program + QLatin1Char(' ') + arguments.join(QLatin1Char(' '))).toStdString() + " failed.");
    return bench::processorMilliseconds(RUSAGE_CHILDREN) - before;
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
    const auto startOf = [&](const char* window) { return [=] { return run(self, {QString::fromLatin1(window)}); }; };
    const auto command = [](const QStringList& line) {
        return [=] { return run(QStringLiteral(KVHORIZON_PROGRAM), line); };
    };
    const auto version = command({QStringLiteral("--version")});
    const auto size = command({QStringLiteral("size"), QStringLiteral("llama-3.1-8b"), QStringLiteral("--gpu"),
                               QStringLiteral("rtx-4090"), QStringLiteral("--batch"), QStringLiteral("4")});
    QTemporaryFile config(QDir::tempPath() + QStringLiteral("/config-XXXXXX.json"));
    bench::require(config.open() && config.write(longestConfig()) >= 1'000 && config.flush(), "No config to inspect.");
    const auto inspect = command({QStringLiteral("inspect"), config.fileName()});

    bench::Ratios ratios;
    ratios.compare("start to first paint / bare window", 1.5, kStarts, startOf("ours"), startOf("bare"));
    ratios.compare("size / --version", 1.4, kStarts, size, version);
    // --version takes 20 ms and more: 3 ms beside it are 15 %.
    ratios.compare("inspect of a long config.json / --version", 1.15, kStarts, inspect, version);
    return ratios.exitCode();
}
