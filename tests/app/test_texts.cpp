// SPDX-License-Identifier: GPL-3.0-or-later
// What people and scripts read: text, CSV, Markdown, lists, help.
#include "tests/app/command.h"
#include "tests/room.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace {

QStringList lines(const std::string& text)
{
    return QString::fromStdString(text).split(u'\n', Qt::SkipEmptyParts);
}

/// The line that begins with `start`, with single spaces.
QString lineOf(const std::string& text, const QString& start)
{
    for (const QString& line : lines(text)) {
        if (line.simplified().startsWith(start))
            return line.simplified();
    }
    return {};
}

} // namespace

class TestTexts : public QObject {
    Q_OBJECT

private slots:
    void sizeSaysBothUnitsAndBytes()
    {
        const std::string text = tests::run("size llama-3.1-8b --batch 16 --gpu rtx-4090").out;
        QCOMPARE(lineOf(text, QStringLiteral("16 requests")),
                 QStringLiteral("16 requests 16.00 GiB 17.18 GB 17,179,869,184 B"));
        QCOMPARE(lineOf(text, QStringLiteral("one request")),
                 QStringLiteral("one request 1.00 GiB 1.07 GB 1,073,741,824 B"));
        QCOMPARE(lineOf(text, QStringLiteral("each further token")),
                 QStringLiteral("each further token 128 KiB 131.07 kB 131,072 B"));
        QVERIFY(text.find("2 · 32 · 8 · 128 · 8,192 · 2 · 16 = 17,179,869,184 B") != std::string::npos);
        QVERIFY(lineOf(text, QStringLiteral("total")).contains(u"30.96 GiB"));
        QVERIFY(!lineOf(text, QStringLiteral("over by")).isEmpty());
        QVERIFY(lineOf(text, QStringLiteral("most requests")).endsWith(u"8 requests"));
    }

    void partsOfTheTableSumUp()
    {
        const nlohmann::json memory =
            tests::json("size gemma-3-27b --batch 3 --waste 12.5 --gpu rtx-4090 --gpus 4 --overhead 1GB --reserve 7")
                .at("memory");
        qint64 sum = 0;
        for (const char* part : {"weights_bytes", "kv_bytes", "waste_bytes", "overhead_bytes", "reserve_bytes"})
            sum += memory.at(part).get<qint64>();
        QCOMPARE(memory.at("total_bytes").get<qint64>(), sum);
        QCOMPARE(memory.at("free_bytes").get<qint64>(), memory.at("capacity_bytes").get<qint64>() - sum);
        QCOMPARE(memory.at("gpus").at(0).at("total_bytes").get<qint64>(), sum);
    }

    void explainNamesOriginsAndSources()
    {
        const std::string text = tests::run("size qwen2.5-7b --gpu rtx-4090 --explain").out;
        for (const char* part : {"read from num_key_value_heads in config.json", "Weights = ", "Total = ",
                                 "Most requests = ", "Longest context = ", "Cache reaches weights = ", "Source: "})
            QVERIFY2(text.find(part) != std::string::npos, part);
    }

    /// 100,000 tokens of Llama-3.1-8B are 12.21 GiB, half of it K; a log of another engine is named.
    void comparedWithALog()
    {
        const QTemporaryDir folder;
        const std::string log = folder.filePath(QStringLiteral("run.log")).toStdString();
        QFile file(QString::fromStdString(log));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("[TP0] KV Cache is allocated. #tokens: 100000, K size: 6.10 GB, V size: 6.11 GB\n"
                   "[TP0] a cache of another kind\n");
        file.close();
        const std::string own = tests::run("size llama-3.1-8b --engine sglang --max-total-tokens 100000 --vram 80GiB "
                                           "--compare-log " +
                                           log)
                                    .out;
        QCOMPARE(lineOf(own, QStringLiteral("1 kv tokens")), QStringLiteral("1 kv tokens 100000 100000 agrees"));
        QCOMPARE(lineOf(own, QStringLiteral("1 kv K")), QStringLiteral("1 kv K GiB 6.10 6.10 agrees"));
        QVERIFY(lineOf(own, QStringLiteral("1 kv V")).startsWith(u"1 kv V GiB 6.11 6.10 -0.01 "));
        QCOMPARE(lineOf(own, QStringLiteral("2 [TP0]")), QStringLiteral("2 [TP0] a cache of another kind"));
        const std::string other = "size llama-3.1-8b --engine vllm --vram 80GiB --compare-log " + log;
        QCOMPARE(lineOf(tests::run(other).out, QStringLiteral("This is a log")),
                 QStringLiteral("This is a log of sglang, but the cache is reserved by vllm: add --engine sglang or "
                                "--use-log."));
        QCOMPARE(lineOf(tests::run(other + " --use-log").out, QStringLiteral("1 kv tokens")),
                 QStringLiteral("1 kv tokens 100000 100000 agrees"));
    }

    void csvIsOneHeaderAndOneRow()
    {
        const QStringList rows = lines(tests::run("size llama-3.1-8b --batch 16 --gpu rtx-4090 --csv").out);
        QCOMPARE(rows.size(), 2);
        const QStringList names = rows.at(0).split(u',');
        const QStringList values = rows.at(1).split(u',');
        QCOMPARE(names.size(), values.size());
        const auto value = [&](const char* name) { return values.value(names.indexOf(QLatin1String(name))); };
        QCOMPARE(value("kv_cache_bytes"), QStringLiteral("17179869184"));
        QCOMPARE(value("kv_cache_gib"), QStringLiteral("16.000000"));
        QCOMPARE(value("free_bytes"), QStringLiteral("-7854366720"));
        QCOMPARE(value("fits"), QStringLiteral("false"));
        QCOMPARE(value("max_batch_requests"), QStringLiteral("8"));
    }

    void markdownIsATable()
    {
        const QStringList rows = lines(tests::run("size llama-3.1-8b --gpu rtx-4090 --markdown").out);
        QVERIFY(rows.at(0).startsWith(u"| Llama 3.1 8B"));
        QCOMPARE(rows.at(1), QStringLiteral("|---|---:|---:|---:|"));
        QVERIFY(rows.last().startsWith(u"**Fits.**"));
        const qsizetype cells = rows.at(0).count(u'|');
        QVERIFY(
            std::all_of(rows.begin(), rows.end() - 1, [&](const QString& row) { return row.count(u'|') == cells; }));
    }

    void inspectSaysHowEachValueIsKnown()
    {
        const std::string text = tests::run("inspect qwen2.5-7b").out;
        QVERIFY(lineOf(text, QStringLiteral("kv_heads")).endsWith(u"4 read num_key_value_heads in config.json"));
        QVERIFY(lineOf(text, QStringLiteral("head_dim")).contains(u"128 derived"));
        QVERIFY(lineOf(text, QStringLiteral("full")).contains(u"2,048 t"));
        const nlohmann::json json = tests::json("inspect qwen2.5-7b");
        QCOMPARE(json.at("format").get<std::string>(), std::string("kvhorizon.model"));
        QCOMPARE(json.at("model").at("layers").get<int>(), 28);
        QVERIFY(!json.at("provenance").empty());
    }

    void listsAgreeWithTheirJson()
    {
        for (const std::string list : {"models", "gpus"}) {
            const nlohmann::json rows = tests::json(list);
            QVERIFY(rows.size() >= 30);
            const std::string text = tests::run(list).out;
            for (const nlohmann::json& row : rows) {
                QVERIFY(text.find(row.at("id").get<std::string>()) != std::string::npos);
                QVERIFY(text.find(row.at("name").get<std::string>()) != std::string::npos);
            }
        }
        QCOMPARE(tests::json("gpus").size(), std::size_t{180});
    }

    void everyListedNameCanBeSized()
    {
        for (const nlohmann::json& row : tests::json("models")) {
            const nlohmann::json sized = tests::json("size " + row.at("id").get<std::string>() + " --context 1");
            QVERIFY(sized.at("kv").at("bytes_per_token") == row.at("kv_bytes_per_token"));
            QVERIFY(sized.at("weights").at("parameters") == row.at("parameters"));
        }
        for (const QString& line : lines(tests::run("gpus").out).mid(1)) {
            const std::string id = line.section(u' ', 0, 0).toStdString();
            QCOMPARE(tests::run("size llama-3.1-8b --gpu " + id).exitCode, app::kDone);
        }
    }

    void helpAndVersion()
    {
        for (const char* line :
             {"--help", "-h", "size --help", "inspect --help", "models --help", "gpus --help", "export --help"}) {
            const tests::Outcome outcome = tests::run(line);
            QCOMPARE(outcome.exitCode, app::kDone);
            QVERIFY(outcome.err.empty());
            QVERIFY(outcome.out.starts_with("K") || outcome.out.find("Usage: kvhorizon ") != std::string::npos);
            const QStringList text = lines(outcome.out);
            QVERIFY(std::all_of(text.begin(), text.end(), [](const QString& row) { return row.size() <= 100; }));
        }
        QCOMPARE(tests::run("--version").out, std::string("kvhorizon " KVHORIZON_VERSION "\n"));
    }

    void windowSideIsAsked()
    {
        qputenv("QT_QPA_PLATFORM", "offscreen"); // stands for a display
        QCOMPARE(tests::run(std::vector<std::string>{}).asked, std::vector<std::string>{"start"});
        QCOMPARE(tests::run("gemma-3-27b").asked, std::vector<std::string>{"start Gemma 3 27B"}); // no dot in its name
        QCOMPARE(tests::run("export growth -o a.png").asked, std::vector<std::string>{"draw growth a.png"});
        QCOMPARE(tests::run("export budget -o b.PNG llama-3.1-8b --batch 4").asked,
                 std::vector<std::string>{"draw budget b.PNG"});
    }
};

ROOM_TEST(TestTexts, void)
#include "test_texts.moc"
