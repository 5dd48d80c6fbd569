// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/views/view.h"

#include <span>

namespace ui {

/// One view of the window.
struct ViewRow {
    const char* name;     ///< "overview": begins the names of its objects
    const char* title;    ///< of its tab and of its entry in the View menu
    const char* keyboard; ///< what the keys do in it, for What's This
    const char* topic;    ///< of the manual, which F1 opens while the view is in front
    View* (*make)(QWidget* parent);
};

/// All views in the order of their tabs: a new one is a row in `views.cpp` and a file of its own.
std::span<const ViewRow> views();

/// A text of the table in the user's language.
QString viewText(const char* text);

} // namespace ui
