// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/engines/llama/log_line.h"

#include "core/text/text.h"

#include <algorithm>
#include <charconv>

namespace core::engines::llama {

namespace {

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

/// True for characters of a name such as n_ctx.
bool isName(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// A number with decimals at the front of `text`, with a point for a comma: "48.00".
std::string decimalAt(std::string_view text)
{
    std::size_t end = 0;
    while (end < text.size() && isDigit(text[end]))
        ++end;
    const bool fraction =
        end > 0 && end + 1 < text.size() && (text[end] == '.' || text[end] == ',') && isDigit(text[end + 1]);
    if (!fraction)
        return std::string(text.substr(0, end));
    std::size_t last = end + 1;
    while (last < text.size() && isDigit(text[last]))
        ++last;
    std::string number(text.substr(0, last));
    number[end] = '.';
    return number;
}

/// A size in MiB, or MB where old builds say so for the same, at the front of `text`.
std::string sizeAt(std::string_view text)
{
    text = trimmed(text);
    std::string number = decimalAt(text);
    const std::string_view unit = trimmed(text.substr(std::min(number.size(), text.size())));
    return !number.empty() && (unit.starts_with("MiB") || unit.starts_with("MB")) ? number : std::string();
}

} // namespace

std::optional<std::int64_t> countBefore(std::string_view line, std::string_view words)
{
    const std::size_t place = line.find(words);
    if (place == std::string_view::npos)
        return std::nullopt;
    const std::string_view before = trimmed(line.substr(0, place));
    std::size_t start = before.size();
    while (start > 0 && isDigit(before[start - 1]))
        --start;
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(before.data() + start, before.data() + before.size(), count);
    return error == std::errc{} ? std::optional(count) : std::nullopt;
}

std::string sizeBehind(std::string_view line, std::string_view words)
{
    std::size_t place = line.find(words);
    while (place != std::string_view::npos) {
        const std::string_view rest = trimmed(line.substr(place + words.size()));
        if (rest.starts_with('=') || rest.starts_with(':'))
            return sizeAt(rest.substr(1));
        place = line.find(words, place + 1);
    }
    return {};
}

void readTyped(std::string_view line, std::string_view words, std::string& type, std::string& size)
{
    const std::size_t place = line.find(words);
    const std::size_t end = place == std::string_view::npos ? place : line.find(')', place);
    if (end == std::string_view::npos)
        return;
    type = std::string(line.substr(place + words.size(), end - place - words.size()));
    const std::string_view rest = trimmed(line.substr(end + 1));
    if (rest.starts_with(':'))
        size = sizeAt(rest.substr(1));
}

std::string valueOf(std::string_view line, std::string_view key)
{
    for (std::size_t place = line.find(key); place != std::string_view::npos; place = line.find(key, place + 1)) {
        const std::size_t end = place + key.size();
        const bool alone = (place == 0 || !isName(line[place - 1])) && (end == line.size() || !isName(line[end]));
        std::string_view rest = trimmed(line.substr(std::min(end, line.size())));
        if (!alone || rest.empty() || (rest.front() != '=' && rest.front() != ':'))
            continue;
        rest = trimmed(rest.substr(1));
        if (rest.starts_with('['))
            return std::string(rest.substr(0, rest.find(']') + 1));
        const bool sentence = key.find(' ') != std::string_view::npos;
        const std::string_view value = trimmed(sentence ? rest : rest.substr(0, rest.find(',')), " \t'\"");
        if (!value.empty())
            return std::string(value);
    }
    return {};
}

std::string lastWord(std::string_view text)
{
    text = trimmed(text);
    const std::size_t blank = text.find_last_of(" \t");
    return std::string(blank == std::string_view::npos ? text : text.substr(blank + 1));
}

} // namespace core::engines::llama
