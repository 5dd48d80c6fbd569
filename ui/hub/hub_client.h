// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <QByteArray>
#include <QNetworkAccessManager>
#include <QString>
#include <QUrl>

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

class QNetworkReply;

namespace ui {

/// How far a hub is trusted.
struct HubLimits {
    int redirects = 5;                              ///< followed for one answer
    std::int64_t bytes = std::int64_t{64} << 20U;   ///< of one answer
    std::int64_t allBytes = std::int64_t{1} << 30U; ///< of all answers of a client
    std::chrono::milliseconds silence{20'000};      ///< without a byte
    std::chrono::milliseconds answer{180'000};      ///< for one answer, redirects included
};

/// Where models are fetched from and as whom.
struct HubAccess {
    QUrl endpoint{QStringLiteral("https://huggingface.co")};
    QByteArray token; ///< sent to the endpoint's host alone
    bool isOffline = false;
    HubLimits limits;
};

/// By HF_ENDPOINT, HF_TOKEN and HF_HUB_OFFLINE. The error says what is wrong with the endpoint.
core::Result<HubAccess> hubAccess();

/// Bytes of a file on a server.
struct HubAnswer {
    QByteArray bytes;
    std::optional<std::int64_t> size; ///< of the whole file
};

/// What is asked for: bytes `offset` to `offset + count`; without a count the whole file.
struct HubWish {
    std::string name; ///< what messages call the file
    std::int64_t offset = 0;
    std::optional<std::int64_t> count;
};

/// Fetches files and parts of files over HTTP, one after the other, in the thread that calls; its events are handled
/// meanwhile. Redirects are followed by hand: the token goes to no other host, never from https to http. Limits end
/// endless answers; nothing is retried.
class HubClient {
public:
    /// `progress` is called with the bytes that came so far; `stop` ends what is on.
    HubClient(HubAccess access, std::function<void(std::int64_t)> progress, std::stop_token stop);

    const HubAccess& access() const { return m_access; }

    /// The whole file at `path` below the endpoint. `name` is what messages call it.
    core::Result<HubAnswer> whole(const QString& path, const std::string& name);
    /// Up to `count` bytes from `offset` on; fewer at the end of the file.
    core::Result<HubAnswer> part(const QString& path, std::int64_t offset, std::int64_t count, const std::string& name);

    /// True when no server answered the last time.
    bool isUnreachable() const { return m_isUnreachable; }
    /// True when what was asked for last did not come.
    bool hasFailed() const { return m_hasFailed; }

private:
    core::Result<HubAnswer> get(const QString& path, const HubWish& wish);
    core::Result<HubAnswer> follow(const QString& path, const HubWish& wish);
    QNetworkReply* send(const QUrl& url, const HubWish& wish);

    HubAccess m_access;
    std::function<void(std::int64_t)> m_progress;
    std::stop_token m_stop;
    QNetworkAccessManager m_network;
    std::int64_t m_received = 0;
    bool m_isUnreachable = false;
    bool m_hasFailed = false;
};

} // namespace ui
