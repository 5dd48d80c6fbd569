// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/log.h"
#include "core/text/result.h"

#include <filesystem>

namespace core::readers {

/// What an engine printed into a file or a pipe, of at most 64 MiB; `likely` that one, where the lines are of several.
/// The error names the file and why it cannot be read.
Result<engines::EngineLog> readLogFile(const std::filesystem::path& path, EngineId likely = EngineId::LlamaCpp);

} // namespace core::readers
