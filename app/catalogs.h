// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/files/catalog.h"
#include "core/scenario/scenario.h"
#include "core/text/result.h"

#include <string>
#include <vector>

namespace app {

/// The catalogues that are compiled into the program; each is read when it is asked for.
core::Result<std::vector<core::Model>> models();
core::Result<std::vector<core::Gpu>> gpus();

/// MODEL of the command line: the file or folder of that name if there is one, else the catalogue's entry. What looks
/// like a path (a slash, or ".json" or ".kvh" at the end) and does not exist is reported as a missing file.
core::Result<core::Model> loadModel(const std::string& model);

/// The scenario that MODEL stands for: that of a scenario file, else the defaults with the model.
core::Result<core::Scenario> loadScenario(const std::string& model);

/// ID or ID:SIZE of the command line.
core::Result<core::Gpu> loadGpu(const std::string& id);

} // namespace app
