// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands.h"
#include "app/window.h"

#include <iostream>
#include <optional>
#include <string>
#include <vector>

int main(int argc, char** argv)
{
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    const app::WindowSide windowSide{
        .start = [&](const std::optional<core::Model>& model,
                     const std::string& subject) { return app::startWindow(argc, argv, model, subject); },
        .draw = [&](const app::Picture& picture) { return app::drawPicture(argc, argv, picture); },
        .charts = app::chartNames(),
    };
    return app::run(arguments, std::cout, std::cerr, windowSide);
}
