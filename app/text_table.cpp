// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/text_table.h"

#include <algorithm>

namespace app {

namespace {

std::vector<std::size_t> widths(const std::vector<std::vector<std::string>>& rows)
{
    std::vector<std::size_t> widest;
    for (const std::vector<std::string>& row : rows) {
        widest.resize(std::max(widest.size(), row.size()));
        for (std::size_t i = 0; i < row.size(); ++i)
            widest[i] = std::max(widest[i], width(row[i]));
    }
    return widest;
}

} // namespace

std::size_t width(std::string_view text)
{
    const auto startsCodePoint = [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; };
    return static_cast<std::size_t>(std::ranges::count_if(text, startsCodePoint));
}

std::string TextTable::text(std::size_t indent) const
{
    const std::vector<std::size_t> widest = widths(m_rows);
    std::string text;
    for (const std::vector<std::string>& row : m_rows) {
        std::string line(indent, ' ');
        for (std::size_t i = 0; i < row.size(); ++i) {
            const std::string padding(widest[i] - width(row[i]), ' ');
            const bool right = i < m_columns.size() && m_columns[i] == Align::Right;
            line += (i == 0 ? "" : "  ") + (right ? padding + row[i] : row[i] + padding);
        }
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

} // namespace app
