// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QTemporaryDir>

#include <clocale>
#include <string>

namespace tests {

/// As long as it lives, numbers of the C library have decimal commas, as on a German desktop.
class DecimalCommas {
public:
    DecimalCommas() : m_before(std::setlocale(LC_ALL, nullptr))
    {
        if (std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr)
            return;
        QProcess::execute("localedef", {"-i", "de_DE", "-f", "UTF-8", m_folder.filePath("de_DE.UTF-8")});
        qputenv("LOCPATH", m_folder.path().toUtf8());
        std::setlocale(LC_ALL, "de_DE.UTF-8");
        qunsetenv("LOCPATH");
    }
    DecimalCommas(const DecimalCommas&) = delete;
    DecimalCommas& operator=(const DecimalCommas&) = delete;
    ~DecimalCommas() { std::setlocale(LC_ALL, m_before.c_str()); }

    /// False where there is no such locale and none can be made.
    bool areSet() const { return std::localeconv()->decimal_point == std::string(","); }

private:
    QTemporaryDir m_folder;
    std::string m_before;
};

} // namespace tests
