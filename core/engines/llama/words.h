// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/engines/llama/options.h"

#include <string>
#include <string_view>

namespace core::engines::llama {

/// The name that ggml prints: "f16", "q8_0", "q8_KV".
std::string typeName(KvFormat format);
/// And back, whatever the case; nothing where there is no such type.
std::optional<KvFormat> typeOf(std::string_view name);

/// A size in MiB as the engine prints it: bytes as a 32-bit float, divided, with two decimals. "69.125" is "69.12".
std::string mibText(Bytes bytes);

/// "CUDA0", "CPU": the device of a scenario, or the host where `place` is behind the devices.
std::string deviceName(const Scenario& scenario, std::size_t place);

} // namespace core::engines::llama
