// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window.h"

#include "app/catalogs.h"
#include "core/format.h"
#include "ui/main_window.h"
#include "ui/theme.h"

#include <QApplication>
#include <QPixmap>

#include <iostream>
#include <utility>

namespace app {

namespace {

void prepare()
{
    QApplication::setStyle(QStringLiteral("Fusion"));
    QApplication::setApplicationName(QStringLiteral("KV Horizon"));
    QApplication::setApplicationVersion(QStringLiteral(KVHORIZON_VERSION));
    QApplication::setPalette(ui::Theme::of(QApplication::palette()).palette());
}

core::Result<ui::Catalogue> catalogue()
{
    auto known = models();
    if (!known)
        return tl::unexpected(known.error());
    auto accelerators = gpus();
    if (!accelerators)
        return tl::unexpected(accelerators.error());
    return ui::Catalogue{std::move(*known), std::move(*accelerators)};
}

int failed(const core::Error& error)
{
    std::cerr << core::english(error.message) << '\n';
    return kFailed;
}

} // namespace

int startWindow(int& argc, char** argv, const std::optional<core::Model>& model)
{
    const QApplication application(argc, argv);
    prepare();
    core::Result<ui::Catalogue> entries = catalogue();
    if (!entries)
        return failed(entries.error());
    core::Scenario scenario = ui::firstScenario(*entries);
    if (model) {
        scenario.model = *model;
        scenario.weightFormat = model->weights.published;
    }
    ui::MainWindow window(std::move(*entries), std::move(scenario));
    window.show();
    return QApplication::exec();
}

int drawPicture(int& argc, char** argv, const Picture& picture)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    const QApplication application(argc, argv);
    prepare();
    core::Result<ui::Catalogue> entries = catalogue();
    if (!entries)
        return failed(entries.error());
    core::Scenario scenario = picture.scenario ? *picture.scenario : ui::firstScenario(*entries);
    ui::MainWindow window(std::move(*entries), std::move(scenario));
    window.show();
    QApplication::processEvents();
    QWidget* view = &window;
    if (picture.view != "window")
        view = window.findChild<QWidget*>(QString::fromStdString(picture.view));
    if (view->grab().save(QString::fromStdString(picture.file), "PNG"))
        return kDone;
    return failed({core::Message{KV_TEXT("core", "{0} could not be written; choose a folder that can be written to."),
                                 {picture.file}}});
}

} // namespace app
