// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/view.h"

#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/views/chart_view.h"
#include "ui/views/tables_and_labels.h"
#include "ui/views/views.h"

#include <QChart>
#include <QEvent>
#include <QLabel>
#include <QVBoxLayout>

namespace ui {

namespace {

/// In this palette what is disabled is as pale as an old chart.
QPalette paleWhereDisabled(const Theme& theme)
{
    QColor pale = theme.color(Role::Text);
    pale.setAlphaF(static_cast<float>(kFaded));
    QPalette palette;
    for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, pale);
    return palette;
}

} // namespace

void setOld(QWidget& result, bool isOld)
{
    for (ChartView* chart : result.findChildren<ChartView*>())
        chart->chart()->setOpacity(isOld ? kFaded : 1);
    for (QWidget* part : result.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly)) {
        if (qobject_cast<ChartView*>(part) == nullptr)
            part->setEnabled(!isOld);
    }
}

ViewFrame::ViewFrame(const ViewRow& row, QWidget* parent) : QWidget(parent), m_reason(wordLabel(Type::Body, this))
{
    setPalette(paleWhereDisabled(Theme::of(palette())));
    m_view = row.make(this);
    m_reason->setObjectName(QString::fromLatin1(row.name) + QStringLiteral("-reason"));
    m_reason->setAlignment(Qt::AlignCenter);
    m_reason->hide();
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_reason);
    column->addWidget(m_view, 1);
}

void ViewFrame::show(const Shown& shown)
{
    m_view->show(shown);
    QWidget* result = m_view->result();
    if (result == nullptr)
        return;
    const QString reason = shown.isNothing() ? text(shown.valid.issues.front().message) : QString();
    setTextIfAny(*m_reason, reason.isEmpty() ? reason : tr("Nothing can be shown yet. %1").arg(reason));
    result->setVisible(!shown.isNothing());
    setOld(*result, shown.isOld());
}

void ViewFrame::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        setPalette(paleWhereDisabled(Theme::of(palette())));
}

} // namespace ui
