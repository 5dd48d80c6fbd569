// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/count_slider.h"

#include "ui/theme.h"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace ui {

namespace {

constexpr int kHandle = 7;  ///< radius in pixels
constexpr int kHeight = 28; ///< a target of at least 24 pixels
constexpr int kStepsPerDoubling = 8;

/// Tells a screen reader the number with its unit instead of a raw position.
class AccessibleCountSlider : public QAccessibleWidget, public QAccessibleValueInterface {
public:
    explicit AccessibleCountSlider(CountSlider* slider) : QAccessibleWidget(slider, QAccessible::Slider) {}

    void* interface_cast(QAccessible::InterfaceType type) override
    {
        if (type == QAccessible::ValueInterface)
            return static_cast<QAccessibleValueInterface*>(this);
        return QAccessibleWidget::interface_cast(type);
    }
    QString text(QAccessible::Text kind) const override
    {
        return kind == QAccessible::Value ? slider()->valueText() : QAccessibleWidget::text(kind);
    }
    QVariant currentValue() const override { return slider()->value(); }
    void setCurrentValue(const QVariant& value) override { slider()->setValue(value.toInt()); }
    QVariant maximumValue() const override { return slider()->maximum(); }
    QVariant minimumValue() const override { return slider()->minimum(); }
    QVariant minimumStepSize() const override { return 1; }

private:
    CountSlider* slider() const { return static_cast<CountSlider*>(object()); }
};

QAccessibleInterface* makeAccessible(const QString&, QObject* object)
{
    auto* slider = qobject_cast<CountSlider*>(object);
    return slider != nullptr ? new AccessibleCountSlider(slider) : nullptr;
}

} // namespace

CountSlider::CountSlider(int minimum, int maximum, QString unitTemplate, QWidget* parent)
    : QAbstractSlider(parent), m_unitTemplate(std::move(unitTemplate)), m_baseMaximum(maximum)
{
    static const bool installed = (QAccessible::installFactory(makeAccessible), true);
    Q_UNUSED(installed);
    setOrientation(Qt::Horizontal);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setRange(minimum, maximum);
    rebuildStops();
}

void CountSlider::setLandmark(int landmark)
{
    if (landmark == m_landmark)
        return;
    m_landmark = landmark;
    setMaximum(std::max(m_baseMaximum, landmark));
    rebuildStops();
    update();
}

QString CountSlider::valueText() const
{
    return m_unitTemplate.arg(value());
}

QSize CountSlider::sizeHint() const
{
    return {160, kHeight};
}

void CountSlider::rebuildStops()
{
    m_stops.clear();
    for (qint64 base = 1; base <= maximum(); base *= 2) {
        for (int eighth = 0; eighth < kStepsPerDoubling; ++eighth) {
            const qint64 stop = base + base * eighth / kStepsPerDoubling;
            if (stop >= minimum() && stop <= maximum())
                m_stops.push_back(static_cast<int>(stop));
        }
    }
    m_stops.push_back(maximum());
    if (m_landmark >= minimum())
        m_stops.push_back(m_landmark);
    std::ranges::sort(m_stops);
    m_stops.erase(std::unique(m_stops.begin(), m_stops.end()), m_stops.end()); // clang 14 cannot read ranges::unique
}

double CountSlider::xOf(int number) const
{
    const double share =
        std::log2(static_cast<double>(number) / minimum()) / std::log2(static_cast<double>(maximum()) / minimum());
    return kHandle + share * (width() - 2 * kHandle);
}

int CountSlider::numberAt(double x) const
{
    const double share = std::clamp((x - kHandle) / std::max(1, width() - 2 * kHandle), 0.0, 1.0);
    return static_cast<int>(std::lround(minimum() * std::pow(static_cast<double>(maximum()) / minimum(), share)));
}

void CountSlider::paintEvent(QPaintEvent*)
{
    const Theme& theme = Theme::of(palette());
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double y = height() / 2.0 - 3;
    const double x = xOf(value());
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.color(Role::Grid));
    painter.drawRoundedRect(QRectF(kHandle, y - 2, width() - 2 * kHandle, 4), 2, 2);
    painter.setBrush(theme.color(isEnabled() ? Role::Accent : Role::Muted));
    painter.drawRoundedRect(QRectF(kHandle, y - 2, x - kHandle, 4), 2, 2);
    painter.setPen(QPen(theme.color(Role::Grid).darker(theme.isDark() ? 70 : 130), 1));
    for (qint64 doubling = 1; doubling <= maximum(); doubling *= 2) {
        if (doubling >= minimum()) {
            const double tick = std::round(xOf(static_cast<int>(doubling))) + 0.5;
            painter.drawLine(QPointF(tick, y + 8), QPointF(tick, y + 11));
        }
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(Role::Accent), 1.5));
        painter.setBrush(Qt::NoBrush);
        painter.drawEllipse(QPointF(x, y), kHandle + 2.5, kHandle + 2.5);
    }
    painter.setPen(QPen(theme.color(isEnabled() ? Role::Accent : Role::Muted), 2));
    painter.setBrush(theme.color(Role::Page));
    painter.drawEllipse(QPointF(x, y), kHandle - 1, kHandle - 1);
}

void CountSlider::dragTo(double x, bool exact)
{
    const int number = numberAt(x);
    if (exact) {
        setValue(number);
        return;
    }
    const auto above = std::ranges::lower_bound(m_stops, number);
    const auto below = above == m_stops.begin() ? above : above - 1;
    const bool takeBelow = above == m_stops.end() || std::abs(xOf(*below) - x) < std::abs(xOf(*above) - x);
    setValue(takeBelow ? *below : *above);
}

void CountSlider::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    setSliderDown(true);
    dragTo(event->position().x(), event->modifiers().testFlag(Qt::ShiftModifier));
}

void CountSlider::mouseMoveEvent(QMouseEvent* event)
{
    if (isSliderDown())
        dragTo(event->position().x(), event->modifiers().testFlag(Qt::ShiftModifier));
}

void CountSlider::mouseReleaseEvent(QMouseEvent*)
{
    setSliderDown(false);
}

void CountSlider::stepBy(int stops)
{
    const auto next =
        stops > 0 ? std::ranges::upper_bound(m_stops, value()) : std::ranges::lower_bound(m_stops, value());
    if (stops > 0)
        setValue(next == m_stops.end() ? maximum() : *next);
    else
        setValue(next == m_stops.begin() ? minimum() : *(next - 1));
}

void CountSlider::keyPressEvent(QKeyEvent* event)
{
    switch (event->key()) {
    case Qt::Key_Right:
    case Qt::Key_Up:
        return stepBy(1);
    case Qt::Key_Left:
    case Qt::Key_Down:
        return stepBy(-1);
    case Qt::Key_PageUp:
        return setValue(value() > maximum() / 2 ? maximum() : value() * 2);
    case Qt::Key_PageDown:
        return setValue(std::max(minimum(), value() / 2));
    case Qt::Key_Home:
        return setValue(minimum());
    case Qt::Key_End:
        return setValue(maximum());
    default:
        QWidget::keyPressEvent(event);
    }
}

void CountSlider::wheelEvent(QWheelEvent* event)
{
    if (!hasFocus() || event->angleDelta().y() == 0) {
        event->ignore();
        return;
    }
    stepBy(event->angleDelta().y() > 0 ? 1 : -1);
    event->accept();
}

void CountSlider::sliderChange(SliderChange change)
{
    QAbstractSlider::sliderChange(change);
    update();
}

} // namespace ui
