// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QThreadPool>

#include <functional>
#include <stop_token>

namespace ui {

/// One piece of work at a time in a thread of its own, so that a slow disk or server holds up nobody. Work that was
/// given up tells nothing more.
class Background : public QObject {
public:
    /// Has something done in the thread of this object, soon.
    using Tell = std::function<void(std::function<void()> what)>;
    /// Ends early when a stop is requested, and says by `tell` what has come of it.
    using Work = std::function<void(const std::stop_token& stop, const Tell& tell)>;

    explicit Background(QObject* parent = nullptr);
    /// Waits for the end of what is on.
    ~Background() override;

    /// Begins; what is on is given up.
    void start(Work work);
    void cancel();

private:
    QThreadPool m_pool;
    std::stop_source m_stop;
};

} // namespace ui
