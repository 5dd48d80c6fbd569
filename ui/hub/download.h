// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hub/hub_client.h"

#include <chrono>
#include <memory>

namespace ui {

/// One answer of a server, taken as it comes and checked against what was asked for.
class Download {
public:
    /// `most` bytes are taken, those that are skipped included.
    Download(std::unique_ptr<QNetworkReply> reply, const HubWish& wish, std::int64_t most);

    /// Waits for the answer's end, or for as much of it as is wanted; events are handled meanwhile. `progress` is told
    /// each number of bytes that comes.
    void run(std::chrono::milliseconds time, const std::function<void(std::int64_t)>& progress,
             const std::stop_token& stop);

    /// True when the server sends elsewhere.
    bool isRedirect() const;
    core::Result<QUrl> redirected() const;

    /// True when no server answered.
    bool isUnreachable() const;

    /// The bytes, or what is wrong with them. `isKnown`: a token was sent.
    core::Result<HubAnswer> answer(bool isKnown) const;

private:
    enum class End : std::uint8_t { Open, Enough, TooMuch, Late, Stopped };

    int status() const;
    void take(const std::function<void(std::int64_t)>& progress);
    void stop(End end);
    core::Result<HubAnswer> wholeAnswer() const;
    core::Result<HubAnswer> partAnswer() const;
    tl::unexpected<core::Error> refused(bool isKnown) const;
    std::string host() const;

    std::unique_ptr<QNetworkReply> m_reply;
    HubWish m_wish;
    std::int64_t m_most;
    QByteArray m_bytes;
    std::int64_t m_skipped = 0; ///< where the server sends the whole file instead of a part
    End m_end = End::Open;
};

} // namespace ui
