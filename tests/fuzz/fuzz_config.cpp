// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer target: any bytes as a model file.
#include "tests/fuzz/check_model.h"

#include <cstdint>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string text(data, data + size);
    fuzz::checkResult(core::readers::readModelText(text, "config.json"));
    return 0;
}
