// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/hub_models.h"

#include "core/bytes.h"
#include "core/text/format.h"
#include "ui/hub/hub.h"

#include <QCoreApplication>

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <memory>

namespace app {

namespace {

/// A line that counts, wiped when this ends.
class Counter {
public:
    explicit Counter(std::string name) : m_name(std::move(name)), m_isSeen(isatty(STDERR_FILENO) != 0) {}
    Counter(const Counter&) = delete;
    Counter& operator=(const Counter&) = delete;
    ~Counter()
    {
        if (m_isSeen)
            fmt::print(stderr, "\r\033[K");
    }
    void show(std::int64_t bytes) const
    {
        if (!m_isSeen)
            return;
        fmt::print(stderr, "\r\033[KFetching {}: {}", m_name, core::formatBytes(core::Bytes(bytes)));
        std::fflush(stderr);
    }

private:
    std::string m_name;
    bool m_isSeen;
};

} // namespace

core::Result<core::Scenario> loadFromHub(const std::string& name)
{
    const core::Result<core::readers::HubName> hubName = core::readers::readHubName(name);
    if (!hubName)
        return tl::unexpected(hubName.error());
    const core::Result<ui::HubAccess> access = ui::hubAccess();
    if (!access)
        return tl::unexpected(access.error());
    int argc = 1;
    std::string program = "kvhorizon";
    char* argv[] = {program.data(), nullptr};
    std::unique_ptr<QCoreApplication> application;
    if (QCoreApplication::instance() == nullptr)
        application = std::make_unique<QCoreApplication>(argc, argv);
    const Counter counter(name);
    return ui::fetchModel(*hubName, *access, ui::hubCache(), [&](std::int64_t bytes) { counter.show(bytes); });
}

} // namespace app
