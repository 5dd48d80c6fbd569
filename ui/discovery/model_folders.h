// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/local_models.h"

#include <QStringList>

#include <vector>

namespace ui {

/// The folders that the user added to those in which programs keep models; kept in the settings.
QStringList addedModelFolders();
void addModelFolder(const QString& path);
void forgetModelFolder(const QString& path);

/// Those, and the folders of programs that exist here.
std::vector<core::readers::ModelFolder> allModelFolders();

} // namespace ui
