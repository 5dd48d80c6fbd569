// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/formula_bar.h"

#include "core/sizing/explain.h"
#include "ui/texts.h"
#include "ui/theme.h"

#include <QFontMetricsF>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>

namespace ui {

namespace {

constexpr int kHeight = 52;

QString numberText(const core::Value& value)
{
    return QString::fromStdString(core::formatValue(value, numberStyle()));
}

/// The input behind a symbol of the formula.
std::optional<core::Field> fieldOf(std::string_view symbol)
{
    if (symbol == "S")
        return core::Field::Context;
    if (symbol == "B")
        return core::Field::Batch;
    if (symbol == "Z")
        return core::Field::SharedPrefix;
    if (symbol == "P" || symbol == "E" || symbol == "2")
        return core::Field::KFormat;
    if (symbol == "H")
        return core::Field::KvHeads;
    return core::Field::Model;
}

} // namespace

FormulaBar::FormulaBar(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
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
        const bool isDifference = last.operation == core::Operation::Difference;
        m_sign = isDifference                             ? QStringLiteral("−")
                 : last.operation == core::Operation::Sum ? QStringLiteral("+")
                                                          : QStringLiteral("·");
        for (const core::Operand& operand : last.operands)
            m_factors.push_back(
                {text(operand.name), numberText(operand.value), text(operand.origin), fieldOf(operand.symbol)});
    }
    const core::Unit other = sizeUnit() == core::Unit::Binary ? core::Unit::Decimal : core::Unit::Binary;
    m_size = shortText(evaluation.footprint.kv.kept(), sizeUnit());
    m_otherUnit = shortText(evaluation.footprint.kv.kept(), other);
    setAccessibleDescription(formulaText());
    update();
}

QString FormulaBar::formulaText() const
{
    if (m_factors.empty()) // the model keeps no cache
        return tr("KV cache = %1").arg(m_size);
    QStringList terms;
    for (const FormulaFactor& factor : m_factors)
        terms << factor.number + QLatin1Char(' ') + factor.name;
    return tr("KV cache = %1 = %2 (%3)")
        .arg(terms.join(QLatin1Char(' ') + m_sign + QLatin1Char(' ')), m_size, m_otherUnit);
}

void FormulaBar::choose(int factor)
{
    if (factor == m_chosen)
        return;
    m_chosen = factor;
    const bool valid = factor >= 0 && factor < static_cast<int>(m_factors.size());
    setToolTip(valid ? m_factors[static_cast<std::size_t>(factor)].tip : QString());
    emit factorChosen(valid ? m_factors[static_cast<std::size_t>(factor)].field : std::nullopt);
    update();
}

void FormulaBar::mouseMoveEvent(QMouseEvent* event)
{
    int found = -1;
    for (std::size_t i = 0; i < m_boxes.size(); ++i) {
        const double x = event->position().x() / m_scale;
        if (x >= m_boxes[i].left() && x < m_boxes[i].right())
            found = static_cast<int>(i);
    }
    choose(found);
}

void FormulaBar::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        emit explanationRequested(core::Quantity::Cache, event->globalPosition().toPoint());
}

void FormulaBar::leaveEvent(QEvent* event)
{
    QWidget::leaveEvent(event);
    choose(-1);
}

void FormulaBar::focusOutEvent(QFocusEvent* event)
{
    QWidget::focusOutEvent(event);
    choose(-1);
}

void FormulaBar::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_factors.size()) - 1;
    switch (event->key()) {
    case Qt::Key_Right:
        return choose(std::min(m_chosen + 1, last));
    case Qt::Key_Left:
        return choose(std::max(m_chosen - 1, 0));
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        emit explanationRequested(core::Quantity::Cache, mapToGlobal(rect().bottomLeft()));
        return;
    default:
        QWidget::keyPressEvent(event);
    }
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
    if (hasFocus()) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(Theme::of(palette()).color(Role::Accent), 1.5));
        painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 3, 3);
    }
    if (!isEnabled())
        painter.setOpacity(kFaded);
    const double wanted = draw(nullptr);
    m_scale = wanted > width() ? (width() - kSpace) / wanted : 1; // scaled letters are a little wider
    if (m_scale < 1) {
        painter.translate(0, height() * (1 - m_scale));
        painter.scale(m_scale, m_scale);
    }
    draw(&painter);
}

double FormulaBar::draw(QPainter* painter)
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
    double x = kSpace;
    m_boxes.clear();
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
        const FormulaFactor& factor = m_factors[i];
        const double width = std::max(names.horizontalAdvance(factor.name), numbers.horizontalAdvance(factor.number));
        const double left = x;
        m_boxes.emplace_back(left - kSpace, 4, width + 2 * kSpace, kHeight - 8);
        if (painter != nullptr && static_cast<int>(i) == m_chosen)
            painter->fillRect(m_boxes.back(), theme.color(Role::Grid));
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
    write(numberLine, resultFont, results, Role::Text, m_size);
    x += 2 * kSpace;
    write(numberLine, nameFont, names, Role::Muted, m_otherUnit);
    return x;
}

} // namespace ui
