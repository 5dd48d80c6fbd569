// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/catalogue.h"
#include "tests/room.h"
#include "ui/session.h"

#include <QSignalSpy>
#include <QTest>

using core::Scenario;

class TestSession : public QObject {
    Q_OBJECT

private slots:
    void startsEvaluated()
    {
        const ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        QCOMPARE(session.current().footprint.kv.total, core::gib(1));
        QCOMPARE(session.lastValid().footprint, session.current().footprint);
    }

    void editTellsOnce()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        const QSignalSpy changed(&session, &ui::Session::changed);
        session.edit(tests::with(session.current().scenario, 8'192, 16));
        QCOMPARE(changed.count(), 1);
        QCOMPARE(session.current().scenario.workload.batch, 16);
        QCOMPARE(session.current().footprint.kv.total, core::gib(16));
        QCOMPARE(session.lastValid().footprint.kv.total, core::gib(16));
    }

    void equalScenarioTellsNothing()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        const QSignalSpy changed(&session, &ui::Session::changed);
        session.edit(tests::scenarioOf("llama-3.1-8b"));
        session.edit(Scenario(session.current().scenario));
        QCOMPARE(changed.count(), 0);
    }

    void issuesKeepTheLastValid()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        const QSignalSpy changed(&session, &ui::Session::changed);
        session.edit(tests::with(session.current().scenario, 0, 1));
        QCOMPARE(changed.count(), 1); // the issue is news
        QCOMPARE(session.current().issues.size(), std::size_t{1});
        QCOMPARE(session.current().issues.front().field, core::Field::Context);
        QCOMPARE(session.current().footprint, core::Footprint{});
        QCOMPARE(session.lastValid().scenario.workload.context, 8'192);
        QCOMPARE(session.lastValid().footprint.kv.total, core::gib(1));
        QVERIFY(session.lastValid().issues.empty());
        session.edit(tests::with(session.current().scenario, 16'384, 1));
        QVERIFY(session.current().issues.empty());
        QCOMPARE(session.lastValid().footprint.kv.total, core::gib(2));
    }

    void nothingOfAnotherScenarioIsTheLastValid()
    {
        ui::Session session(tests::scenarioOf("llama-3.1-8b"));
        const Scenario refused = tests::with(tests::scenarioOf("gpt2"), 0, 1);
        session.enter(refused); // a lesson's
        QCOMPARE(session.lastValid().scenario, refused);
        QVERIFY(!session.lastValid().issues.empty());
        session.leave();
        QCOMPARE(session.lastValid().scenario, tests::scenarioOf("llama-3.1-8b"));
        session.load(refused);
        QVERIFY(!session.lastValid().issues.empty());
        const Scenario stillRefused = tests::with(refused, 1, 0);
        session.edit(stillRefused);
        QCOMPARE(session.lastValid().scenario, stillRefused);
        session.edit(tests::with(refused, 1'024, 1));
        QVERIFY(session.lastValid().issues.empty());
        session.undoStack().undo();
        QCOMPARE(session.lastValid().scenario.workload.context, 1'024);
    }
};

ROOM_TEST(TestSession, void)
#include "test_session.moc"
