// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hub/download.h"

#include <QEventLoop>
#include <QNetworkReply>
#include <QRegularExpression>
#include <QTimer>

#include <algorithm>
#include <utility>

namespace ui {

namespace {

constexpr int kOk = 200;
constexpr int kPartial = 206;
constexpr int kNotSatisfiable = 416;
constexpr std::chrono::milliseconds kLook{50}; ///< between two checks whether to stop

/// The numbers of the header Content-Range, such as "bytes 0-99/1000".
struct ContentRange {
    std::optional<std::int64_t> first;
    std::optional<std::int64_t> size;
};

ContentRange contentRange(const QNetworkReply& reply)
{
    static const QRegularExpression pattern(
        QStringLiteral("^bytes (?:(\\d{1,18})-\\d{1,18}|\\*)/(?:(\\d{1,18})|\\*)$"));
    const QRegularExpressionMatch match = pattern.match(QString::fromLatin1(reply.rawHeader("Content-Range")));
    const auto number = [&](int group) {
        const QString digits = match.captured(group);
        return digits.isEmpty() ? std::nullopt : std::optional<std::int64_t>(digits.toLongLong());
    };
    return {number(1), number(2)};
}

std::optional<std::int64_t> contentLength(const QNetworkReply& reply)
{
    const QVariant length = reply.header(QNetworkRequest::ContentLengthHeader);
    return length.isValid() ? std::optional<std::int64_t>(length.toLongLong()) : std::nullopt;
}

tl::unexpected<core::Error> cutOff(const std::string& name, const std::string& host)
{
    return core::fail(KV_TEXT("core", "The answer from {1} for {0} is cut off; nothing was changed; try again."),
                      {name, host});
}

} // namespace

Download::Download(std::unique_ptr<QNetworkReply> reply, const HubWish& wish, std::int64_t most)
    : m_reply(std::move(reply)), m_wish(wish), m_most(most)
{
}

int Download::status() const
{
    return m_reply->attribute(QNetworkRequest::HttpStatusCodeAttribute).toInt();
}

std::string Download::host() const
{
    return m_reply->url().host().toStdString();
}

void Download::stop(End end)
{
    if (m_end == End::Open)
        m_end = end;
    m_reply->abort();
}

void Download::run(std::chrono::milliseconds time, const std::function<void(std::int64_t)>& progress,
                   const std::stop_token& stop)
{
    QEventLoop loop;
    QObject::connect(m_reply.get(), &QNetworkReply::readyRead, &loop, [&] { take(progress); });
    QObject::connect(m_reply.get(), &QNetworkReply::finished, &loop, &QEventLoop::quit);
    QTimer late;
    QObject::connect(&late, &QTimer::timeout, &loop, [this] { this->stop(End::Late); });
    late.start(std::max(time, std::chrono::milliseconds(0)));
    QTimer look;
    QObject::connect(&look, &QTimer::timeout, &loop, [&] {
        if (stop.stop_requested())
            this->stop(End::Stopped);
    });
    look.start(kLook);
    if (!m_reply->isFinished())
        loop.exec();
    if (m_end == End::Open)
        take(progress);
}

/// Takes the bytes that have come, but not the bodies of errors and redirects.
void Download::take(const std::function<void(std::int64_t)>& progress)
{
    if (!m_reply->isOpen())
        return;
    QByteArray came = m_reply->readAll();
    if (came.isEmpty() || (status() != kOk && status() != kPartial))
        return;
    progress(came.size());
    if (status() == kOk) {
        const std::int64_t skip = std::min<std::int64_t>(m_wish.offset - m_skipped, came.size());
        m_skipped += skip;
        came.remove(0, skip);
    }
    m_bytes += came;
    if (m_wish.count && m_bytes.size() >= *m_wish.count)
        stop(End::Enough);
    else if (m_skipped + m_bytes.size() > m_most)
        stop(End::TooMuch);
}

bool Download::isRedirect() const
{
    return status() >= 300 && status() < 400 && m_end == End::Open;
}

core::Result<QUrl> Download::redirected() const
{
    const QUrl from = m_reply->url();
    const QByteArray location = m_reply->rawHeader("Location");
    const QUrl next = from.resolved(QUrl::fromEncoded(location, QUrl::StrictMode));
    const bool isSecure = next.scheme() == QLatin1String("https");
    const bool isWeb = isSecure || (next.scheme() == QLatin1String("http") && from.scheme() == next.scheme());
    if (location.isEmpty() || !next.isValid() || next.host().isEmpty() || !isWeb)
        return core::fail(KV_TEXT("core", "{1} redirects {0} to \"{2}\", which is not followed; nothing was changed; "
                                          "check HF_ENDPOINT."),
                          {m_wish.name, host(), QString::fromLatin1(location.left(200)).toStdString()});
    return next;
}

bool Download::isUnreachable() const
{
    return status() == 0 && m_end == End::Open && m_reply->error() != QNetworkReply::NoError;
}

core::Result<HubAnswer> Download::answer(bool isKnown) const
{
    if (m_end == End::Stopped)
        return core::fail(KV_TEXT("core", "Fetching {0} was cancelled; nothing was changed."), {m_wish.name});
    const bool isSilent = m_end == End::Open && m_reply->error() == QNetworkReply::OperationCanceledError;
    if (m_end == End::Late || isSilent)
        return core::fail(KV_TEXT("core", "{0} did not arrive from {1} in time; nothing was changed; try again later."),
                          {m_wish.name, host()});
    if (m_end == End::TooMuch)
        return core::fail(KV_TEXT("core", "{1} sent more than {2} for {0}, so reading stopped; nothing was changed; "
                                          "check that it is a hub that serves parts of files."),
                          {m_wish.name, host(), core::Bytes(m_most)});
    if (status() == 0)
        return core::fail(
            KV_TEXT("core", "{1} cannot be reached for {0} ({2}); nothing was changed; check the network."),
            {m_wish.name, host(), m_reply->errorString().toStdString()});
    const std::optional<std::int64_t> size = contentRange(*m_reply).size;
    if (status() == kNotSatisfiable && size && *size <= m_wish.offset)
        return HubAnswer{{}, size}; // the end of the file
    if (status() != kOk && status() != kPartial)
        return refused(isKnown);
    const QByteArray encoding = m_reply->rawHeader("Content-Encoding").toLower();
    if (!encoding.isEmpty() && encoding != "identity")
        return core::fail(KV_TEXT("core",
                                  "{1} sent {0} compressed as \"{2}\", which was not requested; nothing was changed; "
                                  "check HF_ENDPOINT."),
                          {m_wish.name, host(), encoding.left(40).toStdString()});
    return status() == kPartial ? partAnswer() : wholeAnswer();
}

core::Result<HubAnswer> Download::wholeAnswer() const
{
    const std::optional<std::int64_t> size = contentLength(*m_reply);
    const std::int64_t came = m_skipped + m_bytes.size();
    if (m_end != End::Enough && (m_reply->error() != QNetworkReply::NoError || (size && came != *size)))
        return cutOff(m_wish.name, host());
    HubAnswer answer{m_bytes, m_end == End::Enough ? size : came};
    if (m_wish.count)
        answer.bytes.truncate(*m_wish.count);
    return answer;
}

core::Result<HubAnswer> Download::partAnswer() const
{
    const ContentRange range = contentRange(*m_reply);
    if (!m_wish.count || range.first != m_wish.offset)
        return core::fail(KV_TEXT("core",
                                  "{1} sent a different part of {0} than was requested; nothing was changed; check "
                                  "HF_ENDPOINT."),
                          {m_wish.name, host()});
    const std::int64_t atEnd = range.size ? *range.size - m_wish.offset : *m_wish.count;
    const std::int64_t due = std::min(*m_wish.count, atEnd);
    if (m_bytes.size() < due)
        return cutOff(m_wish.name, host());
    return HubAnswer{m_bytes.left(*m_wish.count), range.size};
}

tl::unexpected<core::Error> Download::refused(bool isKnown) const
{
    switch (status()) {
    case 401:
        return core::fail(isKnown
                              ? KV_TEXT("core", "{1} does not accept the token in HF_TOKEN for {0} (401); nothing was "
                                                "changed; check the name and the token.")
                              : KV_TEXT("core", "{1} requires signing in for {0}, or there is no such model "
                                                "(401); nothing was changed; check the name, or set HF_TOKEN."),
                          {m_wish.name, host()});
    case 403:
        return core::fail(KV_TEXT("core",
                                  "{1} does not let you read {0} (403); nothing was changed; accept the model's "
                                  "terms on its page, or set HF_TOKEN to a token that may read it."),
                          {m_wish.name, host()});
    case 404:
        return core::fail(KV_TEXT("core", "{1} has no {0} (404); nothing was changed; check name and revision."),
                          {m_wish.name, host()});
    case kNotSatisfiable:
        return core::fail(KV_TEXT("core", "{1} has fewer bytes of {0} than were requested (416); nothing was changed; "
                                          "the file there is cut off."),
                          {m_wish.name, host()});
    case 429:
        return core::fail(KV_TEXT("core",
                                  "{1} received too many requests (429), so {0} was not fetched; nothing was changed; "
                                  "wait, or set HF_TOKEN."),
                          {m_wish.name, host()});
    default:
        return core::fail(
            KV_TEXT("core", "{1} answered the request for {0} with status {2}; nothing was changed; try again later."),
            {m_wish.name, host(), std::int64_t{status()}});
    }
}

} // namespace ui
