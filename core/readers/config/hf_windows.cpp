// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_windows.h"

#include <fmt/format.h>

#include <algorithm>

namespace core::readers {

namespace {

/// What stands in the file, or in the class, about a window.
struct Declared {
    std::int64_t tokens = 0; ///< 0: none
    std::string key;         ///< empty: the class's default
};

constexpr Range kTokenRange{1, 1'000'000'000'000};

/// The chunk of chunked attention: `attention_chunk_size`, 8,192 by default.
std::int64_t chunkOf(ConfigValues& values)
{
    constexpr std::int64_t kDefault = 8192;
    const std::optional<std::int64_t> chunk = values.number("attention_chunk_size", kTokenRange);
    if (chunk)
        values.read("window", std::to_string(*chunk), "attention_chunk_size");
    else
        values.defaulted("window", std::to_string(kDefault), values.classDefault());
    return chunk.value_or(kDefault);
}

Declared declaredWindow(ConfigValues& values)
{
    const std::optional<std::int64_t> window = values.find(Quantity::Window);
    if (!window)
        return Declared{};
    const auto row = std::ranges::find(values.provenance(), "window", &Provenance::field);
    return Declared{*window, row == values.provenance().end() ? std::string() : row->key};
}

/// Why the declared window has no effect anywhere; empty where it has.
std::string whyNot(ConfigValues& values, const Declared& window, std::optional<std::int64_t> maxContext, bool patterned)
{
    const Family& family = values.family();
    if (family.window == WindowRule::Never && family.pattern.empty() && !patterned)
        return std::string("the class has no window");
    const bool on = values.flag(Flag{"use_sliding_window", family.window != WindowRule::WhenSwitched});
    if (family.window == WindowRule::WhenSwitched && !on)
        return std::string("the window is switched off");
    if (maxContext && window.tokens >= *maxContext)
        return std::string("it is not below the maximum length");
    return std::string();
}

void drop(ConfigValues& values, const Declared& window, std::string_view reason)
{
    std::erase_if(values.provenance(), [](const Provenance& row) {
        return row.how == How::Default && (row.field == "window" || row.field == "first_windowed_layer");
    });
    if (!window.key.empty())
        values.note(fmt::format("{} = {} has no effect: {}", window.key, window.tokens, reason));
}

/// Gives layers without a pattern of their own the class's window.
void addWindows(ConfigValues& values, LayerKinds& kinds)
{
    const bool patterned = !kinds.key.empty() || !values.family().pattern.empty();
    if (patterned || values.family().window == WindowRule::Never)
        return;
    std::int64_t first = 0;
    if (values.family().window == WindowRule::WhenSwitched) {
        const std::int64_t from = values.findOr(Quantity::WindowedFrom, 0);
        first = std::min(from, kinds.count());
    }
    std::replace(kinds.letters.begin() + first, kinds.letters.end(), kFull, kWindow);
}

void recordKinds(ConfigValues& values, const LayerKinds& kinds)
{
    std::string text;
    for (const auto& [letter, name] :
         {std::pair(kFull, "full"), std::pair(kWindow, "window"), std::pair(kChunk, "chunk"),
          std::pair(kRecurrent, "recurrent"), std::pair(kBoth, "attention and recurrent"), std::pair(kCross, "cross"),
          std::pair(kMlpOnly, "MLP only"), std::pair(kExperts, "experts only")}) {
        const auto count = std::ranges::count(kinds.letters, letter);
        if (count > 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, name);
    }
    const bool alike = std::ranges::count(kinds.letters, kinds.letters.front()) == kinds.count();
    if (!kinds.key.empty())
        values.read("layer_kinds", text, kinds.key);
    else if (!alike || kinds.letters.front() != kFull)
        values.defaulted("layer_kinds", text, fmt::format("layer pattern of {}", values.family().configClass));
}

/// Sliding layers of a file or a class that gives no window attend to everything.
void withoutWindow(ConfigValues& values, LayerKinds& kinds)
{
    const bool named = kinds.letters.find(kWindow) != std::string::npos;
    if (named && !kinds.key.empty())
        values.note(fmt::format("{} names sliding layers, but there is no window: full attention assumed", kinds.key));
    std::ranges::replace(kinds.letters, kWindow, kFull);
}

/// Puts the window in force, or takes it out with a note; returns it, or 0.
std::int64_t enforce(ConfigValues& values, LayerKinds& kinds, const Declared& window,
                     std::optional<std::int64_t> maxContext)
{
    const bool named = kinds.letters.find(kWindow) != std::string::npos;
    const std::string reason = whyNot(values, window, maxContext, named);
    if (reason.empty())
        addWindows(values, kinds);
    if (reason.empty() && kinds.letters.find(kWindow) != std::string::npos)
        return window.tokens;
    std::ranges::replace(kinds.letters, kWindow, kFull);
    const bool off = values.family().window == WindowRule::WhenSwitched;
    drop(values, window, !reason.empty() ? reason : off ? "the window is switched off" : "no layer has it");
    return 0;
}

} // namespace

std::int64_t applyWindow(ConfigValues& values, LayerKinds& kinds, std::optional<std::int64_t> maxContext)
{
    if (kinds.letters.find(kChunk) != std::string::npos) {
        recordKinds(values, kinds);
        return chunkOf(values);
    }
    const Declared window = declaredWindow(values);
    std::int64_t tokens = 0;
    if (window.tokens == 0)
        withoutWindow(values, kinds);
    else
        tokens = enforce(values, kinds, window, maxContext);
    recordKinds(values, kinds);
    return tokens;
}

} // namespace core::readers
