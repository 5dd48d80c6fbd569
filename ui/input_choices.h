// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/inputs.h"

class QComboBox;

// The lists of the panel: the inputs that take one of several values.
namespace ui {

/// True for an input whose value is chosen from a list.
bool hasChoices(core::Field field);

/// Fills the list with what does not depend on the scenario.
void fillChoices(QComboBox& list, core::Field field);
/// Fills the list with the numbers of KV heads that the query heads of the model can share evenly.
void fillKvHeads(QComboBox& list, const core::Model& model);
/// Fills the list with the sizes that the machine is sold with and selects the chosen one; empty without sizes.
void fillMemorySizes(QComboBox& list, const core::Hardware& hardware);

/// Selects the value of the scenario.
void showChoice(QComboBox& list, core::Field field, const core::Scenario& scenario);
/// Gives the scenario the value that stands in the row of the list, with what follows from it for other inputs.
void choose(core::Scenario& scenario, core::Field field, const QComboBox& list, int row);

} // namespace ui
