// SPDX-License-Identifier: GPL-3.0-or-later
// Files are written whole or not at all. What must not happen to this process (losing its rights, a full disk, being
// killed) happens to a child.
#include "tests/core/catalogue.h"
#include "tests/room.h"
#include "ui/scenario_files.h"

#include <QCoreApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QFile>
#include <QFileInfo>
#include <QRandomGenerator>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <sched.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <vector>

using core::ScenarioFile;

namespace {

constexpr uid_t kNobody = 65'534;

/// Starts a child that does `work` and leaves.
pid_t startChild(const std::function<void()>& work)
{
    const pid_t child = fork();
    if (child == 0) {
        work();
        _exit(0);
    }
    return child;
}

/// What `work` says in a process of its own.
QString saidByChild(const std::function<QString()>& work)
{
    int ends[2] = {};
    if (pipe(ends) != 0)
        return QStringLiteral("no pipe");
    const pid_t child = startChild([&] {
        const QByteArray said = work().toUtf8();
        const auto written = write(ends[1], said.constData(), static_cast<std::size_t>(said.size()));
        _exit(written == said.size() ? 0 : 1);
    });
    close(ends[1]);
    QByteArray said;
    char buffer[4'096];
    for (auto size = read(ends[0], buffer, sizeof buffer); size > 0; size = read(ends[0], buffer, sizeof buffer))
        said.append(buffer, static_cast<qsizetype>(size));
    close(ends[0]);
    waitpid(child, nullptr, 0);
    return QString::fromUtf8(said);
}

/// Gives up the rights of the superuser, who may write everywhere.
void becomeNobody()
{
    if (geteuid() == 0 && (setgid(kNobody) != 0 || setuid(kNobody) != 0))
        _exit(2);
}

/// A scenario that is told apart by its batch.
ScenarioFile numbered(std::int64_t batch)
{
    return {tests::with(tests::scenarioOf("gpt-oss-20b"), 8'192, batch), {}};
}

std::int64_t numberOf(const core::Result<ScenarioFile>& file)
{
    return file ? file->scenario.workload.batch : -1;
}

void write(const QString& path, const QByteArray& content)
{
    QFile file(path);
    if (file.open(QIODevice::WriteOnly))
        file.write(content);
}

QByteArray contentOf(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

} // namespace

class TestScenarioFiles : public QObject {
    Q_OBJECT

private slots:
    void init()
    {
        m_folder = std::make_unique<QTemporaryDir>();
        QVERIFY(m_folder->isValid());
        qputenv("XDG_DATA_HOME", QFile::encodeName(at("data")));
    }

    void savesUnderAnyName_data()
    {
        QTest::addColumn<QString>("name");
        QTest::newRow("plain") << "a.kvh";
        QTest::newRow("blanks") << " my proposal .kvh";
        QTest::newRow("quotes") << "it's \"the\" `one`.kvh";
        QTest::newRow("letters of the world") << "Größe 羊驼 ламá 🦙.kvh";
        QTest::newRow("signs") << "-50%20 & $HOME; {0} #1?.kvh";
        QTest::newRow("line break") << "two\nlines.kvh";
        QTest::newRow("no ending") << "proposal";
    }
    void savesUnderAnyName()
    {
        QFETCH(const QString, name);
        const QString path = m_folder->filePath(name);
        QCOMPARE(errorOf(ui::saveScenario(path, numbered(3))), QString());
        QCOMPARE(numberOf(ui::loadScenario(path)), std::int64_t{3});
        QCOMPARE(errorOf(ui::saveScenario(path, numbered(4))), QString());
        QCOMPARE(numberOf(ui::loadScenario(path)), std::int64_t{4});
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{name});
        write(path, "{");
        const QString error = errorOf(ui::loadScenario(path));
        QVERIFY2(error.contains(name), qPrintable(error));
    }

    void unknownKeysSurviveOnTheDisk()
    {
        QByteArray text = QByteArray::fromStdString(core::scenarioToText(numbered(3)));
        text.insert(1, "\"colour\": \"green\",");
        write(at("a.kvh"), text);
        core::Result<ScenarioFile> file = ui::loadScenario(at("a.kvh"));
        QVERIFY(file);
        file->scenario.workload.batch = 5;
        QCOMPARE(errorOf(ui::saveScenario(at("a.kvh"), *file)), QString());
        QVERIFY(contentOf(at("a.kvh")).contains("\"colour\": \"green\""));
        QCOMPARE(numberOf(ui::loadScenario(at("a.kvh"))), std::int64_t{5});
    }

    void missingFolderIsNamed()
    {
        const QString path = at("none/a.kvh");
        const QString error = errorOf(ui::saveScenario(path, numbered(1)));
        QVERIFY2(saysAll(error, path + QStringLiteral("|No such file")), qPrintable(error));
        QVERIFY(!QFileInfo::exists(at("none")));
        QVERIFY(saysAll(errorOf(ui::loadScenario(path)), path + QStringLiteral("|No such file")));
    }

    void readOnlyFolderLeavesTheOldFile()
    {
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("fixed")));
        const QString path = at("fixed/a.kvh");
        QCOMPARE(errorOf(ui::saveScenario(path, numbered(7))), QString());
        QVERIFY(chmod(QFile::encodeName(path), 0644) == 0);
        QVERIFY(chmod(QFile::encodeName(at("fixed")), 0555) == 0);
        QVERIFY(chmod(QFile::encodeName(m_folder->path()), 0755) == 0);
        for (const QString& target : {path, at("fixed/new.kvh")}) {
            const QString error = saidByChild([&] {
                becomeNobody();
                return errorOf(ui::saveScenario(target, numbered(8)));
            });
            QVERIFY2(saysAll(error, target + QStringLiteral("|still there")), qPrintable(error));
        }
        QCOMPARE(saidByChild([&] {
                     becomeNobody();
                     return ui::keepBrokenCopy(path) + QStringLiteral("-");
                 }),
                 QStringLiteral("-"));
        QCOMPARE(numberOf(ui::loadScenario(path)), std::int64_t{7});
        QCOMPARE(QDir(at("fixed")).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("a.kvh")});
        QVERIFY(chmod(QFile::encodeName(at("fixed")), 0755) == 0); // so that it can be removed
    }

    void secretFileIsNotRead()
    {
        QCOMPARE(errorOf(ui::saveScenario(at("a.kvh"), numbered(7))), QString());
        QVERIFY(chmod(QFile::encodeName(at("a.kvh")), 0000) == 0);
        QVERIFY(chmod(QFile::encodeName(m_folder->path()), 0755) == 0);
        const QString error = saidByChild([&] {
            becomeNobody();
            return errorOf(ui::loadScenario(at("a.kvh")));
        });
        QVERIFY2(saysAll(error, at("a.kvh") + QStringLiteral("|denied")), qPrintable(error));
    }

    void fileThatCannotGrowLeavesTheOldOne()
    {
        QCOMPARE(errorOf(ui::saveScenario(at("a.kvh"), numbered(7))), QString());
        const QString error = saidByChild([&] {
            const rlimit limit{1'000, 1'000};
            std::signal(SIGXFSZ, SIG_IGN);
            if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
                return QStringLiteral("no limit");
            return errorOf(ui::saveScenario(at("a.kvh"), numbered(8)));
        });
        QVERIFY2(saysAll(error, at("a.kvh") + QStringLiteral("|too large|still there")), qPrintable(error));
        QCOMPARE(numberOf(ui::loadScenario(at("a.kvh"))), std::int64_t{7});
        QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden), QStringList{QStringLiteral("a.kvh")});
    }

    void fullDiskLeavesTheOldFile()
    {
        // A small disk of its own, which goes away with the child.
        const QString said = saidByChild([&] {
            const QByteArray disk = QFile::encodeName(m_folder->path());
            if (unshare(CLONE_NEWNS) != 0 || mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                mount("none", disk.constData(), "tmpfs", 0, "size=64k") != 0)
                return QStringLiteral("not permitted");
            const QString before = errorOf(ui::saveScenario(at("a.kvh"), numbered(7)));
            write(at("filler"), QByteArray(65'536, 'x'));
            const QString error = errorOf(ui::saveScenario(at("a.kvh"), numbered(8)));
            const auto left = QDir(m_folder->path()).entryList(QDir::Files | QDir::Hidden);
            return QStringLiteral("%1; %2; %3; %4")
                .arg(before, error, QString::number(numberOf(ui::loadScenario(at("a.kvh")))), left.join(u' '));
        });
        if (said == QStringLiteral("not permitted"))
            QSKIP("This process may not mount a small disk to fill.");
        QVERIFY2(said.startsWith(QStringLiteral("; ")), qPrintable(said));
        QVERIFY2(saysAll(said, at("a.kvh") + QStringLiteral("|No space left|still there")), qPrintable(said));
        QVERIFY2(said.endsWith(QStringLiteral("; 7; a.kvh filler")), qPrintable(said));
    }

    void killedWhileSavingLeavesAWholeFile()
    {
        const QString path = at("a.kvh");
        QCOMPARE(errorOf(ui::saveScenario(path, numbered(1))), QString());
        ScenarioFile next = numbered(1);
        const core::Scenario written = next.scenario;
        QElapsedTimer timer;
        timer.start();
        for (int save = 0; save < 10; ++save)
            (void)ui::saveScenario(path, next);
        const auto microseconds = static_cast<int>(timer.nsecsElapsed() / 1'000 / 10); // that one takes
        std::int64_t last = 1;
        for (int kill = 0; kill < 100; ++kill) {
            int ends[2] = {};
            QVERIFY(pipe(ends) == 0);
            const pid_t child = startChild([&] {
                for (next.scenario.workload.batch = last + 1;; ++next.scenario.workload.batch) {
                    (void)!write(ends[1], "", 1); // a save begins
                    (void)ui::saveScenario(path, next);
                }
            });
            const int begun = 1 + kill % 3;
            char one = 0;
            for (int save = 0; save < begun; ++save)
                QVERIFY(read(ends[0], &one, 1) == 1);
            usleep(static_cast<useconds_t>(QRandomGenerator::global()->bounded(microseconds)));
            ::kill(child, SIGKILL);
            waitpid(child, nullptr, 0);
            close(ends[0]);
            close(ends[1]);
            core::Result<ScenarioFile> file = ui::loadScenario(path);
            QCOMPARE(errorOf(file), QString());
            QVERIFY(numberOf(file) >= last + begun - 1); // those before were finished
            last = numberOf(file);
            file->scenario.workload.batch = 1;
            QVERIFY(file->scenario == written);
        }
    }

    void linkStaysALink()
    {
        QVERIFY(QDir(m_folder->path()).mkdir(QStringLiteral("real")));
        QCOMPARE(errorOf(ui::saveScenario(at("real/a.kvh"), numbered(1))), QString());
        QVERIFY(QFile::link(at("real/a.kvh"), at("link.kvh")));
        QCOMPARE(errorOf(ui::saveScenario(at("link.kvh"), numbered(2))), QString());
        QVERIFY(QFileInfo(at("link.kvh")).isSymLink());
        QCOMPARE(numberOf(ui::loadScenario(at("real/a.kvh"))), std::int64_t{2});
    }

    void whatIsNoFileIsRefused()
    {
        QVERIFY(mkfifo(QFile::encodeName(at("pipe")), 0600) == 0);
        for (const QString& path : {m_folder->path(), at("pipe"), QStringLiteral("/dev/null")}) {
            QVERIFY(saysAll(errorOf(ui::saveScenario(path, numbered(1))), path));
            QVERIFY(saysAll(errorOf(ui::loadScenario(path)), path));
            QVERIFY(QFileInfo::exists(path));
            QVERIFY(!QFileInfo(path).isFile());
        }
        QFile large(at("large.kvh"));
        QVERIFY(large.open(QIODevice::WriteOnly) && large.resize(qint64{65} << 20U));
        QVERIFY(saysAll(errorOf(ui::loadScenario(at("large.kvh"))), at("large.kvh") + QStringLiteral("|64 MiB")));
        write(at("binary.kvh"), QByteArray("\x7F"
                                           "ELF\0\1\2",
                                           7));
        QVERIFY(saysAll(errorOf(ui::loadScenario(at("binary.kvh"))), QStringLiteral("binary.kvh")));
    }

    void brokenFileIsCopiedBeside()
    {
        write(at("a b.kvh"), "{\"format\": broken");
        const QString first = ui::keepBrokenCopy(at("a b.kvh"));
        const QString second = ui::keepBrokenCopy(at("a b.kvh"));
        const QRegularExpression name(QStringLiteral("/a b\\.kvh\\.broken-[0-9]{8}-[0-9]{6}(-2)?$"));
        QVERIFY2(name.match(first).hasMatch(), qPrintable(first));
        QVERIFY2(name.match(second).hasMatch(), qPrintable(second));
        QVERIFY(first != second);
        QCOMPARE(contentOf(first), QByteArray("{\"format\": broken"));
        QCOMPARE(contentOf(second), contentOf(at("a b.kvh")));
        QCOMPARE(ui::keepBrokenCopy(at("none.kvh")), QString());
        QCOMPARE(ui::keepBrokenCopy(m_folder->path()), QString());
    }

    void sessionIsKept()
    {
        QVERIFY2(ui::sessionPath().startsWith(at("data/")) && ui::sessionPath().endsWith(u"/session.kvh"),
                 qPrintable(ui::sessionPath()));
        core::Result<std::optional<core::SavedSession>> session = ui::loadSession();
        QVERIFY(session && !*session); // the first start
        QCOMPARE(errorOf(ui::saveSession({numbered(5), "/home/me/my \"plan\" ü.kvh", true})), QString());
        session = ui::loadSession();
        QVERIFY(session && *session);
        QCOMPARE((**session).path, std::string("/home/me/my \"plan\" ü.kvh"));
        QVERIFY((**session).unsaved);
        QVERIFY((**session).file.scenario == numbered(5).scenario);
        QCOMPARE(errorOf(ui::saveSession({numbered(6), {}, false})), QString());
        session = ui::loadSession();
        QVERIFY(session && *session);
        QVERIFY((**session).path.empty() && !(**session).unsaved);
    }

    void brokenSessionIsSaid()
    {
        QCOMPARE(errorOf(ui::saveSession({numbered(5), {}, true})), QString());
        write(ui::sessionPath(), contentOf(ui::sessionPath()).left(300));
        QVERIFY(saysAll(errorOf(ui::loadSession()), QStringLiteral("session.kvh|truncated")));
        QVERIFY(!ui::keepBrokenCopy(ui::sessionPath()).isEmpty());
    }

private:
    QString at(const char* name) const { return m_folder->filePath(QLatin1String(name)); }

    std::unique_ptr<QTemporaryDir> m_folder;
};

ROOM_TEST(TestScenarioFiles, QCoreApplication)
#include "test_scenario_files.moc"
