// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json/json_array.h"

#include <string>

namespace core::readers {

namespace {

/// Goes once over the text and keeps, for each object of the outermost list, where it lies and what its "id" is.
class ArrayScanner {
public:
    /// Ends at the entry `last`, if there is one.
    explicit ArrayScanner(std::string_view text, std::string_view last = {}) : m_text(text), m_last(last) {}

    /// False when the text is no list of objects with ids.
    bool scan()
    {
        for (; m_place < m_text.size() && m_valid; ++m_place) {
            const char letter = m_text[m_place];
            if (letter == '"')
                string();
            else if (letter == '{' || letter == '[')
                open(letter);
            else if (letter == '}' || letter == ']')
                close();
            else if (letter == ',' && m_depth == 2)
                m_key = {};
            else if (m_depth < 2)
                m_valid = mayStandBetween(letter);
        }
        return m_valid && m_opened && m_depth == 0;
    }

    std::vector<ArrayEntry>& entries() { return m_entries; }

private:
    /// Outside the entries.
    bool mayStandBetween(char letter) const
    {
        return std::string_view(m_depth == 1 ? ", \t\r\n" : " \t\r\n").find(letter) != std::string_view::npos;
    }

    void string()
    {
        m_valid = m_depth > 1;
        const std::size_t begin = m_place + 1;
        for (++m_place; m_place < m_text.size() && m_text[m_place] != '"'; ++m_place)
            m_place += m_text[m_place] == '\\' ? std::size_t{1} : std::size_t{0};
        if (m_depth != 2 || m_place >= m_text.size())
            return;
        const std::string_view content = m_text.substr(begin, m_place - begin);
        if (m_key == "id")
            m_current.id = content;
        m_key = m_key.empty() ? content : std::string_view("-");
    }

    void open(char letter)
    {
        m_valid = m_depth > 0 || (letter == '[' && !m_opened);
        m_opened = true;
        if (m_depth == 1) {
            m_valid = letter == '{';
            m_begin = m_place;
            m_current = {};
            m_key = {};
        }
        ++m_depth;
    }

    void close()
    {
        --m_depth;
        m_valid = m_depth >= 0;
        if (m_depth != 1)
            return;
        m_current.text = m_text.substr(m_begin, m_place + 1 - m_begin);
        m_valid = !m_current.id.empty();
        if (m_valid)
            m_entries.push_back(m_current);
        if (m_current.id == m_last)
            m_place = m_text.size() - 1;
    }

    std::string_view m_text;
    std::string_view m_last;
    std::vector<ArrayEntry> m_entries;
    ArrayEntry m_current;
    std::string_view m_key; ///< the key whose value comes next, at the level of the entries
    std::size_t m_place = 0;
    std::size_t m_begin = 0;
    int m_depth = 0;
    bool m_opened = false;
    bool m_valid = true;
};

} // namespace

Result<std::vector<ArrayEntry>> arrayEntries(std::string_view json, std::string_view file)
{
    ArrayScanner scanner(json);
    if (scanner.scan())
        return std::move(scanner.entries());
    return fail(KV_TEXT("core",
                        "{0} must be a JSON list of objects that have an \"id\" each, but entry {1} is none; correct "
                        "it there."),
                {std::string(file), static_cast<std::int64_t>(scanner.entries().size() + 1)});
}

std::optional<ArrayEntry> arrayEntry(std::string_view json, std::string_view id)
{
    ArrayScanner scanner(json, id);
    scanner.scan();
    const std::vector<ArrayEntry>& entries = scanner.entries();
    return !entries.empty() && entries.back().id == id ? std::optional(entries.back()) : std::nullopt;
}

} // namespace core::readers
