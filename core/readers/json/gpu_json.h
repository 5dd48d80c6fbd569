// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/json/json_reader.h"
#include "core/scenario/hardware.h"
#include "core/text/result.h"

#include <nlohmann/json_fwd.hpp>

namespace core::readers {

/// An accelerator as the catalogue and scenario files describe it: {"id", "name", "vendor", "unified", "label_bytes",
/// "label", "driver_bytes", "usable_bytes", "usable_basis", "usable_source", "sizes": […]}. The memory is that of the
/// chosen size. A size without a "label" is as the accelerator in all but its "label_bytes", "usable_bytes" and
/// "usable_source"; one with a "label" is described whole. What the catalogue says beside these keys is not kept.
Result<Gpu> gpuFromJson(const JsonObject& json);

/// The inverse: gpuFromJson(gpuToJson(g)) equals g.
nlohmann::ordered_json gpuToJson(const Gpu& gpu);

} // namespace core::readers
