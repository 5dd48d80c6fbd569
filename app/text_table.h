// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace app {

enum class Align : std::uint8_t { Left, Right };

/// Rows of text in aligned columns, two spaces apart, for a terminal. Widths are counted in code points of UTF-8.
class TextTable {
public:
    /// One entry for each column; further cells of a row are aligned left.
    explicit TextTable(std::vector<Align> columns) : m_columns(std::move(columns)) {}

    void add(std::vector<std::string> row) { m_rows.push_back(std::move(row)); }
    bool empty() const { return m_rows.empty(); }

    /// All rows, each indented by `indent` spaces and ended by a newline, without trailing spaces.
    std::string text(std::size_t indent = 0) const;

private:
    std::vector<Align> m_columns;
    std::vector<std::vector<std::string>> m_rows;
};

/// The number of code points of UTF-8 text.
std::size_t width(std::string_view text);

} // namespace app
