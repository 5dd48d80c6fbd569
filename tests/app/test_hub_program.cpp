// SPDX-License-Identifier: GPL-3.0-or-later
// "hf:org/name" on the command line: the program against a server on this computer.
#include "tests/room.h"
#include "tests/ui/hub_server.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

namespace {

constexpr const char* kConfig = R"({"model_type":"llama","num_hidden_layers":3,"num_attention_heads":8,
    "num_key_value_heads":2,"hidden_size":512,"head_dim":64,"intermediate_size":1024,"vocab_size":1000})";

struct Outcome {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

/// Runs the program while the server here answers.
Outcome run(const QString& line, const tests::HubServer& hub, const QTemporaryDir& cache)
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name :
         {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "HF_TOKEN", "HF_HUB_OFFLINE", "http_proxy"})
        environment.remove(QLatin1String(name));
    environment.insert(QStringLiteral("HF_ENDPOINT"), hub.url().toString());
    environment.insert(QStringLiteral("XDG_CACHE_HOME"), cache.path());
    process.setProcessEnvironment(environment);
    process.start(QStringLiteral(KVHORIZON_PROGRAM), line.split(u' '));
    if (!QTest::qWaitFor([&] { return process.state() == QProcess::NotRunning; }, 60'000))
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class TestHubProgram : public QObject {
    Q_OBJECT

private slots:
    void modelIsSizedAndInspected()
    {
        tests::HubServer hub;
        hub.files.add("config.json", kConfig);
        const QTemporaryDir cache;
        const Outcome sized = run(QStringLiteral("size hf:org/m --context 1024 --json"), hub, cache);
        QCOMPARE(sized.err, QByteArray());
        QCOMPARE(sized.exitCode, 0);
        const auto footprint = nlohmann::json::parse(sized.out.toStdString());
        // 2 · 3 layers · 2 KV heads · 64 · 1,024 tokens · 2 bytes
        QCOMPARE(footprint.at("kv").at("bytes").get<qint64>(), qint64{1'572'864});
        QCOMPARE(footprint.at("model").at("source").get<std::string>(), std::string("hf:org/m@01234567"));
        hub.seen.clear();
        const Outcome inspected = run(QStringLiteral("inspect hf:org/m"), hub, cache);
        QCOMPARE(inspected.exitCode, 0);
        QVERIFY(inspected.out.contains("num_key_value_heads"));
        QCOMPARE(hub.seen.size(), 1); // the rest was kept
    }

    void errorsAreSentences_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("asked");
        QTest::newRow("unknown") << "size hf:org/none" << 1;
        QTest::newRow("no name") << "inspect hf:a/b/c" << 0;
        QTest::newRow("window without a display") << "hf:none" << 1; // asked once, though it has no dot and no slash
    }
    void errorsAreSentences()
    {
        QFETCH(const QString, line);
        QFETCH(const int, asked);
        const tests::HubServer hub;
        const QTemporaryDir cache;
        const Outcome outcome = run(line, hub, cache);
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.out, QByteArray());
        QVERIFY2(outcome.err.contains("nothing was changed") || outcome.err.contains("hf:ORG/NAME"),
                 outcome.err.constData());
        QCOMPARE(outcome.err.count('\n'), 1);
        QCOMPARE(hub.seen.size(), asked);
    }
};

ROOM_TEST(TestHubProgram, QCoreApplication)
#include "test_hub_program.moc"
