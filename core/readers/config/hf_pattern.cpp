// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/config/hf_pattern.h"

#include "core/readers/config/hf_pattern_keys.h"
#include "core/readers/read_error.h"
#include "core/text/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <span>

namespace core::readers {

namespace {

std::optional<char> kindOf(std::span<const KindWords> table, std::string_view word)
{
    const auto found = std::ranges::find_if(table, [&](const KindWords& row) { return hasWord(row.words, word); });
    return found == table.end() ? std::nullopt : std::optional(found->kind);
}

/// What one key says: letters for all layers, or letters to repeat. The number of layers may not be known yet.
struct Said {
    std::string letters;
    bool cycle = false;
};

[[noreturn]] void unknownKind(const ConfigValues& values, std::string_view key, std::string kind)
{
    refuse(KV_TEXT("core", "In {0}, \"{1}\" has a layer of the kind \"{2}\", which is not known; nothing was "
                           "changed; choose another file or a catalogue model."),
           {values.file(), values.language().place(key), std::move(kind)});
}

std::string fromWords(const ConfigValues& values, const PatternKey& row, const nlohmann::json& list)
{
    std::string letters;
    for (const nlohmann::json& item : list) {
        const std::optional<char> kind = item.is_string() ? kindOf(kWords, item.get<std::string>()) : std::nullopt;
        if (!kind)
            unknownKind(values, row.key, item.is_string() ? item.get<std::string>() : shown(item));
        letters += *kind;
    }
    return letters;
}

std::string fromLetters(const ConfigValues& values, const PatternKey& row, std::string_view text)
{
    std::string letters;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::optional<char> kind = kindOf(kLetters, text.substr(i, 1));
        if (!kind)
            unknownKind(values, row.key, std::string(text.substr(i, 1)));
        letters += *kind;
    }
    return letters;
}

std::string fromNested(const ConfigValues& values, const PatternKey& row, const nlohmann::json& list)
{
    constexpr std::int64_t kMostTimes = 65'535;
    std::string letters;
    for (const nlohmann::json& item : list) {
        const bool pair = item.is_array() && item.size() == 2 && item[0].is_array();
        const std::int64_t times = pair ? wholeNumber(item[1]).value_or(0) : 0;
        if (times < 1 || times > kMostTimes)
            unknownKind(values, row.key, shown(item));
        std::string words = fromWords(values, row, item[0]);
        for (std::int64_t i = 0; i < times && letters.size() <= kMostTimes; ++i)
            letters += words;
    }
    return letters;
}

/// `layers` letters: `one` where `isOne` says so.
template <typename Predicate> std::string lettersWhere(const PatternKey& row, std::int64_t layers, Predicate isOne)
{
    std::string letters;
    for (std::int64_t layer = 0; layer < layers; ++layer)
        letters += isOne(layer) ? row.one : row.rest;
    return letters;
}

std::string fromListed(const ConfigValues& values, const PatternKey& row, std::int64_t layers)
{
    const std::int64_t first = row.form == Form::Listed1 ? 1 : 0;
    const std::optional<std::vector<std::int64_t>> list = values.numbers(row.key, {first, 65'535});
    std::string letters(static_cast<std::size_t>(layers), row.rest);
    for (const std::int64_t layer : list.value_or(std::vector<std::int64_t>{})) {
        if (layer - first >= layers)
            refuse(KV_TEXT("core", "In {0}, \"{1}\" names layer {2}, but there are only {3} layers; nothing was "
                                   "changed; correct one of them there."),
                   {values.file(), values.language().place(row.key), layer, layers});
        letters[static_cast<std::size_t>(layer - first)] = row.one;
    }
    return letters;
}

/// The decoder of SambaY (arXiv:2507.06607): state-space layers and windows, then one layer of full attention; behind
/// it layers that read its cache, and gates that keep nothing, in turns.
std::string sambaY(std::int64_t every, std::int64_t layers)
{
    const std::int64_t half = layers / 2;
    std::string letters;
    for (std::int64_t i = 0; i < layers; ++i) {
        const bool attends = i % every != 0;
        letters += attends ? (i < half ? kWindow : kFull) : (i < half + 2 ? kRecurrent : kNothing);
    }
    return letters;
}

std::string fromNumber(const ConfigValues& values, const PatternKey& row, const nlohmann::json& value,
                       std::int64_t layers)
{
    const std::optional<std::int64_t> every = wholeNumber(value);
    if (!every || *every < 1)
        refuse(KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a whole number of at least 1; nothing was "
                               "changed; correct it there."),
               {values.file(), values.language().place(row.key), shown(value)});
    if (row.form == Form::FirstOf)
        return sambaY(*every, layers);
    if (row.form == Form::Middle)
        return lettersWhere(row, layers, [&](std::int64_t i) {
            return layers <= *every / 2 ? i == layers - 1 : i % *every == *every / 2;
        });
    if (row.form != Form::Period) {
        const std::int64_t groups = layers / *every;
        const std::int64_t tail = row.form == Form::EveryAndTail ? groups * *every : layers;
        return lettersWhere(row, layers, [&](std::int64_t i) { return (i + 1) % *every == 0 || i >= tail; });
    }
    const nlohmann::json* given = values.at(row.offset);
    const std::int64_t offset = given == nullptr ? 0 : wholeNumber(*given).value_or(0);
    return lettersWhere(row, layers, [&](std::int64_t i) { return i % *every == offset; });
}

std::string fromFlags(const ConfigValues& values, const PatternKey& row)
{
    const std::optional<std::vector<std::int64_t>> flags = values.numbers(row.key, {0, 1});
    std::string letters;
    for (const std::int64_t flag : flags.value_or(std::vector<std::int64_t>{}))
        letters += flag == 1 ? row.one : row.rest;
    return letters;
}

/// What the value of a list key says.
Said fromList(const ConfigValues& values, const PatternKey& row, const nlohmann::json& value, std::int64_t layers)
{
    std::string letters;
    switch (row.form) {
    case Form::Words:
    case Form::Cycle:
        letters = fromWords(values, row, value);
        break;
    case Form::Nested:
        letters = fromNested(values, row, value);
        break;
    case Form::Flags:
        letters = fromFlags(values, row);
        break;
    default:
        letters = fromListed(values, row, layers);
        break;
    }
    return Said{std::move(letters), row.form == Form::Cycle};
}

bool takesList(Form form)
{
    return form == Form::Words || form == Form::Cycle || form == Form::Nested || form == Form::Flags ||
           form == Form::Listed || form == Form::Listed1;
}

Said readKey(const ConfigValues& values, const PatternKey& row, std::int64_t layers)
{
    const nlohmann::json& value = *values.at(row.key);
    if (value.is_array() && takesList(row.form))
        return fromList(values, row, value, layers);
    if (takesList(row.form))
        refuse(KV_TEXT("core", "In {0}, \"{1}\" is {2}, but it must be a list with an entry for each layer; nothing "
                               "was changed; correct it there."),
               {values.file(), values.language().place(row.key), shown(value)});
    const bool cycle = row.form != Form::Letters;
    if (value.is_string() && (row.form == Form::Letters || row.form == Form::Every)) {
        return {fromLetters(values, row, value.get<std::string>()), cycle};
    }
    return {fromNumber(values, row, value, layers), false};
}

bool isInForce(const ConfigValues& values, const PatternKey& row)
{
    const nlohmann::json* value = values.at(row.key);
    const bool empty = value != nullptr && value->is_array() && value->empty() && row.form != Form::Listed;
    return value != nullptr && !empty &&
           (row.onlyFor == 0 || values.family().kinds.find(row.onlyFor) != std::string_view::npos);
}

std::string repeated(std::string_view cycle, std::int64_t layers)
{
    std::string letters;
    for (std::size_t i = 0; static_cast<std::int64_t>(i) < layers; ++i)
        letters += cycle.empty() ? kFull : cycle[i % cycle.size()];
    return letters;
}

/// Letters for exactly `layers` layers; a note where a list had more.
std::string fitted(ConfigValues& values, const PatternKey& row, Said said, std::int64_t layers)
{
    if (said.cycle)
        return repeated(said.letters, layers);
    const auto count = static_cast<std::int64_t>(said.letters.size());
    if (count < layers)
        refuse(KV_TEXT("core", "In {0}, \"{1}\" names {2} layers, but there are {3}; nothing was changed; correct "
                               "one of them there."),
               {values.file(), values.language().place(row.key), count, layers});
    if (count > layers)
        values.note(fmt::format("{} names {} layers, but the model has {}: the list was cut (layers for multi-token "
                                "prediction stand behind them)",
                                row.key, count, layers));
    said.letters.resize(static_cast<std::size_t>(layers));
    return said.letters;
}

/// A kind that the family has in the place of one that it does not have: attention that is always beside a recurrent
/// mixer (Falcon-H1), or always windowed (RecurrentGemma).
char adapted(const Family& family, char kind)
{
    if (kind != kFull || family.kinds.find(kFull) != std::string_view::npos)
        return kind;
    return family.kinds.find(kBoth) != std::string_view::npos ? kBoth : kWindow;
}

/// What a refusal says of the entry of the key that the family cannot have: layer_types "sliding_attention".
std::string entryText(const ConfigValues& values, const PatternKey& row, std::size_t layer)
{
    const nlohmann::json& value = *values.at(row.key);
    const bool listed = row.form == Form::Words || row.form == Form::Flags;
    return fmt::format("{} {}", row.key,
                       value.is_array() && listed && layer < value.size() ? shown(value[layer]) : shown(value));
}

void adapt(const ConfigValues& values, const PatternKey& row, std::string_view declared, std::string& letters)
{
    const Family& family = values.family();
    for (std::size_t i = 0; i < letters.size(); ++i) {
        letters[i] = adapted(family, letters[i]);
        if (family.kinds.find(letters[i]) == std::string_view::npos)
            refuse(refusal(lawOf(letters[i])),
                   {values.file(), fmt::format("{}, {}", declared, entryText(values, row, i))});
    }
}

/// The number of layers; where the file does not give it, the length of the pattern is it.
std::optional<std::int64_t> layerCount(ConfigValues& values)
{
    std::optional<std::int64_t> layers = values.find(Quantity::Layers);
    if (layers)
        return layers;
    for (const PatternKey& row : kPatternKeys) {
        const nlohmann::json* value = values.at(row.key);
        const bool each = row.form == Form::Words || row.form == Form::Letters || row.form == Form::Flags;
        if (value == nullptr || !each)
            continue;
        const std::size_t size = value->is_string() ? value->get<std::string>().size() : value->size();
        if (size == 0 || size > 65'535)
            continue;
        values.derived("layers", std::to_string(size), fmt::format("number of entries in {}", row.key));
        return static_cast<std::int64_t>(size);
    }
    return std::nullopt;
}

/// Notes a second pattern that says something else.
void compare(ConfigValues& values, const PatternKey& row, const LayerKinds& kinds)
{
    const Result<Said> said = asResult([&] { return readKey(values, row, kinds.count()); });
    if (!said)
        return;
    std::string letters = said->cycle ? repeated(said->letters, kinds.count()) : said->letters;
    letters.resize(std::min(letters.size(), kinds.letters.size()));
    std::ranges::transform(letters, letters.begin(), [&](char kind) { return adapted(values.family(), kind); });
    if (letters != kinds.letters)
        values.note(fmt::format("{} and {} say different kinds of layers; {} is used", kinds.key, row.key, kinds.key));
}

/// The kinds that one key gives to `layers` layers.
LayerKinds kindsAt(ConfigValues& values, const PatternKey& row, std::int64_t layers, std::string_view declared)
{
    Said said = readKey(values, row, layers);
    adapt(values, row, declared, said.letters);
    return {fitted(values, row, std::move(said), layers), values.language().place(row.key)};
}

/// Layers that `full_attention_idx` takes out of the window (PLaMo 2).
void widen(const ConfigValues& values, LayerKinds& kinds)
{
    const auto list = values.numbers("full_attention_idx", {0, 65'535});
    for (const std::int64_t layer : list.value_or(std::vector<std::int64_t>{})) {
        if (layer < kinds.count() && kinds.letters[static_cast<std::size_t>(layer)] == kWindow)
            kinds.letters[static_cast<std::size_t>(layer)] = kFull;
    }
}

/// The family's own pattern.
LayerKinds kindsOfFamily(const Family& family, std::int64_t layers)
{
    LayerKinds kinds;
    kinds.letters = repeated(family.pattern.empty() ? family.kinds.substr(0, 1) : family.pattern, layers);
    if (family.lastIsFull)
        kinds.letters.back() = kFull;
    return kinds;
}

} // namespace

LayerKinds readKinds(ConfigValues& values, std::string_view declared)
{
    const std::optional<std::int64_t> counted = layerCount(values);
    const std::int64_t layers = counted ? *counted : values.need(Quantity::Layers);
    std::optional<LayerKinds> kinds;
    for (const PatternKey& row : kPatternKeys) {
        if (!isInForce(values, row))
            continue;
        if (kinds) {
            compare(values, row, *kinds);
            continue;
        }
        kinds = kindsAt(values, row, layers, declared);
    }
    LayerKinds result = kinds ? std::move(*kinds) : kindsOfFamily(values.family(), layers);
    widen(values, result);
    return result;
}

} // namespace core::readers
