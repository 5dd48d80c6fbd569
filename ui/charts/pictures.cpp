// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/pictures.h"

#include "ui/charts/budget_chart.h"

#include <QChart>
#include <QCoreApplication>
#include <QGraphicsScene>

#include <algorithm>
#include <array>

namespace ui {

namespace {

constexpr double kLyingFrom = 1.6; ///< wider budgets lie

void place(const MemoryChart& chart, QGraphicsScene& scene, const QSizeF& size)
{
    scene.addItem(chart.chart());
    chart.chart()->setGeometry(QRectF(QPointF(0, 0), size));
}

DrawnChart drawGrowth(QGraphicsScene& scene, const QSizeF& size, const Theme& theme, const core::Evaluation& evaluation,
                      const GrowthOptions& options)
{
    ScaleTracker tracker;
    const ChartScale& scale = tracker.follow(evaluation, options.logarithmic);
    auto chart = std::make_unique<GrowthChart>();
    place(*chart, scene, size);
    chart->setTheme(theme);
    chart->show(evaluation, scale, options);
    return {std::move(chart), scale.unit};
}

DrawnChart drawBudget(QGraphicsScene& scene, const QSizeF& size, const Theme& theme, const core::Evaluation& evaluation,
                      const GrowthOptions& /*options*/)
{
    ScaleTracker tracker;
    const ChartScale& scale = tracker.follow(evaluation);
    auto chart = std::make_unique<BudgetChart>();
    chart->setOrientation(size.width() > size.height() * kLyingFrom ? Qt::Horizontal : Qt::Vertical);
    place(*chart, scene, size);
    chart->setTheme(theme);
    chart->show(evaluation, scale);
    return {std::move(chart), scale.unit};
}

constexpr std::array kPictures{
    Picture{.name = "growth",
            .title = QT_TRANSLATE_NOOP("ui::Picture", "Memory against context, %1, all requests"),
            .exportTitle = QT_TRANSLATE_NOOP("ui::Picture", "Export the growth chart"),
            .exportEntry = QT_TRANSLATE_NOOP("ui::Picture", "&Export growth chart…"),
            .copyEntry = QT_TRANSLATE_NOOP("ui::Picture", "Copy &growth chart as picture"),
            .copyNumbers = QT_TRANSLATE_NOOP("ui::Picture", "Copy growth chart as &table"),
            .draw = drawGrowth},
    Picture{.name = "budget",
            .title = QT_TRANSLATE_NOOP("ui::Picture", "Where the memory goes, %1"),
            .exportTitle = QT_TRANSLATE_NOOP("ui::Picture", "Export the budget"),
            .exportEntry = QT_TRANSLATE_NOOP("ui::Picture", "Export &budget…"),
            .copyEntry = QT_TRANSLATE_NOOP("ui::Picture", "Copy &budget as picture"),
            .copyNumbers = QT_TRANSLATE_NOOP("ui::Picture", "Copy bu&dget as table"),
            .draw = drawBudget},
};

} // namespace

std::span<const Picture> pictures()
{
    return kPictures;
}

const Picture* pictureOf(const QString& name)
{
    const auto* found =
        std::ranges::find(kPictures, name, [](const Picture& picture) { return QString::fromLatin1(picture.name); });
    return found == kPictures.end() ? nullptr : found;
}

QString pictureText(const char* text)
{
    return QCoreApplication::translate("ui::Picture", text);
}

QString titleOf(const Picture& picture, const ChartUnit& unit)
{
    return pictureText(picture.title).arg(QString::fromLatin1(unit.name()));
}

} // namespace ui
