// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace core {

/// The typed values of an engine's flags: "ubatch-size" is "512". The engine's table (`core/engines/setting.h`) says
/// which flags it has and what they may be; a flag without a value has the default of the engine's version.
class Settings {
public:
    using Entry = std::pair<std::string, std::string>;

    /// The value of `flag` (without dashes); nullptr where none is typed.
    const std::string* find(std::string_view flag) const;
    void set(std::string_view flag, std::string value);
    void erase(std::string_view flag);
    bool empty() const { return m_entries.empty(); }

    /// The entries are in the order of the flags' names.
    std::vector<Entry>::const_iterator begin() const { return m_entries.begin(); }
    std::vector<Entry>::const_iterator end() const { return m_entries.end(); }

    friend bool operator==(const Settings&, const Settings&) = default;

private:
    std::vector<Entry> m_entries; ///< sorted
};

} // namespace core
