// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/background.h"

#include <utility>

namespace ui {

Background::Background(QObject* parent) : QObject(parent)
{
    m_pool.setMaxThreadCount(1);
}

Background::~Background()
{
    cancel();
    m_pool.waitForDone();
}

void Background::cancel()
{
    m_stop.request_stop();
}

void Background::start(Work work)
{
    cancel();
    m_stop = std::stop_source();
    m_pool.start([this, work = std::move(work), stop = m_stop.get_token()] {
        work(stop, [this, &stop](std::function<void()> what) {
            const auto unlessGivenUp = [stop, what = std::move(what)] {
                if (!stop.stop_requested())
                    what();
            };
            QMetaObject::invokeMethod(this, unlessGivenUp, Qt::QueuedConnection);
        });
    });
}

} // namespace ui
