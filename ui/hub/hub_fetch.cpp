// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hub_fetch.h"

#include "ui/hub/hub.h"

#include <utility>

namespace ui {

HubFetch::HubFetch(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

HubFetch::~HubFetch()
{
    cancel();
    m_pool.waitForDone();
}

void HubFetch::cancel()
{
    m_stop.request_stop();
}

void HubFetch::start(const core::readers::HubName& name, const HubAccess& access, const QDir& cache)
{
    cancel();
    m_stop = std::stop_source();
    m_pool.start([this, name, access, cache, stop = m_stop.get_token()] {
        /// Tells it in the thread of this object, unless it was given up.
        const auto tell = [this, stop](auto what) {
            QMetaObject::invokeMethod(
                this,
                [stop, what = std::move(what)] {
                    if (!stop.stop_requested())
                        what();
                },
                Qt::QueuedConnection);
        };
        const auto progress = [&](std::int64_t bytes) { tell([this, bytes] { emit progressed(bytes); }); };
        core::Result<core::Scenario> scenario = fetchModel(name, access, cache, progress, stop);
        tell([this, scenario = std::move(scenario)] {
            if (scenario)
                emit done(*scenario);
            else
                emit failed(scenario.error().message);
        });
    });
}

} // namespace ui
