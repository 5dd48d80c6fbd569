// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/catalogs.h"
#include "app/lessons.h"
#include "core/sizing/evaluate.h"
#include "core/teaching/lesson_file.h"
#include "core/text/format.h"
#include "ui/charts/chart_export.h"
#include "ui/dialogs.h"
#include "ui/first_scenario.h"
#include "ui/main_window.h"
#include "ui/model_sources.h"
#include "ui/opening.h"
#include "ui/scenario_files.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/whole_file.h"

#include <QApplication>
#include <QBuffer>
#include <QEvent>
#include <QFileInfo>
#include <QFontInfo>
#include <QPixmap>
#include <QTemporaryDir>
#include <QTimer>

#include <functional>
#include <iostream>
#include <utility>

namespace app {

namespace {

/// Does something once, soon after a window was painted for the first time.
class AfterFirstPaint : public QObject {
public:
    AfterFirstPaint(QWidget& window, std::function<void()> work) : m_work(std::move(work))
    {
        window.installEventFilter(this);
    }

    bool eventFilter(QObject* window, QEvent* event) override
    {
        constexpr int kMilliseconds = 50;
        if (event->type() == QEvent::Paint) {
            window->removeEventFilter(this);
            QTimer::singleShot(kMilliseconds, this, [this] { m_work(); });
        }
        return false;
    }

private:
    std::function<void()> m_work;
};

void prepare()
{
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setApplicationName(QStringLiteral("KV Horizon"));
    QApplication::setOrganizationName(QStringLiteral("KV Horizon"));
    QApplication::setApplicationVersion(QStringLiteral(KVHORIZON_VERSION));
    // A font by its own name: "Sans Serif" would be another one where an exported picture is opened.
    QFont named = QApplication::font();
    named.setFamily(QFontInfo(named).family());
    QApplication::setFont(named);
}

core::Result<ui::Catalogue> catalogue()
{
    return course().map([](Course&& all) {
        return ui::Catalogue{std::move(all.models), std::move(all.gpus), std::move(all.exercises),
                             std::move(all.lessons)};
    });
}

int failed(const core::Error& error)
{
    std::cerr << "kvhorizon: " << core::english(error.message) << '\n';
    return kFailed;
}

/// The window as it would open, as a PNG.
core::Result<void> grabWindow(ui::Catalogue catalogue, core::Scenario scenario, const ui::ExportSettings& settings,
                              const QString& path)
{
    ui::MainWindow window(std::move(catalogue), std::move(scenario));
    window.resize(settings.size.toSize());
    window.show();
    QApplication::processEvents();
    QBuffer png;
    png.open(QIODevice::WriteOnly);
    window.grab().save(&png, "PNG");
    return ui::writeWhole(path, png.data());
}

core::Result<ui::ExportSettings> settingsOf(const Picture& picture)
{
    ui::ExportSettings settings;
    settings.title = QString::fromStdString(picture.title);
    settings.dark = picture.theme == "dark";
    bool whole = picture.dpi.empty();
    if (!whole)
        settings.dpi = QString::fromStdString(picture.dpi).toInt(&whole);
    if (!whole)
        return core::fail(KV_TEXT("core", "\"{0}\" is not a number of dots per inch; use a whole number such as 300."),
                          {picture.dpi});
    const QString size = picture.size.empty() ? QStringLiteral("1600x900") : QString::fromStdString(picture.size);
    if (const core::Result<void> read = ui::readSize(size, settings); !read)
        return tl::unexpected<core::Error>(read.error());
    return settings;
}

} // namespace

std::vector<std::string> chartNames()
{
    std::vector<std::string> names;
    for (const ui::Picture& picture : ui::pictures())
        names.emplace_back(picture.name);
    return names;
}

int startWindow(int& argc, char** argv, const std::optional<core::Model>& model, const std::string& subject)
{
    const QApplication application(argc, argv);
    prepare();
    const core::Message trouble = ui::mendSettings();
    ui::Theme::apply();
    ui::restoreSizeUnit();
    const core::Result<core::Model> firstModel = loadModel(ui::kFirstModel);
    const core::Result<core::Gpu> firstGpu = loadGpu(ui::kFirstGpu);
    if (!firstModel || !firstGpu)
        return failed(firstModel ? firstGpu.error() : firstModel.error());
    core::Scenario scenario = ui::firstScenario(*firstModel, *firstGpu);
    const QString path = QString::fromStdString(subject);
    const bool isFile = QFileInfo::exists(path);
    if (model && !isFile) {
        scenario.model = *model;
        scenario.weightFormat = model->weights.published;
    }
    ui::MainWindow window({}, std::move(scenario));
    // The pickers and the menu of lessons are filled after the first paint, which need not wait for the catalogues. A
    // lesson names their entries.
    const bool isLesson = core::readers::looksLikeLesson(subject);
    const AfterFirstPaint fillWindow(window, [&window, path, isLesson] {
        if (core::Result<ui::Catalogue> entries = catalogue())
            window.setCatalogue(std::move(*entries));
        window.models().search();
        if (isLesson)
            window.opening().open(path);
    });
    window.show();
    if (!trouble.empty())
        ui::complain(&window, trouble);
    window.restore(subject.empty() || isLesson);
    if (isFile && !isLesson)
        window.opening().open(path);
    return QApplication::exec();
}

int drawPicture(int& argc, char** argv, const Picture& picture)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QTemporaryDir runtime; // without one Qt would complain on stderr
    if (qEnvironmentVariableIsEmpty("XDG_RUNTIME_DIR"))
        qputenv("XDG_RUNTIME_DIR", runtime.path().toLocal8Bit());
    const QApplication application(argc, argv);
    const core::Result<ui::ExportSettings> settings = settingsOf(picture);
    if (!settings)
        return failed(settings.error());
    prepare();
    QApplication::setPalette((settings->dark ? ui::Theme::dark() : ui::Theme::light()).palette());
    core::Result<ui::Catalogue> entries = catalogue();
    if (!entries)
        return failed(entries.error());
    core::Scenario scenario = picture.scenario ? *picture.scenario : ui::firstScenario(*entries);
    const QString path = QString::fromStdString(picture.file);
    const ui::Picture* chart = ui::pictureOf(QString::fromStdString(picture.view));
    const core::Result<void> done = chart != nullptr
                                        ? ui::exportPicture(*chart, core::assess(std::move(scenario)), *settings, path)
                                        : grabWindow(std::move(*entries), std::move(scenario), *settings, path);
    return done ? kDone : failed(done.error());
}

} // namespace app
