// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/command.h"
#include "tests/room.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

class TestHelpCommand : public QObject {
    Q_OBJECT

private slots:
    /// Each topic is listed with a line of its own, and printed with links that say what to type.
    void topicsArePrinted()
    {
        const tests::Outcome topics = tests::run("help");
        QCOMPARE(topics.exitCode, app::kDone);
        QVERIFY(topics.err.empty());
        for (const QString& file : QDir(QStringLiteral(RESOURCES_DIR "/manual")).entryList(QDir::Files)) {
            const std::string name = file.chopped(3).toStdString();
            if (name == "contents")
                continue;
            QVERIFY2(topics.out.find("\n" + name + "  ") != std::string::npos, name.c_str());
            const tests::Outcome outcome = tests::run("help " + name);
            QCOMPARE(outcome.exitCode, app::kDone);
            QVERIFY2(outcome.out.starts_with("# "), name.c_str());
            QVERIFY2(outcome.out.find(".md)") == std::string::npos, name.c_str());
        }
    }

    /// Whoever adds an option writes it into the manual, too.
    void everyOptionIsInTheManual()
    {
        const QString manual = QString::fromStdString(tests::run("help size").out + tests::run("help engines").out);
        static const QRegularExpression option(QStringLiteral("--[a-z][a-z0-9-]+"));
        for (const char* line : {"size --help", "inspect --help", "export --help", "lesson --help"}) {
            const QString help = QString::fromStdString(tests::run(line).out);
            for (auto options = option.globalMatch(help); options.hasNext();) {
                const QString name = options.next().captured();
                QVERIFY2(manual.contains(name), qPrintable(name));
            }
        }
    }

    void unknownTopicIsNamed()
    {
        const tests::Outcome outcome = tests::run("help engine");
        QCOMPARE(outcome.exitCode, app::kFailed);
        QVERIFY(outcome.out.empty());
        QCOMPARE(outcome.err,
                 std::string("kvhorizon: The manual has no topic \"engine\"; its topics are start, window, "
                             "size, engines, logs, files, models, lessons, formulas, json.\n"));
    }

    void lineIsRefused()
    {
        for (const char* line : {"help engines logs", "help --json", "help --topic engines"})
            QCOMPARE(tests::run(line).exitCode, app::kUnparsable);
    }
};

ROOM_TEST(TestHelpCommand, void)
#include "test_help_command.moc"
