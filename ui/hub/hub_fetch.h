// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/message.h"
#include "core/readers/hub_name.h"
#include "core/scenario.h"
#include "ui/hub/hub_client.h"

#include <QDir>
#include <QObject>
#include <QThreadPool>

#include <stop_token>

namespace ui {

/// Fetches a model by name in a thread of its own.
class HubFetch : public QObject {
    Q_OBJECT

public:
    explicit HubFetch(QObject* parent = nullptr);
    ~HubFetch() override;

    /// Begins; one that is on is given up.
    void start(const core::readers::HubName& name, const HubAccess& access, const QDir& cache);
    /// Gives it up: nothing more is told of it.
    void cancel();

signals:
    /// Bytes that came so far.
    void progressed(qint64 bytes);
    /// One of these, once for each that was not given up.
    void done(const core::Scenario& scenario);
    void failed(const core::Message& why);

private:
    QThreadPool m_pool;
    std::stop_source m_stop;
};

} // namespace ui
