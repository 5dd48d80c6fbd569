// SPDX-License-Identifier: GPL-3.0-or-later
// The document behind the window: saving, the unsaved mark, the session that is kept.
#include "tests/room.h"
#include "tests/ui/harness.h"
#include "ui/document.h"
#include "ui/scenario_files.h"
#include "ui/session.h"

#include <QCoreApplication>
#include <QFile>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

using core::Scenario;

namespace {

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size())
        qFatal("%s cannot be written.", qPrintable(path));
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kvh-test"));
        QCoreApplication::setApplicationName(QStringLiteral("kvh-test-document"));
    }
    void init()
    {
        QFile::remove(ui::sessionPath());
        QSettings().clear();
    }

    void saveAndOpen()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.kvh"));
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        ui::Document document(session);
        QVERIFY(!document.isUnsaved());
        session.edit(tests::with(session.current().scenario, 16'384, 3));
        QVERIFY(document.isUnsaved());
        QVERIFY(document.save(path));
        QVERIFY(!document.isUnsaved());
        QCOMPARE(document.name(), QStringLiteral("a.kvh"));
        session.edit(tests::with(session.current().scenario, 100, 1));
        QVERIFY(document.isUnsaved());
        session.undoStack().undo();
        QVERIFY(!document.isUnsaved()); // as it was saved

        ui::Session other(tests::scenarioOf("gpt2"));
        ui::Document opened(other);
        QVERIFY(opened.open(path));
        QCOMPARE(other.current().scenario, session.current().scenario);
        QVERIFY(!opened.isUnsaved());
        QCOMPARE(ui::Document::recentFiles(), QStringList{path});
    }

    void openThatFailsChangesNothing()
    {
        const QTemporaryDir folder;
        write(folder.filePath(QStringLiteral("b.kvh")), "{\"format\":\"kvhorizon.scenario\",\"version\":2}");
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        ui::Document document(session);
        session.edit(tests::with(session.current().scenario, 9'000, 1));
        for (const char* name : {"b.kvh", "missing.kvh"}) {
            QVERIFY(!document.open(folder.filePath(QString::fromLatin1(name))));
            QCOMPARE(session.current().scenario.workload.context, 9'000);
            QCOMPARE(session.undoStack().count(), 1);
            QVERIFY(document.path().isEmpty());
        }
    }

    void sessionComesBackWithoutAGoodbye()
    {
        const Scenario left = tests::with(tests::scenarioOf("llama-3.1-8b"), 12'345, 6);
        {
            ui::Session session(tests::scenarioOf("llama-3.1-8b"));
            ui::Document document(session);
            document.startKeeping();
            session.edit(left);
            QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(ui::sessionPath()), 5'000); // kept by itself, nobody closed anything
        }
        ui::Session session(tests::scenarioOf("gpt2"));
        ui::Document document(session);
        QVERIFY(document.restore().empty());
        QCOMPARE(session.current().scenario, left);
        QVERIFY(document.isUnsaved());
    }

    void brokenSessionIsKeptAsACopy()
    {
        ui::Session first(tests::scenarioOf("llama-3.1-8b"));
        ui::Document(first).keep();
        write(ui::sessionPath(), "{ broken");
        ui::Session session(tests::scenarioOf("gpt2"));
        ui::Document document(session);
        const core::Message message = document.restore();
        QVERIFY(!message.empty());
        QCOMPARE(session.current().scenario, tests::scenarioOf("gpt2"));
        const std::string copy = std::get<std::string>(message.args.back());
        QVERIFY(QFile::exists(QString::fromStdString(copy)));
        QFile::remove(QString::fromStdString(copy));
    }
};

ROOM_TEST(TestDocument, QCoreApplication)
#include "test_document.moc"
