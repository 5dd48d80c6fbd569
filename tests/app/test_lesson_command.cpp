// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/lessons.h"
#include "tests/app/command.h"
#include "tests/room.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

class TestLessonCommand : public QObject {
    Q_OBJECT

private slots:
    void courseIsListed()
    {
        const tests::Outcome outcome = tests::run("lesson");
        QCOMPARE(outcome.exitCode, app::kDone);
        QVERIFY(outcome.err.empty());
        const auto course = app::course();
        QVERIFY(course);
        QVERIFY(course->lessons.size() >= 10);
        QVERIFY(course->exercises.size() >= 20);
        std::size_t last = 0;
        for (const core::Lesson& lesson : course->lessons) {
            const std::size_t place = outcome.out.find(lesson.title);
            QVERIFY2(place != std::string::npos && place > last, lesson.title.c_str());
            last = place;
        }
        QCOMPARE(course->lessons.front().id, std::string("why-caching"));
    }

    /// Every file of the course is compiled in, and validates from the disk.
    void courseValidates()
    {
        const QDir folder(QStringLiteral(RESOURCES_DIR "/lessons"));
        std::vector<std::string> words{"lesson", "--validate"};
        for (const QString& name : folder.entryList(QDir::Files))
            words.push_back(folder.filePath(name).toStdString());
        const tests::Outcome outcome = tests::run(words);
        QCOMPARE(outcome.err, std::string());
        QCOMPARE(outcome.exitCode, app::kDone);
        QCOMPARE(static_cast<std::size_t>(std::ranges::count(outcome.out, '\n')), words.size() - 2);
        QCOMPARE(words.size() - 3, app::course()->lessons.size());
        QVERIFY(outcome.out.find("01-why-caching.json: lesson \"Why there is a cache\", 4 steps, 1 prediction, 1 "
                                 "question\n") != std::string::npos);
    }

    void faultsAreNamed()
    {
        write("good.json", good());
        write("bad.json", replaced(good(), "\"context\"", "\"contxt\""));
        write("empty.json", "");
        write("deep.json", std::string(100'000, '['));
        write("huge.json", std::string((1U << 20U) + 5, ' '));
        write("exercises.json", R"({"format":"kvhorizon.exercises","version":1,"title":"a","exercises":[{"id":"A",
            "question":"a","asked":"cash","scenario":{"model":"gpt2"}}]})");
        const tests::Outcome outcome = validate(
            {"good.json", "bad.json", "empty.json", "deep.json", "huge.json", "exercises.json", "missing.json", "."});
        QCOMPARE(outcome.exitCode, app::kFailed);
        QCOMPARE(std::ranges::count(outcome.out, '\n'), 1);
        QVERIFY(outcome.out.find("good.json: lesson \"Good\", 1 step") != std::string::npos);
        QCOMPARE(std::ranges::count(outcome.err, '\n'), 7);
        for (const char* says :
             {"In bad.json, \"step 1.controls\" names \"contxt\"", "empty.json", "deep.json",
              "huge.json is larger than 1 MiB", "In exercises.json, \"exercise 1.asked\" is \"cash\"",
              "missing.json\" cannot be read", "(Is a directory)"})
            QVERIFY2(outcome.err.find(says) != std::string::npos, says);
    }

    void faultsOfEveryStepAreNamed()
    {
        const std::string two = R"({"title":"Two","text":"{cash}"},{"title":"Three"}]})";
        write("many.json", replaced(replaced(good(), "\"context\"", "\"contxt\""), "]}]}", "]}," + two));
        const tests::Outcome outcome = validate({"many.json"});
        QCOMPARE(outcome.exitCode, app::kFailed);
        QCOMPARE(std::ranges::count(outcome.err, '\n'), 3);
        for (const char* says : {"step 1.controls", "step 2.text", "step 3.text"})
            QVERIFY2(outcome.err.find(says) != std::string::npos, outcome.err.c_str());
    }

    /// "kvhorizon FILE" leaves a lesson to the window, whatever is wrong with it.
    void lessonOpensTheWindow()
    {
        write("good.json", good());
        for (const std::string& file : {m_folder.filePath(QStringLiteral("good.json")).toStdString(),
                                        std::string(RESOURCES_DIR "/lessons/exercises.json")}) {
            const tests::Outcome outcome = tests::run(std::vector{file});
            QCOMPARE(outcome.exitCode, app::kDone);
            QCOMPARE(outcome.asked, std::vector<std::string>{"start"});
        }
    }

    void lineIsRefused_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("says");
        QTest::newRow("no file") << "lesson --validate"
                                 << "FILE";
        QTest::newRow("file without --validate") << "lesson a.json"
                                                 << "--validate";
        QTest::newRow("unknown option") << "lesson --valdate a.json"
                                        << "--validate";
        QTest::newRow("option of another command") << "lesson --json"
                                                   << "--json";
        QTest::newRow("value of the flag") << "lesson --validate=a.json b.json"
                                           << "--validate";
    }
    void lineIsRefused()
    {
        QFETCH(const QString, line);
        QFETCH(const QString, says);
        const tests::Outcome outcome = tests::run(line.toStdString());
        QCOMPARE(outcome.exitCode, app::kUnparsable);
        QVERIFY(outcome.out.empty());
        QVERIFY2(outcome.err.find(says.toStdString()) != std::string::npos, outcome.err.c_str());
    }

private:
    static std::string good()
    {
        return R"({"format":"kvhorizon.lesson","version":1,"id":"good","title":"Good","description":"A lesson.",
            "scenario":{"model":"llama-3-8b"},"steps":[{"title":"One","text":"{cache}","controls":["context"]}]})";
    }
    static std::string replaced(std::string text, const std::string& from, const std::string& to)
    {
        return text.replace(text.find(from), from.size(), to);
    }
    void write(const char* name, const std::string& text) const
    {
        std::ofstream(m_folder.filePath(QLatin1String(name)).toStdString(), std::ios::binary) << text;
    }
    tests::Outcome validate(std::initializer_list<const char*> names) const
    {
        std::vector<std::string> words{"lesson", "--validate"};
        for (const char* name : names)
            words.push_back(m_folder.filePath(QLatin1String(name)).toStdString());
        return tests::run(words);
    }

    const QTemporaryDir m_folder;
};

ROOM_TEST(TestLessonCommand, void)
#include "test_lesson_command.moc"
