// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/views/views.h"

#include "ui/views/engine_view.h"
#include "ui/views/model_view.h"
#include "ui/views/overview.h"

#include <QCoreApplication>

#include <array>

namespace ui {

namespace {

template <typename SomeView> View* make(QWidget* parent)
{
    return new SomeView(parent);
}

constexpr std::array kViews{
    ViewRow{"overview", QT_TRANSLATE_NOOP("ui::View", "Overview"),
            QT_TRANSLATE_NOOP("ui::View",
                              "In the growth chart the left and right arrow keys move the marker; with Shift "
                              "they read values without changing anything. In the budget the arrow keys "
                              "choose a part and Enter explains it."),
            "window", make<Overview>},
    ViewRow{"model", QT_TRANSLATE_NOOP("ui::View", "Model"),
            QT_TRANSLATE_NOOP("ui::View", "In the strip of layers the left and right arrow keys, Home and End choose a "
                                          "layer. In the tables the up and down arrow keys choose a row."),
            "models", make<ModelView>},
    ViewRow{"engine", QT_TRANSLATE_NOOP("ui::View", "Engine"),
            QT_TRANSLATE_NOOP("ui::View", "Tab leads from one text and button to the next."), "engines",
            make<EngineView>},
};

} // namespace

std::span<const ViewRow> views()
{
    return kViews;
}

QString viewText(const char* text)
{
    return QCoreApplication::translate("ui::View", text);
}

} // namespace ui
