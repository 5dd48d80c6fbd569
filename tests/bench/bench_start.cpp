// SPDX-License-Identifier: GPL-3.0-or-later
/// The start until the first paint as a ratio to that of a bare window with two charts, and commands as a ratio to
/// `--version`, all as whole processes.
#include "app/window.h"
#include "tests/bench/bare_window.h"
#include "tests/bench/ratio.h"
#include "ui/theme.h"

#include <QApplication>
#include <QDir>
#include <QEvent>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTemporaryFile>
#include <QTimer>

#include <cstdlib>
#include <cstring>

namespace {

constexpr int kStarts = 30; ///< Processes that a comparison starts of each kind.

/// Ends the process once its window was painted: closing it is no part of the start.
class EndAfterPaint : public QObject {
public:
    using QObject::QObject;
    bool eventFilter(QObject* receiver, QEvent* event) override
    {
        const auto* widget = qobject_cast<QWidget*>(receiver);
        if (event->type() == QEvent::Paint && widget != nullptr && widget->isWindow())
            QTimer::singleShot(0, qApp, [] { std::_Exit(0); });
        return false;
    }
};

/// Runs when an application is made, which the program does itself.
void endAfterPaint()
{
    qApp->installEventFilter(new EndAfterPaint(qApp));
}
Q_COREAPP_STARTUP_FUNCTION(endAfterPaint)

int startBareWindow(int& argc, char** argv)
{
    const QApplication application(argc, argv);
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setPalette(ui::Theme::light().palette());
    bench::BareWindow window(QSize(1600, 900), QSize(1000, 720), QSize(264, 720));
    window.setRanges(40'960, 28);
    window.step({QPointF(0, 0), QPointF(40'960, 20)}, {QPointF(0, 15), QPointF(40'960, 40)}, 40'960, 15, 23.6);
    window.show();
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
        return std::strcmp(argv[1], "bare") == 0 ? startBareWindow(argc, argv) : app::startWindow(argc, argv, {}, {});
    const QTemporaryDir home; // no settings and no session of who runs this
    for (const char* variable : {"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
        qputenv(variable, home.path().toLocal8Bit());
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
