// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/hub_name.h"
#include "core/scenario/scenario.h"
#include "ui/hub/hub_client.h"

#include <QDir>

#include <functional>
#include <stop_token>

namespace ui {

/// Where what was fetched is kept: a folder of the user's cache.
QDir hubCache();

/// Fetches what must be known of the model: the list of its files, config.json, the headers of its weights. Runs in the
/// calling thread, which needs an event loop of Qt but no window. What was fetched before is read from `cache`, by its
/// commit; a branch is asked for anew, and only when no server answers it stands where it stood last, which a note
/// says. The scenario is the defaults with the model. `progress` is told the bytes that came; `stop` ends it.
core::Result<core::Scenario> fetchModel(const core::readers::HubName& name, const HubAccess& access, const QDir& cache,
                                        const std::function<void(std::int64_t)>& progress,
                                        const std::stop_token& stop = {});

} // namespace ui
