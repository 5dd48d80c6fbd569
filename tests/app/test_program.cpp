// SPDX-License-Identifier: GPL-3.0-or-later
// The program as built: streams, exit codes, no display.
#include "tests/room.h"

#include <QCoreApplication>
#include <QProcess>
#include <QTest>

namespace {

struct Outcome {
    int exitCode = -1;
    QByteArray out;
    QByteArray err;
};

/// Runs the program where there is neither display nor platform setting nor home.
Outcome run(const QString& line, const QString& outFile = {})
{
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM", "HOME", "XDG_RUNTIME_DIR"})
        environment.remove(QLatin1String(name));
    process.setProcessEnvironment(environment);
    if (!outFile.isEmpty())
        process.setStandardOutputFile(outFile);
    process.start(QStringLiteral(KVHORIZON_PROGRAM), line.split(u' ', Qt::SkipEmptyParts));
    if (!process.waitForFinished() || process.exitStatus() != QProcess::NormalExit)
        return {};
    return {process.exitCode(), process.readAllStandardOutput(), process.readAllStandardError()};
}

} // namespace

class TestProgram : public QObject {
    Q_OBJECT

private slots:
    void needsNoDisplay_data()
    {
        QTest::addColumn<QString>("line");
        for (const char* line : {"--version", "--help", "size llama-3.1-8b --gpu rtx-4090", "size qwen2.5-32b --json",
                                 "size mixtral-8x7b --explain", "inspect llama-3.1-8b", "inspect deepseek-v3 --json",
                                 "models", "models --json", "gpus", "gpus --json"})
            QTest::newRow(line) << line;
    }
    void needsNoDisplay()
    {
        QFETCH(const QString, line);
        const Outcome outcome = run(line);
        QCOMPARE(outcome.err, QByteArray());
        QCOMPARE(outcome.exitCode, 0);
        QVERIFY(!outcome.out.isEmpty());
    }

    void exitCodes_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("exitCode");
        QTest::newRow("unknown model") << "size lama-3.1-8b" << 1;
        QTest::newRow("unknown option") << "size llama-3.1-8b --batc 4" << 2;
        QTest::newRow("over") << "size llama-3.1-8b --batch 16 --gpu rtx-4090 --fail-if-over" << 3;
        QTest::newRow("window without a display") << "" << 1;
        QTest::newRow("over, but not asked") << "size llama-3.1-8b --batch 16 --gpu rtx-4090" << 0;
    }
    void exitCodes()
    {
        QFETCH(const QString, line);
        QFETCH(const int, exitCode);
        QCOMPARE(run(line).exitCode, exitCode);
    }

    void fullDiskIsSaid()
    {
        const QString full = QStringLiteral("/dev/full");
        if (!QFile::exists(full))
            QSKIP("there is no /dev/full here");
        const Outcome outcome = run(QStringLiteral("models"), full);
        QCOMPARE(outcome.exitCode, 1);
        QCOMPARE(outcome.err.count('\n'), 1);
    }
};

ROOM_TEST(TestProgram, QCoreApplication)
#include "test_program.moc"
