// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/readers/weight_files.h"

#include <QByteArray>
#include <QHash>
#include <QList>
#include <QTcpServer>
#include <QTcpSocket>
#include <QUrl>

#include <functional>

namespace tests {

/// What a client asked.
struct HubRequest {
    QByteArray path;
    QHash<QByteArray, QByteArray> headers; ///< names in lower case
};

/// A server on this computer that speaks the paths of a hub: one repository, org/m, at one commit.
class HubServer : public QTcpServer {
public:
    static constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

    SparseFolder files;
    QByteArray token;       ///< that is asked for; empty: none
    bool ranges = true;     ///< false: Range is ignored
    QList<HubRequest> seen; ///< all that was asked
    /// Answers in place of the usual; false: the usual one.
    std::function<bool(QTcpSocket&, const HubRequest&)> odd;

    HubServer()
    {
        if (!listen(QHostAddress::LocalHost))
            qFatal("No port is free.");
        connect(this, &QTcpServer::newConnection, this, [this] {
            while (QTcpSocket* socket = nextPendingConnection()) {
                connect(socket, &QTcpSocket::readyRead, socket, [this, socket] { read(*socket); });
                connect(socket, &QTcpSocket::disconnected, socket, &QObject::deleteLater);
            }
        });
    }
    QUrl url() const { return QUrl(QStringLiteral("http://127.0.0.1:%1").arg(serverPort())); }

    static void send(QTcpSocket& socket, const QByteArray& status, const QByteArray& headers, const QByteArray& body)
    {
        socket.write("HTTP/1.1 " + status + "\r\nContent-Length: " + QByteArray::number(body.size()) +
                     "\r\nConnection: close\r\n" + headers + "\r\n" + body);
        socket.disconnectFromHost();
    }
    void sendFile(QTcpSocket& socket, const HubRequest& request, const SparseFile& file) const
    {
        QByteArray bytes = QByteArray::fromStdString(file.bytes);
        bytes.resize(file.size, '\0');
        const QList<QByteArray> range = request.headers.value("range").mid(6).split('-');
        if (!ranges || range.size() != 2)
            return send(socket, "200 OK", {}, bytes);
        const qint64 first = range[0].toLongLong();
        const qint64 last = std::min<qint64>(range[1].toLongLong(), bytes.size() - 1);
        const QByteArray size = QByteArray::number(bytes.size());
        if (first >= bytes.size())
            return send(socket, "416 Range Not Satisfiable", "Content-Range: bytes */" + size + "\r\n", {});
        send(socket, "206 Partial Content",
             "Content-Range: bytes " + QByteArray::number(first) + "-" + QByteArray::number(last) + "/" + size + "\r\n",
             bytes.mid(first, last - first + 1));
    }

private:
    void read(QTcpSocket& socket)
    {
        const QByteArray text = socket.peek(1 << 16);
        const qsizetype end = text.indexOf("\r\n\r\n");
        if (end < 0)
            return;
        socket.readAll();
        const QList<QByteArray> lines = text.left(end).split('\n');
        HubRequest request{lines.front().split(' ').value(1), {}};
        for (const QByteArray& line : lines.mid(1)) {
            const qsizetype colon = line.indexOf(':');
            request.headers[line.left(colon).toLower()] = line.mid(colon + 1).trimmed();
        }
        seen << request;
        if (!odd || !odd(socket, request))
            answer(socket, request);
    }
    void answer(QTcpSocket& socket, const HubRequest& request)
    {
        if (!token.isEmpty() && request.headers.value("authorization") != "Bearer " + token)
            return send(socket, "401 Unauthorized", {}, "who are you?");
        const QByteArray folder = "/org/m/resolve/" + QByteArray(kCommit) + "/";
        if (request.path == "/api/models/org/m/revision/main" ||
            request.path == "/api/models/org/m/revision/" + QByteArray(kCommit))
            return send(socket, "200 OK", "Content-Type: application/json\r\n", listing());
        const auto file = files.files.find(request.path.mid(folder.size()).toStdString());
        if (!request.path.startsWith(folder) || file == files.files.end())
            return send(socket, "404 Not Found", {}, "there is no such thing");
        sendFile(socket, request, file->second);
    }
    QByteArray listing() const
    {
        QByteArray names;
        for (const auto& [name, file] : files.files)
            names += (names.isEmpty() ? "" : ",") + QByteArray("{\"rfilename\":\"") + name.c_str() + "\"}";
        return QByteArray("{\"sha\":\"") + kCommit + "\",\"private\":false,\"siblings\":[" + names + "]}";
    }
};

} // namespace tests
