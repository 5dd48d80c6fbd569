// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/launch_command.h"

#include "core/text/text.h"

namespace core::engines {

std::string_view torchName(KvFormat format)
{
    return format == KvFormat::Fp32 ? "float32" : format == KvFormat::Fp16 ? "float16" : "bfloat16";
}

void LaunchCommand::addRanks(std::string_view flag, std::int64_t ranks)
{
    if (ranks > 1)
        add(flag, ranks);
}

void LaunchCommand::addTyped(std::string_view flag, std::string_view name)
{
    if (const std::optional<std::string> value = typed(flag))
        add(name.empty() ? flag : name, *value);
}

void LaunchCommand::addSwitch(std::string_view flag)
{
    const std::string* value = m_scenario.settings.find(flag);
    if (value == nullptr || *value == "auto")
        return;
    const Setting* row = find(settings(m_scenario.engine), flag);
    if (isOn(*value))
        m_text.append(" --").append(flag);
    else if (row != nullptr && row->words == "auto")
        m_text.append(" --no-").append(flag);
}

std::optional<std::string> LaunchCommand::typed(std::string_view flag) const
{
    const Setting* row = find(settings(m_scenario.engine), flag);
    const std::string* text = m_scenario.settings.find(flag);
    if (row == nullptr || text == nullptr || *text == "auto" || wrong(*row, *text))
        return std::nullopt;
    const Result<std::int64_t> count = row->type == SettingType::Count ? parseCount(*text) : fail("");
    return count ? std::to_string(*count) : *text;
}

} // namespace core::engines
