// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_layout.h"
#include "core/readers/read_error.h"

#include <fmt/format.h>

#include <algorithm>

namespace core::readers {

namespace {

constexpr std::string_view kWindowKey = "attention.sliding_window";
constexpr std::string_view kPatternKey = "attention.sliding_window_pattern";

/// The window in force: given, or the architecture's; 0: none.
std::int64_t windowOf(GgufValues& values, const GgufArchitecture& architecture, std::size_t layers)
{
    constexpr std::size_t kExaoneLayers = 64;
    const std::optional<std::int64_t> given = values.number(kWindowKey, kGgufTokens);
    const bool off = architecture.window == GgufWindow::Never || architecture.window == GgufWindow::Disabled ||
                     (architecture.window == GgufWindow::Only64 && layers != kExaoneLayers);
    if (off && given.value_or(0) > 0)
        values.note(fmt::format("{} = {} has no effect: llama.cpp keeps all tokens of this architecture",
                                values.wholeKey(kWindowKey), *given));
    if (off)
        return 0;
    if (given && *given > 0)
        values.read("window", std::to_string(*given), kWindowKey);
    else if (!given && architecture.defaultWindow > 0)
        values.defaulted("window", std::to_string(architecture.defaultWindow));
    return given.value_or(architecture.defaultWindow);
}

/// Layers in one period where the file has no list; Gemma 4 E2B, of 35 layers, has its own.
std::int64_t periodOf(const GgufValues& values, const GgufArchitecture& architecture, std::size_t layers)
{
    constexpr std::size_t kE2bLayers = 35;
    return values.architecture() == "gemma4" && layers == kE2bLayers ? 5 : architecture.period;
}

/// Which layers have the window.
std::vector<std::int64_t> patternOf(GgufValues& values, const GgufArchitecture& architecture, std::size_t layers)
{
    const std::optional<std::vector<std::int64_t>> list = values.list(kPatternKey, {0, 1});
    if (list && list->size() < layers)
        refuse(KV_TEXT("core", "In {0}, \"{1}\" has {2} entries, but there are {3} layers; nothing was changed; "
                               "convert the model again."),
               {values.file(), values.wholeKey(kPatternKey), static_cast<std::int64_t>(list->size()),
                static_cast<std::int64_t>(layers)});
    if (list)
        return *list;
    const std::optional<std::int64_t> number = values.number(kPatternKey, {1, 65'535});
    if (!number && architecture.period == 1)
        values.missing(kPatternKey);
    const std::int64_t period = number.value_or(periodOf(values, architecture, layers));
    std::vector<std::int64_t> windowed;
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(layers); ++i) {
        const bool full = period > 0 && i % period == (architecture.fullFirst ? 0 : period - 1);
        windowed.push_back(full ? 0 : 1);
    }
    return windowed;
}

void recordPattern(GgufValues& values, const GgufArchitecture& architecture, const std::string& letters)
{
    const char windowed = architecture.chunked ? kChunk : kWindow;
    const std::string text = fmt::format("{} {}, {} full", std::ranges::count(letters, windowed),
                                         architecture.chunked ? "chunk" : "window", std::ranges::count(letters, kFull));
    if (values.has(kPatternKey))
        values.read("layer_kinds", text, kPatternKey);
    else
        values.defaulted("layer_kinds", text, fmt::format("layer pattern of {}", values.architecture()));
}

} // namespace

std::int64_t applyGgufWindows(GgufValues& values, const GgufArchitecture& architecture, std::string& letters)
{
    if (letters.find(kFull) == std::string::npos)
        return 0;
    std::int64_t window = windowOf(values, architecture, letters.size());
    if (!window || window == 0)
        return window;
    const std::vector<std::int64_t> pattern = patternOf(values, architecture, letters.size());
    for (std::size_t i = 0; i < letters.size(); ++i) {
        if (letters[i] == kFull && pattern[i] != 0)
            letters[i] = architecture.chunked ? kChunk : kWindow;
    }
    recordPattern(values, architecture, letters);
    return window;
}

} // namespace core::readers
