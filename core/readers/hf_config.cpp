// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/hf_config.h"

namespace core::readers {

Result<Model> readHfConfig(const nlohmann::json& config, std::string_view file)
{
    (void)config;
    return fail(KV_TEXT("core",
                        "{0} is a config.json, which KV Horizon does not read yet; nothing was changed; choose a "
                        "catalogue model."),
                {std::string(file)});
}

} // namespace core::readers
