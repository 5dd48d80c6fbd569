// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/model_view.h"

#include "core/files/model_file.h"
#include "core/readers/json/model_json.h"
#include "ui/texts.h"
#include "ui/theme.h"
#include "ui/views/layer_strip.h"
#include "ui/views/model_tables.h"
#include "ui/views/tables_and_labels.h"

#include <QFontDatabase>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include <algorithm>

namespace ui {

/// Lists the paints of the kinds that occur, each with its name.
class KindKey : public QWidget {
public:
    explicit KindKey(QWidget* parent) : QWidget(parent)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        setFont(fontOf(Type::Label));
    }
    void show(const core::Model& model)
    {
        m_kinds.clear();
        std::vector<bool> kept(static_cast<std::size_t>(model.layers), false);
        for (const core::CacheGroup& group : model.groups) {
            if (std::ranges::find(m_kinds, group.kind) == m_kinds.end())
                m_kinds.push_back(group.kind);
            for (const std::int32_t layer : group.layers.layers()) {
                if (static_cast<std::size_t>(layer) < kept.size())
                    kept[static_cast<std::size_t>(layer)] = true;
            }
        }
        const bool none = std::ranges::find(kept, false) != kept.end();
        if (none && std::ranges::find(m_kinds, core::CacheKind::None) == m_kinds.end())
            m_kinds.push_back(core::CacheKind::None);
        update();
    }
    QSize sizeHint() const override { return {400, fontMetrics().height() + 2 * kSpace}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        const Theme& theme = Theme::of(palette());
        double x = kSpace;
        for (const core::CacheKind kind : m_kinds) {
            paintKind(painter, QRectF(x, (height() - 14) / 2.0, 22, 14), kind, theme);
            painter.setPen(theme.color(Role::Text));
            const QString name = kindName(kind);
            x += 22 + 2 * kSpace;
            painter.drawText(QRectF(x, 0, width() - x, height()), Qt::AlignVCenter | Qt::AlignLeft, name);
            x += fontMetrics().horizontalAdvance(name) + 5 * kSpace;
        }
    }

private:
    std::vector<core::CacheKind> m_kinds;
};

ModelView::ModelView(QWidget* parent) : View(parent), m_pages(new QStackedWidget(this))
{
    setObjectName(QStringLiteral("model-view"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_pages);
}

/// The pages come with the first model that is shown: the start of the program does not wait for them.
void ModelView::createPages()
{
    m_pages->addWidget(createFacts());
    m_pages->addWidget(createText());
}

QWidget* ModelView::createFacts()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2 * kSpace, 2 * kSpace, 2 * kSpace);
    column->setSpacing(2 * kSpace);
    auto* head = new QHBoxLayout;
    m_name = titleLabel({}, page);
    m_name->setFont(fontOf(Type::Headline, QFont::DemiBold));
    m_name->setTextFormat(Qt::PlainText);
    m_edit = new QPushButton(tr("Edit as text"), page);
    m_edit->setFont(fontOf(Type::Label));
    m_edit->setMinimumHeight(26);
    connect(m_edit, &QPushButton::clicked, this, &ModelView::editModelAsText);
    head->addWidget(m_name, 1);
    head->addWidget(m_edit);
    column->addLayout(head);
    m_facts = wordLabel(Type::Label, page);
    column->addWidget(m_facts);
    m_strip = new LayerStrip(page);
    m_key = new KindKey(page);
    m_layer = wordLabel(Type::Label, page);
    m_layer->setObjectName(QStringLiteral("layer"));
    m_notes = wordLabel(Type::Label, page);
    m_notes->setObjectName(QStringLiteral("notes"));
    for (QWidget* widget : std::initializer_list<QWidget*>{m_strip, m_key, m_layer, m_notes})
        column->addWidget(widget);
    const auto addTable = [&](DataTableModel*& model, const char* name, const QString& title) {
        model = new DataTableModel(this);
        column->addWidget(titleLabel(title, page));
        m_tables.push_back(wholeTable(model, name, title, page));
        column->addWidget(m_tables.back());
    };
    addTable(m_groups, "groups-table", tr("Cache per layer"));
    addTable(m_origins, "origins-table", tr("Where each value comes from"));
    addTable(m_weights, "weights-table", tr("Weights by part"));
    column->addStretch();
    connect(m_strip, &LayerStrip::layerChosen, this, &ModelView::showLayer);
    connect(m_tables.front()->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& row) { m_strip->frame(row.row()); });
    auto* area = new QScrollArea;
    area->setFrameShape(QFrame::NoFrame);
    area->setWidget(page);
    area->setWidgetResizable(true);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

QWidget* ModelView::createText()
{
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 2 * kSpace, 0, 2 * kSpace);
    auto* help = wordLabel(Type::Label, page);
    help->setText(
        tr("This is the model as \"kvhorizon inspect --json\" prints it. Correct whatever you know better. Counts are "
           "whole numbers; layers are written like \"0-3,8\"."));
    m_text = new QPlainTextEdit(page);
    m_text->setObjectName(QStringLiteral("model-text"));
    m_text->setAccessibleName(tr("The model as text"));
    m_text->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
    m_text->setTabChangesFocus(true);
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_issue = wordLabel(Type::Label, page);
    m_issue->setObjectName(QStringLiteral("model-text-issue"));
    m_issue->hide();
    auto* buttons = new QHBoxLayout;
    auto* use = new QPushButton(tr("Use this model"), page);
    use->setObjectName(QStringLiteral("use-text"));
    auto* back = new QPushButton(tr("Discard changes"), page);
    back->setObjectName(QStringLiteral("leave-text"));
    for (QPushButton* button : {use, back}) {
        button->setMinimumHeight(26);
        buttons->addWidget(button);
    }
    buttons->addStretch();
    connect(use, &QPushButton::clicked, this, &ModelView::apply);
    connect(back, &QPushButton::clicked, this, [this] {
        m_text->document()->setModified(false);
        fillText();
        m_pages->setCurrentIndex(0);
    });
    column->addWidget(help);
    column->addWidget(m_text, 1);
    column->addWidget(m_issue);
    column->addLayout(buttons);
    return page;
}

void ModelView::show(const Shown& shown)
{
    if (m_pages->count() == 0)
        createPages();
    const bool isLocked = !shown.locks.mayChange(core::Field::Model);
    m_edit->setEnabled(!isLocked);
    if (isLocked)
        m_pages->setCurrentIndex(0);
    const bool isOther = shown.current.scenario.model != m_scenario.model;
    m_scenario = m_counted = shown.current.scenario;
    if (std::ranges::count(shown.current.issues, core::Field::KvHeads, &core::Issue::field) > 0)
        m_counted.kvHeads.reset();
    if (isOther)
        showModel();
    m_groups->setTable(groupTable(m_counted));
    m_weights->setTable(weightTable(m_counted));
    for (QTableView* table : m_tables)
        fitTable(*table);
}

/// Shows what depends on the model alone.
void ModelView::showModel()
{
    const core::Model& model = m_scenario.model;
    m_name->setText(QString::fromStdString(model.name));
    QStringList facts{QString::fromStdString(model.source), tr("%1 layers").arg(countText(model.layers))};
    if (!model.family.empty())
        facts.prepend(QString::fromStdString(model.family));
    if (model.maxContext)
        facts << tr("trained for %1 tokens").arg(countText(*model.maxContext));
    m_facts->setText(facts.join(QStringLiteral(" · ")));
    m_strip->show(model);
    m_strip->setAccessibleDescription(
        tr("%1 layers; the table below lists what each of them caches").arg(model.layers));
    m_key->show(model);
    QStringList notes;
    for (const std::string& note : model.notes)
        notes << QStringLiteral("• ") + QString::fromStdString(note);
    setTextIfAny(*m_notes, notes.join(QLatin1Char('\n')));
    m_origins->setTable(provenanceTable(model));
    if (!m_text->document()->isModified())
        fillText();
    showLayer(-1);
}

void ModelView::showLayer(int layer)
{
    m_layer->setText(layer < 0 ? tr("Point at a layer, or choose one with the arrow keys.")
                               : layerText(m_counted, layer));
    if (layer >= 0)
        m_strip->setAccessibleDescription(m_layer->text());
}

void ModelView::fillText()
{
    m_text->setPlainText(QString::fromStdString(core::readers::modelToText(m_scenario.model)));
    m_text->document()->setModified(false);
    m_issue->hide();
}

bool ModelView::editModelAsText()
{
    emit frontRequested();
    m_pages->setCurrentIndex(1);
    m_text->setFocus();
    return true;
}

/// Uses the text as the model, or says what cannot be understood and where.
void ModelView::apply()
{
    if (!m_text->document()->isModified())
        return m_pages->setCurrentIndex(0);
    const core::Result<core::Model> read =
        core::readers::readModelText(m_text->toPlainText().toStdString(), "the text");
    if (!read) {
        setTextIfAny(*m_issue, text(read.error().message));
        return;
    }
    core::Scenario next = m_scenario;
    next.model = *read;
    if (next.model != m_scenario.model) {
        next.model.id.clear(); // no longer the published one
        if (next.model.name == m_scenario.model.name)
            next.model.name += tr(" (edited)").toStdString();
        if (next.model.source == m_scenario.model.source)
            next.model.source += tr(", edited by hand").toStdString();
        if (next.model.provenance == m_scenario.model.provenance)
            next.model.provenance.clear(); // it no longer tells where the values come from
    }
    m_text->document()->setModified(false);
    m_pages->setCurrentIndex(0);
    emit edited(next);
    fillText();
}

} // namespace ui
