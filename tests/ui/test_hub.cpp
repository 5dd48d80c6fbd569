// SPDX-License-Identifier: GPL-3.0-or-later
// Models by name, from a server on this computer that speaks a hub's paths, well and badly.
#include "core/files/model_file.h"
#include "core/text/format.h"
#include "tests/room.h"
#include "tests/ui/hub_server.h"
#include "ui/hub/hub.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

using namespace std::chrono_literals;
using tests::HubRequest;
using tests::HubServer;
using tests::SafetensorsWriter;

namespace {

constexpr const char* kConfig =
    R"({"model_type":"llama","hidden_size":256,"num_attention_heads":4,"num_key_value_heads":2,)"
    R"("num_hidden_layers":1,"intermediate_size":512,"vocab_size":1000,"tie_word_embeddings":true})";

/// The tensors of that config in BF16: 1,000·256 + 2·256·256 + 2·128·256 + 3·512·256 + 3·256 = 846,592 parameters.
SafetensorsWriter weights()
{
    SafetensorsWriter writer;
    writer.bf16("model.embed_tokens.weight", {1'000, 256})
        .bf16("model.layers.0.self_attn.q_proj.weight", {256, 256})
        .bf16("model.layers.0.self_attn.k_proj.weight", {128, 256})
        .bf16("model.layers.0.self_attn.v_proj.weight", {128, 256})
        .bf16("model.layers.0.self_attn.o_proj.weight", {256, 256})
        .bf16("model.layers.0.mlp.gate_proj.weight", {512, 256})
        .bf16("model.layers.0.mlp.up_proj.weight", {512, 256})
        .bf16("model.layers.0.mlp.down_proj.weight", {256, 512})
        .bf16("model.layers.0.input_layernorm.weight", {256})
        .bf16("model.layers.0.post_attention_layernorm.weight", {256})
        .bf16("model.norm.weight", {256});
    return writer;
}
constexpr std::int64_t kParameters = 846'592;

/// A small model on a server, and an empty cache.
struct Hub {
    HubServer server;
    QTemporaryDir folder;
    ui::HubAccess access;
    std::int64_t received = 0;

    Hub()
    {
        server.files.add("config.json", kConfig);
        server.files.files["model.safetensors"] = weights().file();
        access.endpoint = server.url();
    }
    core::Result<core::Scenario> fetch(const std::string& name = "hf:org/m", const std::stop_token& stop = {})
    {
        return ui::fetchModel(
            core::readers::readHubName(name).value(), access, QDir(folder.path()),
            [this](std::int64_t bytes) { received = bytes; }, stop);
    }
    /// What is said; "" when the model came.
    QString said(const std::string& name = "hf:org/m")
    {
        const core::Result<core::Scenario> scenario = fetch(name);
        return scenario ? QString() : QString::fromStdString(core::english(scenario.error().message));
    }
};

using Odd = std::function<bool(QTcpSocket&, const HubRequest&)>;

/// Answers what is asked about files whose path ends so.
Odd at(const QByteArray& ending, const std::function<void(QTcpSocket&)>& answer)
{
    return [=](QTcpSocket& socket, const HubRequest& request) {
        const bool isIt = request.path.endsWith(ending);
        if (isIt)
            answer(socket);
        return isIt;
    };
}

Odd status(const QByteArray& ending, const QByteArray& line, const QByteArray& headers = {})
{
    return at(ending, [=](QTcpSocket& socket) { HubServer::send(socket, line, headers, "body"); });
}

} // namespace

Q_DECLARE_METATYPE(Odd)

class TestHub : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        for (const char* name : {"http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"})
            qunsetenv(name);
    }

    void modelComesWithExactWeights()
    {
        Hub hub;
        const core::Result<core::Scenario> scenario = hub.fetch();
        QVERIFY2(scenario, scenario ? "" : core::english(scenario.error().message).c_str());
        const core::Model& model = scenario->model;
        QCOMPARE(model.name, std::string("m"));
        QCOMPARE(model.source, std::string("hf:org/m@01234567"));
        QCOMPARE(model.weights.parameters(), kParameters);
        QCOMPARE(model.groups.front().kvHeads, std::int64_t{2});
        QVERIFY(hub.received > 0);
        QVERIFY(hub.received < hub.server.files.files["model.safetensors"].size); // the header, not the data
        for (const HubRequest& request : hub.server.seen)
            QVERIFY(!request.headers.contains("authorization"));
    }

    void serverThatIgnoresRanges()
    {
        Hub hub;
        hub.server.ranges = false;
        QCOMPARE(hub.said(), QString());
        QVERIFY(hub.received < hub.server.files.files["model.safetensors"].size);
    }

    void fetchedOnce()
    {
        Hub hub;
        QCOMPARE(hub.said(), QString());
        hub.server.seen.clear();
        QCOMPARE(hub.said(), QString());
        QCOMPARE(hub.server.seen.size(), 1); // a branch may have moved: only that is asked
        QCOMPARE(hub.server.seen.front().path, QByteArray("/api/models/org/m/revision/main"));
        const std::string commit = std::string("hf:org/m@") + HubServer::kCommit;
        QCOMPARE(hub.said(commit), QString());
        hub.server.seen.clear();
        QCOMPARE(hub.said(commit), QString()); // a commit never moves
        QVERIFY(hub.server.seen.empty());
    }

    void withoutNetwork()
    {
        Hub hub;
        QCOMPARE(hub.said(), QString());
        hub.server.close();
        const core::Result<core::Scenario> kept = hub.fetch();
        QVERIFY(kept);
        QVERIFY(kept->model.notes.back().find("fetched last") != std::string::npos);
        const QString other = hub.said("hf:org/other");
        QVERIFY2(other.contains(QLatin1String("127.0.0.1 cannot be reached")), qPrintable(other));
        hub.access.isOffline = true;
        QVERIFY(hub.fetch());
        QVERIFY(hub.said("hf:org/other").contains(QLatin1String("HF_HUB_OFFLINE")));
    }

    void oneFileOfSeveral()
    {
        Hub hub;
        tests::GgufWriter gguf;
        gguf.text("general.architecture", "llama")
            .number("llama.block_count", 3)
            .number("llama.embedding_length", 512)
            .number("llama.attention.head_count", 8)
            .number("llama.attention.head_count_kv", 4)
            .number("llama.context_length", 4'096);
        hub.server.files.files = {{"a-Q4_0.gguf", gguf.file()},
                                  {"sub/b-Q8_0.gguf", gguf.file()},
                                  {"c.gguf", gguf.file()},
                                  {"../../evil/config.json", {"x", 1}}};
        const QString several = hub.said();
        QVERIFY2(several.contains(QLatin1String("a-Q4_0.gguf")), qPrintable(several));
        for (const char* name : {"hf:org/m:a-Q4_0.gguf", "hf:org/m:sub/b-Q8_0.gguf"}) {
            const core::Result<core::Scenario> scenario = hub.fetch(name);
            QVERIFY2(scenario, scenario ? "" : core::english(scenario.error().message).c_str());
            QCOMPARE(scenario->model.layers, std::int64_t{3});
            QCOMPARE(scenario->model.source, std::string("hf:org/m@01234567") + (name + 8));
        }
        QVERIFY(hub.said("hf:org/m:none.gguf").contains(QLatin1String("none.gguf")));
        QVERIFY(!QDir(hub.folder.path()).exists(QStringLiteral("../evil")));
    }

    void tokenGoesToItsHostAlone()
    {
        Hub hub;
        HubServer elsewhere;
        elsewhere.files.files = hub.server.files.files;
        hub.server.token = "secret";
        QVERIFY(hub.said().contains(QLatin1String("HF_TOKEN")));
        hub.access.token = "wrong";
        QVERIFY(hub.said().contains(QLatin1String("does not accept the token")));
        hub.access.token = "secret";
        QCOMPARE(hub.said(), QString());
        hub.folder.remove();
        hub.server.seen.clear();
        // Large files lie on another host; a moved repository on the same.
        hub.server.odd = [&](QTcpSocket& socket, const HubRequest& request) {
            const bool isWeights = request.path.endsWith(".safetensors");
            if (isWeights)
                HubServer::send(socket, "302 Found", "Location: " + elsewhere.url().toEncoded() + request.path + "\r\n",
                                {});
            else if (request.path.endsWith("/config.json"))
                HubServer::send(socket, "307 Temporary Redirect", "Location: " + request.path + "?moved=1\r\n", {});
            return isWeights || request.path.endsWith("/config.json");
        };
        const Odd redirects = hub.server.odd;
        const core::Result<core::Scenario> scenario = hub.fetch();
        QVERIFY(!scenario); // ?moved=1 is no file of this server
        hub.server.odd = [&](QTcpSocket& socket, const HubRequest& request) {
            return request.path.endsWith(".safetensors") && redirects(socket, request);
        };
        QCOMPARE(hub.said(), QString());
        QVERIFY(!elsewhere.seen.empty());
        for (const HubRequest& request : elsewhere.seen)
            QVERIFY2(!request.headers.contains("authorization"), request.path.constData());
        for (const HubRequest& request : hub.server.seen)
            QCOMPARE(request.headers.value("authorization"), QByteArray("Bearer secret"));
    }

    // NOLINTNEXTLINE(readability-function-size): a table.
    void oddAnswers_data()
    {
        QTest::addColumn<Odd>("odd");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const Odd& odd, const char* says) {
            QTest::newRow(name) << odd << QString::fromLatin1(says);
        };
        row("not for everyone", status("revision/main", "401 Unauthorized"), "HF_TOKEN");
        row("terms not accepted", status("config.json", "403 Forbidden"), "accept the model's terms");
        row("not there", status("revision/main", "404 Not Found"), "(404)");
        row("asked too often", status("config.json", "429 Too Many Requests"), "(429)");
        row("out of order", status("config.json", "503 Service Unavailable"), "503");
        row("part beyond the end", status("model.safetensors", "416 Range Not Satisfiable"), "(416)");
        row("no list", status("revision/main", "200 OK"), "list of files");
        row("round in circles", status("config.json", "302 Found", "Location: config.json\r\n"),
            "redirected more than 5 times");
        row("nowhere", status("config.json", "302 Found"), "not followed");
        row("to a file", status("config.json", "302 Found", "Location: file:///etc/passwd\r\n"), "file:///etc/passwd");
        row("packed", status("config.json", "200 OK", "Content-Encoding: gzip\r\n"), "gzip");
        row("another part", status("config.json", "206 Partial Content", "Content-Range: bytes 5-8/9\r\n"),
            "a different part of");
        row("a part of nothing", status("config.json", "206 Partial Content", "Content-Range: bytes x\r\n"),
            "a different part of");
        row("cut off",
            at("config.json",
               [](QTcpSocket& socket) {
                   socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{\"model_type\"");
                   socket.disconnectFromHost();
               }),
            "cut off");
        row("a part that is cut off",
            at("config.json",
               [](QTcpSocket& socket) {
                   socket.write("HTTP/1.1 206 Partial Content\r\nContent-Range: bytes "
                                "0-99/100\r\nConnection: close\r\n\r\n{\"model");
                   socket.disconnectFromHost();
               }),
            "cut off");
        row("never a word", at("config.json", [](QTcpSocket&) {}), "in time");
        row("silent after a while",
            at("config.json",
               [](QTcpSocket& socket) { socket.write("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n{"); }),
            "in time");
        row("drop by drop",
            at("config.json",
               [](QTcpSocket& socket) {
                   socket.write("HTTP/1.1 200 OK\r\n\r\n");
                   auto* timer = new QTimer(&socket);
                   QObject::connect(timer, &QTimer::timeout, &socket, [&socket] { socket.write(" "); });
                   timer->start(20);
               }),
            "in time");
        row("endless",
            at("revision/main",
               [](QTcpSocket& socket) {
                   socket.write("HTTP/1.1 200 OK\r\n\r\n");
                   QObject::connect(&socket, &QTcpSocket::bytesWritten, &socket,
                                    [&socket] { socket.write(QByteArray(1 << 16, ' ')); });
               }),
            "more than 1 MiB");
        row("gone at once", at("config.json", [](QTcpSocket& socket) { socket.abort(); }), "127.0.0.1");
        row("no HTTP",
            at("config.json",
               [](QTcpSocket& socket) {
                   socket.write("SSH-2.0-OpenSSH\r\n\r\n");
                   socket.disconnectFromHost();
               }),
            "127.0.0.1");
        row("a page in place of the file",
            at("config.json", [](QTcpSocket& socket) { HubServer::send(socket, "200 OK", {}, "<!DOCTYPE html>"); }),
            "config.json");
    }
    void oddAnswers()
    {
        QFETCH(const Odd, odd);
        QFETCH(const QString, says);
        Hub hub;
        hub.access.limits.silence = 300ms;
        hub.access.limits.answer = 600ms;
        hub.access.limits.bytes = 1 << 20;
        hub.server.odd = odd;
        const QString said = hub.said();
        QVERIFY2(said.contains(says), qPrintable(said));
        QVERIFY2(said.contains(QLatin1String("nothing was changed")) || says == QLatin1String("config.json") ||
                     says == QLatin1String("list of files"),
                 qPrintable(said));
        QVERIFY(hub.received <= (3 << 20));
        hub.server.odd = {};
        QCOMPARE(hub.said(), QString()); // nothing wrong was kept
    }

    void cancelled()
    {
        Hub hub;
        hub.server.odd = at("config.json", [](QTcpSocket&) {});
        std::stop_source stop;
        QTimer::singleShot(100, this, [&] { stop.request_stop(); });
        const core::Result<core::Scenario> scenario = hub.fetch("hf:org/m", stop.get_token());
        QVERIFY(!scenario);
        QVERIFY(core::english(scenario.error().message).find("cancelled") != std::string::npos);
    }

    void accessIsOfTheEnvironment()
    {
        const auto set = [](const char* endpoint, const char* token, const char* offline) {
            qputenv("HF_ENDPOINT", endpoint);
            qputenv("HF_TOKEN", token);
            qputenv("HF_HUB_OFFLINE", offline);
        };
        set("", "", "");
        QCOMPARE(ui::hubAccess()->endpoint, QUrl(QStringLiteral("https://huggingface.co")));
        QVERIFY(ui::hubAccess()->token.isEmpty());
        QVERIFY(!ui::hubAccess()->isOffline);
        set("https://mirror.example/hf/", " abc\n", "1");
        QCOMPARE(ui::hubAccess()->endpoint.host(), QStringLiteral("mirror.example"));
        QCOMPARE(ui::hubAccess()->token, QByteArray("abc"));
        QVERIFY(ui::hubAccess()->isOffline);
        for (const char* wrong : {"mirror.example", "file:///tmp", "http://", "ftp://a.example"}) {
            set(wrong, "", "");
            QVERIFY2(!ui::hubAccess(), wrong);
            QVERIFY(core::english(ui::hubAccess().error().message).find(wrong) != std::string::npos);
        }
        set("", "", "");
    }

    void endpointWithAPath()
    {
        Hub hub;
        hub.access.endpoint.setPath(QStringLiteral("/hub/"));
        QVERIFY(hub.said().contains(QLatin1String("(404)")));
        QCOMPARE(hub.server.seen.back().path, QByteArray("/hub/api/models/org/m/revision/main"));
    }
};

ROOM_TEST(TestHub, QCoreApplication)
#include "test_hub.moc"
