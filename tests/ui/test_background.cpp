// SPDX-License-Identifier: GPL-3.0-or-later
// Work in a thread of its own.
#include "tests/room.h"
#include "ui/background.h"

#include <QCoreApplication>
#include <QTest>
#include <QThread>

#include <atomic>
#include <memory>

using ui::Background;

class TestBackground : public QObject {
    Q_OBJECT

private slots:
    void workIsElsewhereAndItsNewsHere()
    {
        Background background;
        std::atomic<QThread*> worker = nullptr;
        QList<int> told;
        QThread* teller = nullptr;
        background.start([&](const std::stop_token&, const Background::Tell& tell) {
            worker = QThread::currentThread();
            for (int number = 1; number <= 3; ++number)
                tell([&, number] {
                    told << number;
                    teller = QThread::currentThread();
                });
        });
        QVERIFY(told.isEmpty()); // nobody waited
        QTRY_COMPARE(told, QList<int>({1, 2, 3}));
        QCOMPARE(teller, QThread::currentThread());
        QVERIFY(worker.load() != nullptr && worker.load() != QThread::currentThread());
    }

    void whatIsGivenUpTellsNothing()
    {
        Background background;
        QList<int> told;
        std::atomic<bool> begun = false;
        const auto endless = [&](const std::stop_token& stop, const Background::Tell& tell) {
            begun = true;
            while (!stop.stop_requested())
                QThread::msleep(1);
            tell([&] { told << 1; });
        };
        background.start(endless);
        QTRY_VERIFY(begun);
        background.start([&](const std::stop_token&, const Background::Tell& tell) { tell([&] { told << 2; }); });
        QTRY_COMPARE(told, QList<int>{2});
        begun = false;
        background.start(endless);
        QTRY_VERIFY(begun);
        background.cancel();
        QTest::qWait(50);
        QCOMPARE(told, QList<int>{2});
    }

    void newsThatIsOnItsWayIsDropped()
    {
        QList<int> told;
        {
            Background background;
            std::atomic<bool> done = false;
            background.start([&](const std::stop_token&, const Background::Tell& tell) {
                tell([&] { told << 1; });
                done = true;
            });
            while (!done)
                QThread::msleep(1);
            background.cancel();
            QCoreApplication::processEvents();
            background.start([&](const std::stop_token& stop, const Background::Tell&) {
                while (!stop.stop_requested())
                    QThread::msleep(1);
            });
        } // while it is on
        QCoreApplication::processEvents();
        QVERIFY(told.isEmpty());
    }
};

ROOM_TEST(TestBackground, QCoreApplication)
#include "test_background.moc"
