// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/chart_export.h"

#include "ui/texts.h"
#include "ui/whole_file.h"

#include <QApplication>
#include <QBuffer>
#include <QDateTime>
#include <QFileInfo>
#include <QGraphicsScene>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QRegularExpression>
#include <QSvgGenerator>

#include <algorithm>
#include <cmath>
#include <optional>

namespace ui {

namespace {

constexpr double kMillimetresPerInch = 25.4;
constexpr double kScreenDpi = 96;
constexpr double kLeastWidth = 560; ///< of the layout; a smaller picture is the layout made smaller
constexpr double kTitleHeight = 34;
constexpr double kCaptionHeight = 22;
constexpr double kLeastPixels = 160;
constexpr double kMostPixels = 20'000;
constexpr int kMostDpi = 2'400;

QSize pixelSize(const ExportSettings& settings)
{
    const double factor = settings.millimetres ? settings.dpi / kMillimetresPerInch : 1;
    return {qRound(settings.size.width() * factor), qRound(settings.size.height() * factor)};
}

/// The size in which the chart is laid out: the picture's at 96 dpi, but never too small for its texts.
QSizeF layoutSize(const ExportSettings& settings)
{
    const QSizeF size = QSizeF(pixelSize(settings)) * (kScreenDpi / settings.dpi);
    return size.width() < kLeastWidth ? size * (kLeastWidth / size.width()) : size;
}

QDate today()
{
    bool set = false;
    const qint64 epoch = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&set);
    return set ? QDateTime::fromSecsSinceEpoch(epoch, Qt::UTC).date() : QDate::currentDate();
}

/// "Llama 3.1 8B, BF16 weights, FP16 cache, 8,192 tokens × 4 requests, 1 × GeForce RTX 4090; 2026-11-29; KV Horizon
/// 0.1.0"
QString captionOf(const core::Scenario& scenario)
{
    const auto name = [](std::string_view text) {
        return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
    };
    QStringList parts{
        QString::fromStdString(scenario.model.name),
        QCoreApplication::translate("ui::ChartExport", "%1 cache").arg(name(core::info(scenario.kFormat).name)),
        QCoreApplication::translate("ui::ChartExport", "%1 tokens × %2 requests")
            .arg(countText(scenario.workload.context), countText(scenario.workload.batch))};
    if (!scenario.weightBytes && scenario.weightFormat == core::WeightFormat::Stored)
        parts.insert(1, QCoreApplication::translate("ui::ChartExport", "weights as stored in the file"));
    else if (!scenario.weightBytes)
        parts.insert(1, QCoreApplication::translate("ui::ChartExport", "%1 weights")
                            .arg(name(core::info(scenario.weightFormat).name)));
    if (scenario.kvHeads)
        parts.insert(
            1,
            QCoreApplication::translate("ui::ChartExport", "changed to %1 KV heads").arg(countText(*scenario.kvHeads)));
    if (scenario.hardware.gpu)
        parts << QStringLiteral("%1 × %2").arg(countText(scenario.hardware.count),
                                               QString::fromStdString(scenario.hardware.gpu->name));
    return QStringLiteral("%1; %2; KV Horizon " KVHORIZON_VERSION)
        .arg(parts.join(QStringLiteral(", ")), today().toString(Qt::ISODate));
}

/// A chart laid out for a file, without a view.
class Sheet {
public:
    Sheet(const Picture& picture, const core::Evaluation& evaluation, const ExportSettings& settings)
        : m_size(layoutSize(settings)),
          m_theme(settings.dark ? Theme::dark() : Theme::light()),
          m_caption(captionOf(evaluation.scenario)),
          m_drawn(picture.draw(m_scene, chartBox().size(), m_theme, evaluation, settings.growth))
    {
        m_scene.setSceneRect(QRectF(QPointF(0, 0), chartBox().size()));
        m_title = settings.title;
        if (m_title.isEmpty())
            m_title = titleOf(picture, m_drawn.unit);
        else // it need not name the unit of the axis
            m_caption = QCoreApplication::translate("ui::ChartExport", "Sizes in %1; %2")
                            .arg(QString::fromLatin1(m_drawn.unit.name()), m_caption);
    }

    DataTable table() const { return m_drawn.chart->table(); }
    const QSizeF& size() const { return m_size; }
    const QString& title() const { return m_title; }
    const QString& caption() const { return m_caption; }

    /// Paints the sheet into `target`, scaled.
    void paint(QPainter& painter, const QSizeF& target)
    {
        painter.setRenderHints(QPainter::Antialiasing | QPainter::TextAntialiasing);
        painter.scale(target.width() / m_size.width(), target.height() / m_size.height());
        painter.fillRect(QRectF(QPointF(0, 0), m_size), m_theme.color(Role::Page));
        m_scene.render(&painter, chartBox(), m_scene.sceneRect());
        painter.setFont(fontOf(Type::Headline, QFont::DemiBold));
        painter.setPen(m_theme.color(Role::Text));
        painter.drawText(QRectF(12, 6, m_size.width() - 24, kTitleHeight - 6), Qt::AlignLeft | Qt::AlignVCenter,
                         m_title);
        painter.setFont(fontOf(Type::Caption));
        painter.setPen(m_theme.color(Role::Muted));
        painter.drawText(QRectF(12, m_size.height() - kCaptionHeight, m_size.width() - 24, kCaptionHeight - 4),
                         Qt::AlignLeft | Qt::AlignVCenter, m_caption);
    }

private:
    /// The part of the sheet between title and caption.
    QRectF chartBox() const
    {
        return {0, kTitleHeight, m_size.width(), m_size.height() - kTitleHeight - kCaptionHeight};
    }

    QSizeF m_size;
    const Theme& m_theme;
    QString m_title;
    QString m_caption;
    QGraphicsScene m_scene;
    DrawnChart m_drawn;
};

QByteArray pngOf(Sheet& sheet, const ExportSettings& settings)
{
    QImage image(pixelSize(settings), QImage::Format_ARGB32_Premultiplied);
    const int dotsPerMetre = qRound(settings.dpi / kMillimetresPerInch * 1'000);
    image.setDotsPerMeterX(dotsPerMetre);
    image.setDotsPerMeterY(dotsPerMetre);
    QPainter painter(&image);
    sheet.paint(painter, image.size());
    painter.end();
    image.setText(QStringLiteral("Title"), sheet.title());
    image.setText(QStringLiteral("Description"), sheet.caption());
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    image.save(&buffer, "PNG");
    return buffer.data();
}

QByteArray svgOf(Sheet& sheet, const ExportSettings& settings)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QSvgGenerator generator;
    generator.setOutputDevice(&buffer);
    generator.setResolution(qRound(kScreenDpi));
    const double factor = settings.millimetres ? kScreenDpi / kMillimetresPerInch : 1;
    generator.setSize((settings.size * factor).toSize());
    generator.setViewBox(QRectF(QPointF(0, 0), sheet.size()));
    generator.setTitle(sheet.title().toHtmlEscaped()); // Qt does not escape it
    generator.setDescription(sheet.caption().toHtmlEscaped());
    QPainter painter(&generator);
    sheet.paint(painter, sheet.size());
    painter.end();
    return buffer.data();
}

QByteArray pdfOf(Sheet& sheet, const ExportSettings& settings)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    const double factor = settings.millimetres ? 1 : kMillimetresPerInch / settings.dpi;
    writer.setPageSize(QPageSize(settings.size * factor, QPageSize::Millimeter, {}, QPageSize::ExactMatch));
    writer.setPageMargins({});
    writer.setResolution(settings.dpi);
    writer.setTitle(sheet.title());
    writer.setCreator(QStringLiteral("KV Horizon " KVHORIZON_VERSION));
    QPainter painter(&writer);
    sheet.paint(painter, QSizeF(writer.width(), writer.height()));
    painter.end();
    return buffer.data();
}

} // namespace

core::Result<void> readSize(const QString& text, ExportSettings& settings)
{
    static const QRegularExpression form(QStringLiteral("^(\\d+(?:\\.\\d+)?)x(\\d+(?:\\.\\d+)?)(px|mm)?$"));
    const QRegularExpressionMatch match = form.match(text);
    ExportSettings read = settings;
    read.size = QSizeF(match.captured(1).toDouble(), match.captured(2).toDouble());
    read.millimetres = match.captured(3) == QLatin1String("mm");
    const QSize pixels = match.hasMatch() ? pixelSize(read) : QSize();
    const auto tooSmall = [](int side) { return side < kLeastPixels || side > kMostPixels; };
    if (tooSmall(pixels.width()) || tooSmall(pixels.height()) || settings.dpi < 1 || settings.dpi > kMostDpi)
        return core::fail(KV_TEXT("core",
                                  "A picture of size \"{0}\" at {1} dpi cannot be made; use a size such as 1600x900 "
                                  "or 174x100mm that gives 160 to 20,000 pixels, and 1 to 2,400 dpi."),
                          {text.toStdString(), std::int64_t{settings.dpi}});
    settings = read;
    return {};
}

core::Result<QByteArray> renderPicture(const Picture& picture, const core::Evaluation& evaluation,
                                       const ExportSettings& settings, const QString& format)
{
    Sheet sheet(picture, evaluation, settings);
    if (format == QLatin1String("csv"))
        return sheet.table().csv().toUtf8();
    if (format == QLatin1String("png"))
        return pngOf(sheet, settings);
    if (format == QLatin1String("svg"))
        return svgOf(sheet, settings);
    if (format == QLatin1String("pdf"))
        return pdfOf(sheet, settings);
    return core::fail(KV_TEXT("core",
                              "A chart cannot be written as \"{0}\"; use a file that ends in .png, .svg, .pdf or "
                              ".csv."),
                      {format.toStdString()});
}

core::Result<void> exportPicture(const Picture& picture, const core::Evaluation& evaluation,
                                 const ExportSettings& settings, const QString& path)
{
    return renderPicture(picture, evaluation, settings, QFileInfo(path).suffix().toLower())
        .and_then([&](const QByteArray& content) { return writeWhole(path, content); });
}

} // namespace ui
