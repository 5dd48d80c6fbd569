// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/explain_popup.h"

#include "ui/texts.h"
#include "ui/theme.h"

#include <QMenu>
#include <QScreen>
#include <QTextBrowser>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

namespace {

constexpr int kWidth = 460;
constexpr int kHeight = 380;

/// A number in full: bytes as whole bytes, so that the steps can be recomputed by hand.
QString exactText(const core::Value& value, std::string_view unit)
{
    if (const auto* bytes = std::get_if<core::Bytes>(&value))
        return ExplainPopup::tr("%1 B").arg(countText(bytes->count()));
    QString number = QString::fromStdString(core::formatValue(value, numberStyle()));
    const bool named = !unit.empty() && !std::holds_alternative<core::Percent>(value);
    return named ? number + QLatin1Char(' ') + QString::fromUtf8(unit.data(), static_cast<qsizetype>(unit.size()))
                 : number;
}

QString stepHtml(const core::Step& step)
{
    QString html = QStringLiteral("<p><b>%1</b><br>%2<br>= <b>%3</b></p><table cellspacing='0' cellpadding='2'>")
                       .arg(text(step.title).toHtmlEscaped(), stepExpression(step).toHtmlEscaped(),
                            stepResult(step).toHtmlEscaped());
    for (const core::Operand& operand : step.operands)
        html += QStringLiteral("<tr><td>%1</td><td align='right'>&nbsp;%2&nbsp;</td><td>%3</td></tr>")
                    .arg(text(operand.name).toHtmlEscaped(), exactText(operand.value, operand.unit).toHtmlEscaped(),
                         text(operand.origin).toHtmlEscaped());
    return html + QStringLiteral("</table>");
}

} // namespace

QString stepResult(const core::Step& step)
{
    const core::Value& value = step.result;
    const auto* bytes = std::get_if<core::Bytes>(&value);
    if (bytes == nullptr)
        return exactText(value, {});
    return exactText(value, {}) + QStringLiteral(" = ") +
           QString::fromStdString(core::formatBoth(*bytes, numberStyle()));
}

QString stepExpression(const core::Step& step)
{
    QStringList numbers;
    for (const core::Operand& operand : step.operands)
        numbers << exactText(operand.value, operand.unit);
    const auto at = [&](int i) { return numbers.value(i); };
    switch (step.operation) {
    case core::Operation::Product:
        return numbers.join(QStringLiteral(" · "));
    case core::Operation::Sum:
        return numbers.join(QStringLiteral(" + "));
    case core::Operation::Difference:
        return numbers.join(QStringLiteral(" − "));
    case core::Operation::WholeBlocks:
        return QStringLiteral("⌈%1 / %2⌉ · %3").arg(at(0), at(1), at(2));
    case core::Operation::CeilProduct:
        return QStringLiteral("⌈%1 · %2 / %3⌉").arg(at(0), at(1), at(2));
    case core::Operation::ShareOfReserved:
        return QStringLiteral("⌈%1 · %2 / (100 % − %2)⌉").arg(at(0), at(1));
    case core::Operation::LargestFitting:
        return QStringLiteral("%2 ≤ %1 < %3").arg(at(0), at(1), at(2));
    case core::Operation::FirstReaching:
        return QStringLiteral("%2 < %1 ≤ %3").arg(at(0), at(1), at(2));
    }
    return {};
}

QString quantityName(core::Quantity quantity)
{
    switch (quantity) {
    case core::Quantity::Cache:
        return ExplainPopup::tr("KV cache");
    case core::Quantity::Weights:
        return ExplainPopup::tr("Weights");
    case core::Quantity::Waste:
        return ExplainPopup::tr("Waste");
    case core::Quantity::Total:
        return ExplainPopup::tr("Total");
    case core::Quantity::Free:
        return ExplainPopup::tr("Free memory");
    case core::Quantity::MaxBatch:
        return ExplainPopup::tr("Largest batch");
    case core::Quantity::MaxContext:
        return ExplainPopup::tr("Longest context");
    case core::Quantity::Crossover:
        return ExplainPopup::tr("Cache = weights");
    }
    return {};
}

void addQuantities(QMenu& menu, const std::function<void(core::Quantity)>& choose)
{
    using core::Quantity;
    for (const Quantity quantity : {Quantity::Cache, Quantity::Weights, Quantity::Waste, Quantity::Total,
                                    Quantity::Free, Quantity::MaxBatch, Quantity::MaxContext, Quantity::Crossover})
        menu.addAction(quantityName(quantity), &menu, [choose, quantity] { choose(quantity); });
}

ExplainPopup::ExplainPopup(QWidget* parent) : QFrame(parent, Qt::Popup), m_text(new QTextBrowser(this))
{
    setFrameShape(QFrame::StyledPanel);
    setObjectName(QStringLiteral("explanation"));
    m_text->setFrameShape(QFrame::NoFrame);
    m_text->setAccessibleName(tr("Explanation"));
    m_text->setOpenLinks(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(kSpace, kSpace, kSpace, kSpace);
    layout->addWidget(m_text);
    resize(kWidth, kHeight);
}

void ExplainPopup::showAt(const core::Derivation& derivation, const QPoint& globalPlace)
{
    QString html = QStringLiteral("<h3>%1</h3>").arg(quantityName(derivation.quantity).toHtmlEscaped());
    if (derivation.steps.empty())
        html += tr("<p>This number does not exist for this scenario.</p>");
    else
        html += QStringLiteral("<p>%1</p>").arg(QString::fromStdString(derivation.formula).toHtmlEscaped());
    for (const core::Step& step : derivation.steps)
        html += stepHtml(step);
    QStringList sources;
    for (const std::string& source : derivation.sources)
        sources << QString::fromStdString(source).toHtmlEscaped();
    if (!sources.isEmpty())
        html += tr("<p>Source: %1</p>").arg(sources.join(QStringLiteral("; ")));
    m_text->setFont(fontOf(Type::Label));
    m_text->setHtml(html);
    const QRect screen = parentWidget()->screen()->availableGeometry();
    move(std::clamp(globalPlace.x(), screen.left(), std::max(screen.left(), screen.right() - width())),
         std::clamp(globalPlace.y(), screen.top(), std::max(screen.top(), screen.bottom() - height())));
    show();
    m_text->setFocus();
}

QString ExplainPopup::plainText() const
{
    return m_text->toPlainText();
}

} // namespace ui
