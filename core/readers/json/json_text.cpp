// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/json_text.h"

#include "core/readers/json/json_reader.h"
#include "core/readers/read_error.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

namespace core::readers {

namespace {

struct Token {
    std::size_t begin;
    std::size_t end;
};

/// Walks over JSON text, token by token, without understanding it.
class Scanner {
public:
    explicit Scanner(std::string_view text) : m_text(text) {}

    bool atEnd() const { return m_place >= m_text.size(); }
    std::size_t place() const { return m_place; }
    int depth() const { return m_depth; }

    /// Moves on by one letter, text or word; returns the word where it is one that a strict parser refuses.
    std::optional<Token> next()
    {
        const char letter = m_text[m_place];
        if (letter == '"') {
            skipString();
            return std::nullopt;
        }
        if (isWordLetter(letter))
            return word();
        ++m_place;
        m_depth += letter == '{' || letter == '[' ? 1 : 0;
        m_depth -= letter == '}' || letter == ']' ? 1 : 0;
        return std::nullopt;
    }

private:
    static bool isWordLetter(char c)
    {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' || c == '+' ||
               c == '.';
    }

    void skipString()
    {
        for (++m_place; !atEnd() && m_text[m_place] != '"'; ++m_place)
            m_place += m_text[m_place] == '\\' ? std::size_t{1} : std::size_t{0};
        ++m_place;
    }

    std::optional<Token> word()
    {
        const std::size_t begin = m_place;
        while (!atEnd() && isWordLetter(m_text[m_place]))
            ++m_place;
        const std::string_view word = m_text.substr(begin, m_place - begin);
        constexpr std::array<std::string_view, 3> kTokens{"Infinity", "-Infinity", "NaN"};
        const bool quoted = std::ranges::count(kTokens, word) > 0 || isTooLarge(word);
        return quoted ? std::optional(Token{begin, m_place}) : std::nullopt;
    }

    /// True for a number above the largest double.
    static bool isTooLarge(std::string_view word)
    {
        constexpr std::size_t kDigitsOfLargest = 309;
        const std::size_t exponent = word.find_first_of("eE");
        const bool maybe = word.size() >= kDigitsOfLargest || exponent != std::string_view::npos;
        if (!maybe || word.find_first_not_of("0123456789-+.eE") != std::string_view::npos)
            return false;
        double number = 0;
        const bool outside =
            std::from_chars(word.data(), word.data() + word.size(), number).ec == std::errc::result_out_of_range;
        const bool tiny = exponent != std::string_view::npos && word.substr(exponent + 1).starts_with('-');
        return outside && !tiny;
    }

    std::string_view m_text;
    std::size_t m_place = 0;
    int m_depth = 0;
};

} // namespace

std::size_t StrictJson::original(std::size_t position) const
{
    for (const std::size_t token : quoted)
        position -= position > token + 1 ? 2 : 0;
    return position;
}

StrictJson strictJson(std::string_view text, std::string_view file)
{
    StrictJson result;
    std::size_t copied = 0;
    Scanner scanner(text);
    while (!scanner.atEnd()) {
        if (const std::optional<Token> token = scanner.next()) {
            result.changed += text.substr(copied, token->begin - copied);
            result.changed += '"';
            result.changed += text.substr(token->begin, token->end - token->begin);
            result.changed += '"';
            result.quoted.push_back(token->begin);
            copied = token->end;
        }
        if (scanner.depth() > kMaxNesting)
            refuse(KV_TEXT("core", "{0} nests objects and lists deeper than {1} levels (at byte {2}), so it is no "
                                   "model description; nothing was changed; choose another file."),
                   {std::string(file), std::int64_t{kMaxNesting}, static_cast<std::int64_t>(scanner.place())});
    }
    if (!result.quoted.empty())
        result.changed += text.substr(copied);
    return result;
}

} // namespace core::readers
