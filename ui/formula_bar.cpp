// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formula_bar.h"

#include "core/explain.h"
#include "ui/texts.h"
#include "ui/theme.h"

#include <QFontMetricsF>
#include <QPainter>

namespace ui {

namespace {

constexpr int kHeight = 52;

QString numberText(const core::Value& value)
{
    return QString::fromStdString(core::formatValue(value, numberStyle()));
}

} // namespace

FormulaBar::FormulaBar(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("KV cache formula"));
    setObjectName(QStringLiteral("formula"));
}

void FormulaBar::show(const core::Evaluation& evaluation)
{
    const core::Derivation derivation = core::explain(evaluation, core::Quantity::Cache);
    m_factors.clear();
    if (!derivation.steps.empty()) {
        const core::Step& last = derivation.steps.back();
        m_sign = last.operation == core::Operation::Sum ? QStringLiteral("+") : QStringLiteral("·");
        for (const core::Operand& operand : last.operands)
            m_factors.push_back({text(operand.name), numberText(operand.value)});
    }
    m_gib = shortText(evaluation.footprint.kv.total);
    m_gb = shortText(evaluation.footprint.kv.total, core::Unit::Decimal);
    setAccessibleDescription(formulaText());
    update();
}

QString FormulaBar::formulaText() const
{
    if (m_factors.empty()) // the model keeps no cache
        return tr("KV cache = %1").arg(m_gib);
    QStringList terms;
    for (const Factor& factor : m_factors)
        terms << factor.number + QLatin1Char(' ') + factor.name;
    return tr("KV cache = %1 = %2 (%3)").arg(terms.join(QLatin1Char(' ') + m_sign + QLatin1Char(' ')), m_gib, m_gb);
}

QSize FormulaBar::sizeHint() const
{
    return {700, kHeight};
}

QSize FormulaBar::minimumSizeHint() const
{
    return {320, kHeight};
}

void FormulaBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const double wanted = draw(nullptr);
    if (wanted > width()) {
        const double scale = (width() - kSpace) / wanted; // scaled letters are a little wider
        painter.translate(0, height() * (1 - scale));
        painter.scale(scale, scale);
    }
    draw(&painter);
}

double FormulaBar::draw(QPainter* painter) const
{
    const Theme& theme = Theme::of(palette());
    const QFont nameFont = fontOf(Type::Label);
    const QFont numberFont = fontOf(Type::Headline, QFont::DemiBold);
    const QFont resultFont = fontOf(Type::Result, QFont::DemiBold);
    const QFontMetricsF names(nameFont);
    const QFontMetricsF numbers(numberFont);
    const QFontMetricsF results(resultFont);
    const double nameLine = 20;
    const double numberLine = 40;
    double x = 0;
    const auto write = [&](double y, const QFont& face, const QFontMetricsF& metrics, Role role, const QString& text) {
        if (painter != nullptr) {
            painter->setFont(face);
            painter->setPen(theme.color(role));
            painter->drawText(QPointF(x, y), text);
        }
        x += metrics.horizontalAdvance(text);
    };
    write(numberLine, numberFont, numbers, Role::Cache, tr("KV cache"));
    x += 2 * kSpace;
    write(numberLine, numberFont, numbers, Role::Muted, QStringLiteral("="));
    x += 2 * kSpace;
    for (std::size_t i = 0; i < m_factors.size(); ++i) {
        const Factor& factor = m_factors[i];
        const double width = std::max(names.horizontalAdvance(factor.name), numbers.horizontalAdvance(factor.number));
        const double left = x;
        x = left + (width - names.horizontalAdvance(factor.name)) / 2;
        write(nameLine, nameFont, names, Role::Muted, factor.name);
        x = left + (width - numbers.horizontalAdvance(factor.number)) / 2;
        write(numberLine, numberFont, numbers, Role::Text, factor.number);
        x = left + width + 2 * kSpace;
        if (i + 1 < m_factors.size()) {
            write(numberLine, nameFont, names, Role::Muted, m_sign);
            x += 2 * kSpace;
        }
    }
    if (!m_factors.empty()) {
        x += kSpace;
        write(numberLine, numberFont, numbers, Role::Muted, QStringLiteral("="));
        x += 3 * kSpace;
    }
    write(numberLine, resultFont, results, Role::Text, m_gib);
    x += 2 * kSpace;
    write(numberLine, nameFont, names, Role::Muted, m_gb);
    return x;
}

} // namespace ui
