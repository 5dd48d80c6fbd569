// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/hub_client.h"

#include "ui/hub/download.h"

#include <QElapsedTimer>
#include <QNetworkProxyFactory>
#include <QNetworkReply>
#include <QNetworkRequest>

#include <memory>
#include <utility>

namespace ui {

namespace {

constexpr qint64 kBuffer = 1 << 20; ///< bytes that wait to be taken

bool isSameHost(const QUrl& one, const QUrl& other)
{
    const auto port = [](const QUrl& url) { return url.port(url.scheme() == QLatin1String("https") ? 443 : 80); };
    return one.scheme() == other.scheme() && one.host() == other.host() && port(one) == port(other);
}

} // namespace

core::Result<HubAccess> hubAccess()
{
    HubAccess access;
    const QString endpoint = qEnvironmentVariable("HF_ENDPOINT").trimmed();
    if (!endpoint.isEmpty())
        access.endpoint = QUrl(endpoint, QUrl::StrictMode);
    const QString scheme = access.endpoint.scheme();
    if (access.endpoint.host().isEmpty() || (scheme != QLatin1String("https") && scheme != QLatin1String("http")))
        return core::fail(KV_TEXT("core",
                                  "HF_ENDPOINT is \"{0}\", which is not the address of a hub; nothing was fetched; "
                                  "write it as \"https://HOST\", or leave it out."),
                          {endpoint.toStdString()});
    access.token = qEnvironmentVariable("HF_TOKEN").trimmed().toLatin1();
    const QString offline = qEnvironmentVariable("HF_HUB_OFFLINE").trimmed().toUpper();
    access.isOffline = offline == QLatin1String("1") || offline == QLatin1String("ON") ||
                       offline == QLatin1String("YES") || offline == QLatin1String("TRUE");
    return access;
}

HubClient::HubClient(HubAccess access, std::function<void(std::int64_t)> progress, std::stop_token stop)
    : m_access(std::move(access)), m_progress(std::move(progress)), m_stop(std::move(stop))
{
    QNetworkProxyFactory::setUseSystemConfiguration(true);
    m_network.setRedirectPolicy(QNetworkRequest::ManualRedirectPolicy);
}

core::Result<HubAnswer> HubClient::whole(const QString& path, const std::string& name)
{
    return get(path, {name, 0, std::nullopt});
}

core::Result<HubAnswer> HubClient::part(const QString& path, std::int64_t offset, std::int64_t count,
                                        const std::string& name)
{
    return get(path, {name, offset, count});
}

core::Result<HubAnswer> HubClient::get(const QString& path, const HubWish& wish)
{
    m_isUnreachable = false;
    core::Result<HubAnswer> answer = follow(path, wish);
    m_hasFailed = !answer;
    return answer;
}

/// Returns the answer at the end of the redirects.
core::Result<HubAnswer> HubClient::follow(const QString& path, const HubWish& wish)
{
    if (m_access.isOffline)
        return core::fail(KV_TEXT("core",
                                  "{0} is not on this computer, and HF_HUB_OFFLINE forbids fetching it; nothing "
                                  "was changed; unset HF_HUB_OFFLINE to fetch it."),
                          {wish.name});
    const HubLimits& limits = m_access.limits;
    const auto count = [this](std::int64_t bytes) { m_progress(m_received += bytes); };
    QElapsedTimer clock;
    clock.start();
    QUrl url = QUrl::fromEncoded(m_access.endpoint.toEncoded(QUrl::StripTrailingSlash) + path.toUtf8());
    for (int hop = 0; hop <= limits.redirects; ++hop) {
        const bool isKnown = !m_access.token.isEmpty() && isSameHost(url, m_access.endpoint);
        Download download(std::unique_ptr<QNetworkReply>(send(url, wish)), wish,
                          std::min(limits.bytes, limits.allBytes - m_received));
        download.run(limits.answer - std::chrono::milliseconds(clock.elapsed()), count, m_stop);
        if (!download.isRedirect()) {
            m_isUnreachable = download.isUnreachable();
            return download.answer(isKnown);
        }
        const core::Result<QUrl> next = download.redirected();
        if (!next)
            return tl::unexpected(next.error());
        url = *next;
    }
    return core::fail(KV_TEXT("core", "{0} was redirected more than {1} times, so it was not fetched; nothing was "
                                      "changed; check HF_ENDPOINT."),
                      {wish.name, std::int64_t{limits.redirects}});
}

QNetworkReply* HubClient::send(const QUrl& url, const HubWish& wish)
{
    QNetworkRequest request(url);
    request.setAttribute(QNetworkRequest::CacheLoadControlAttribute, QNetworkRequest::AlwaysNetwork);
    request.setAttribute(QNetworkRequest::CookieLoadControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::CookieSaveControlAttribute, QNetworkRequest::Manual);
    request.setAttribute(QNetworkRequest::AuthenticationReuseAttribute, QNetworkRequest::Manual);
    request.setTransferTimeout(static_cast<int>(m_access.limits.silence.count()));
    request.setRawHeader("User-Agent", "kvhorizon/" KVHORIZON_VERSION);
    request.setRawHeader("Accept-Encoding", "identity"); // lengths are those of the file
    if (!m_access.token.isEmpty() && isSameHost(url, m_access.endpoint))
        request.setRawHeader("Authorization", "Bearer " + m_access.token);
    if (wish.count)
        request.setRawHeader("Range", "bytes=" + QByteArray::number(qlonglong{wish.offset}) + "-" +
                                          QByteArray::number(qlonglong{wish.offset + *wish.count - 1}));
    QNetworkReply* reply = m_network.get(request);
    reply->setReadBufferSize(kBuffer);
    return reply;
}

} // namespace ui
