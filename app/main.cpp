// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

namespace {

/// Opens the window on `model`, or on the scenario of the first start. Returns the exit code.
int startWindow(int& /*argc*/, char** /*argv*/, const std::optional<core::Model>& /*model*/)
{
    std::cerr << "kvhorizon: The window does not exist yet: use \"kvhorizon size\".\n";
    return app::kFailed;
}

/// Draws a view and writes it to a file. Returns the exit code.
int exportView(int& /*argc*/, char** /*argv*/, const app::Picture& /*picture*/)
{
    std::cerr << "kvhorizon: Charts cannot be written yet: use \"kvhorizon size\".\n";
    return app::kFailed;
}

} // namespace

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const app::WindowSide windowSide{
        .start = [&](const std::optional<core::Model>& model) { return startWindow(argc, argv, model); },
        .draw = [&](const app::Picture& picture) { return exportView(argc, argv, picture); },
    };
    return app::run(arguments, std::cout, std::cerr, windowSide);
}
