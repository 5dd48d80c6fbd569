// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/typed_options.h"

#include "app/subject.h"

namespace app {

std::vector<OptionValue> scenarioValues(const Typed& typed)
{
    std::vector<OptionValue> values;
    for (const ScenarioOption& option : scenarioOptions()) {
        if (typed.has(option.name))
            values.push_back({option.name, option.placeholder.empty() ? "on" : typed.text(option.name)});
    }
    for (const ModelOption& option : modelOptions()) {
        if (typed.has(option.name))
            values.push_back({option.name, typed.text(option.name)});
    }
    return values;
}

} // namespace app
