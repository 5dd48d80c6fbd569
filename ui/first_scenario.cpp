// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/first_scenario.h"

#include "core/files/catalog.h"

#include <utility>

namespace ui {

core::Scenario firstScenario(core::Model model, core::Gpu gpu)
{
    core::Scenario scenario;
    scenario.weightFormat = model.weights.published;
    scenario.model = std::move(model);
    scenario.hardware.gpu = std::move(gpu);
    scenario.workload.batch = 4;
    scenario.waste = core::Percent::whole(20);
    return scenario;
}

core::Scenario firstScenario(const Catalogue& catalogue)
{
    return firstScenario(core::findModel(catalogue.models, kFirstModel).value(),
                         core::findGpu(catalogue.gpus, kFirstGpu).value());
}

} // namespace ui
