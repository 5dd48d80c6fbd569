// SPDX-License-Identifier: GPL-3.0-or-later
// Lesson files, good and wrong.
#include "core/teaching/lesson_file.h"
#include "tests/core/teaching/course.h"
#include "tests/room.h"

#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <fstream>

namespace {

using core::Lesson;
using core::LessonStep;
using nlohmann::json;

/// A lesson of one step with a prediction and an exercise.
json smallLesson()
{
    return json::parse(R"({
      "format": "kvhorizon.lesson", "version": 1, "id": "small", "title": "Small", "description": "A *small* lesson.",
      "minutes": 2,
      "scenario": {"model": "llama-3.1-8b", "gpu": "rtx-3090", "workload": {"context": 8192}},
      "steps": [
        {"title": "One", "text": ["The cache of {model} takes {cache}.", "Without sharing: {mha.cache / cache} times."],
         "scenario": {"workload": {"batch": 2}},
         "others": {"mha": {"cache": {"kv_heads": 32}}},
         "controls": ["context", "batch"],
         "prediction": {"text": "Where do they meet?", "kind": "marker", "asked": "crossover"},
         "question": {"question": "How large with {context} tokens?", "asked": "cache",
                      "mistakes": ["query-heads", "other-layers 80"], "close": ["thousands"],
                      "hints": ["One", "Two", "{context}"], "explanation": "{cache}"},
         "reveal": "{crossover}", "reflection": "Why?"},
        {"title": "Two", "text": "Text", "question": "E3"},
        {"title": "Three", "text": "Text",
         "question": {"text": "Which?", "choices": [{"text": "a", "right": true}, {"text": "b", "diagnosis": "No."}]}}
      ]})");
}

core::Result<Lesson> read(const json& lesson)
{
    return core::lessonFromText(lesson.dump(), "small.json", tests::sources());
}

/// A change of the small lesson, as a JSON pointer and what to put there, and what the error must say.
struct Row {
    const char* name;
    const char* place;
    const char* value; ///< JSON; "" takes the key away
    const char* says;
};

constexpr Row kMalformed[] = {
    {"another format", "/format", "\"kvhorizon.scenario\"", "small.json|kvhorizon.lesson"},
    {"no format", "/format", "", "format"},
    {"a later version", "/version", "2", "version|2"},
    {"no id", "/id", "", "\"id\""},
    {"title that is a number", "/title", "5", "\"title\"|5"},
    {"no description", "/description", "", "description"},
    {"unknown key", "/titel", "\"a\"", "titel|title"},
    {"minutes below one", "/minutes", "0", "minutes"},
    {"no steps", "/steps", "[]", "steps"},
    {"steps that are texts", "/steps", "[\"a\"]", "steps"},
    {"steps that are missing", "/steps", "", "steps"},
    {"unknown key of a step", "/steps/0/texts", "\"a\"", "step 1.texts|text"},
    {"step without text", "/steps/0/text", "", "step 1.text"},
    {"step without title", "/steps/1/title", "", "step 2.title"},
    {"text that is an object", "/steps/0/text", "{}", "step 1.text"},
    {"paragraphs that are numbers", "/steps/0/text", "[1, 2]", "step 1.text"},
    {"unknown model", "/scenario/model", "\"lama-3.1-8b\"", "scenario.model|lama-3.1-8b|llama-3.1-8b"},
    {"model that is a number", "/scenario/model", "8", "scenario.model"},
    {"model that is nonsense", "/scenario/model", "{\"format\": \"kvhorizon.model\"}", "scenario.model"},
    {"no model", "/scenario/model", "", "scenario.model"},
    {"unknown GPU", "/scenario/gpu", "\"rtx-3091\"", "scenario.gpu|rtx-3091"},
    {"unknown key of a scenario", "/scenario/contxt", "8192", "scenario.contxt"},
    {"unknown key of a workload", "/scenario/workload/contxt", "8192", "scenario.workload.contxt|context"},
    {"unknown key of a cache", "/scenario/cache", "{\"format\": \"fp8\"}", "scenario.cache.format"},
    {"unknown cache format", "/scenario/cache", "{\"k_format\": \"fp9\"}", "scenario.cache.k_format|fp9"},
    {"context that is a text", "/scenario/workload/context", "\"8K\"", "scenario.workload.context"},
    {"context of a step out of range", "/steps/0/scenario/workload", "{\"context\": 0}", "step 1.scenario|context"},
    {"negative context", "/steps/0/scenario/workload", "{\"context\": -1}", "step 1.scenario.workload.context"},
    {"others that are a list", "/steps/0/others", "[]", "step 1.others"},
    {"others without their scenario", "/steps/0/others/mha", "{\"cache\": {\"kv_heads\": 7}}",
     "step 1.others.mha|kv-heads"},
    {"unknown input", "/steps/0/controls", "[\"contxt\"]", "step 1.controls|contxt|context"},
    {"controls that are a text", "/steps/0/controls", "\"context\"", "step 1.controls"},
    {"unknown place", "/steps/0/text", "\"{cash}\"", "step 1.text|{cash}"},
    {"place of an unknown scenario", "/steps/0/reveal", "\"{mqa.cache}\"", "step 1.reveal|{mqa.cache}"},
    {"open brace", "/steps/0/reflection", "\"a { b\"", "step 1.reflection"},
    {"place without a value", "/steps/0/text", "\"{window}\"", "step 1.text|{window}"},
    {"unknown form", "/steps/0/text", "\"{cache:kib}\"", "step 1.text|{cache:kib}"},
    {"HTML", "/steps/0/text", "\"a <script>b</script>\"", "step 1.text|<script>"},
    {"HTML in a title", "/steps/0/title", "\"<img src=x>\"", "step 1.title|<img"},
    {"file link", "/steps/0/text", "\"[a](file:///etc/passwd)\"", "step 1.text|file:///etc/passwd"},
    {"script link", "/steps/0/text", "\"[a](javascript:b)\"", "step 1.text|javascript:b"},
    {"relative link", "/steps/0/reveal", "\"[a](run.sh)\"", "step 1.reveal|run.sh"},
    {"link by reference", "/steps/0/text", "\"[a][b]\\n\\n[b]: file:///etc/passwd\"", "step 1.text|file:///etc/passwd"},
    {"picture from the web", "/steps/0/text", "\"![a](https://example.org/a.png)\"", "step 1.text|https://example.org"},
    {"picture from the disk", "/description", "\"![a](/etc/a.png)\"", "description|/etc/a.png"},
    {"figure that does not exist", "/steps/0/text", "\"![a](figure:other)\"", "step 1.text|figure:other"},
    {"prediction without text", "/steps/0/prediction/text", "", "step 1.prediction.text"},
    {"prediction of another kind", "/steps/0/prediction/kind", "\"drag\"", "step 1.prediction.kind|drag"},
    {"prediction of nothing", "/steps/0/prediction/asked", "\"crosover\"", "step 1.prediction.asked|crosover"},
    {"marker off the axis", "/steps/0/prediction/asked", "\"cache\"", "step 1.prediction.asked|cache"},
    {"unknown key of a prediction", "/steps/0/prediction/ask", "\"cache\"", "step 1.prediction.ask"},
    {"unknown exercise", "/steps/1/question", "\"E99\"", "step 2.question|E99"},
    {"question that is a number", "/steps/1/question", "3", "step 2.question"},
    {"exercise that asks nothing", "/steps/0/question/asked", "", "step 1.question.asked"},
    {"exercise that asks the unknown", "/steps/0/question/asked", "\"cach\"", "step 1.question.asked|cach|cache"},
    {"exercise without an answer", "/steps/0/question/asked", "\"factor\"", "step 1.question.asked|factor"},
    {"unknown mistake", "/steps/0/question/mistakes", "[\"query-head\"]", "step 1.question.mistakes|query-heads"},
    {"mistake without its number", "/steps/0/question/mistakes", "[\"other-layers\"]",
     "step 1.question.mistakes|number"},
    {"mistake with nonsense", "/steps/0/question/mistakes", "[\"other-layers x\"]", "step 1.question.mistakes|number"},
    {"mistakes that are numbers", "/steps/0/question/close", "[1]", "step 1.question.close"},
    {"two hints", "/steps/0/question/hints", "[\"a\", \"b\"]", "step 1.question.hints|three"},
    {"hint with HTML", "/steps/0/question/hints", "[\"a\", \"b\", \"<b>\"]", "step 1.question.hints|<b>"},
    {"hint with an unknown place", "/steps/0/question/hints", "[\"a\", \"b\", \"{c}\"]", "step 1.question.hints|{c}"},
    {"mistake without an occasion", "/steps/0/question/mistakes", "[\"window-ignored\"]",
     "step 1.question.mistakes|window-ignored|right"},
    {"range without the right answer", "/steps/0/question/accepted", "{\"from\": 5, \"to\": 6}",
     "step 1.question.accepted|2.00 GiB"},
    {"mistake within the range", "/steps/0/question/accepted", "{\"from\": 5, \"to\": 99000000000}",
     "step 1.question.mistakes|query-heads"},
    {"half a range", "/steps/0/question/accepted", "{\"from\": 5}", "step 1.question.accepted.to"},
    {"one choice", "/steps/2/question/choices", "[{\"text\": \"a\", \"right\": true}]", "step 3.question.choices"},
    {"no right choice", "/steps/2/question/choices/0/right", "false", "step 3.question.choices[0].diagnosis"},
    {"wrong choice without diagnosis", "/steps/2/question/choices/1/diagnosis", "",
     "step 3.question.choices[1].diagnosis"},
    {"right that is a text", "/steps/2/question/choices/0/right", "\"yes\"", "step 3.question.choices[0].right"},
    {"unknown key of a choice", "/steps/2/question/choices/0/correct", "true", "step 3.question.choices[0].correct"},
};

void put(json& lesson, const char* place, const char* value)
{
    const json::json_pointer pointer{std::string(place)};
    if (value[0] == '\0')
        lesson[pointer.parent_pointer()].erase(pointer.back());
    else
        lesson[pointer] = json::parse(value);
}

/// One sentence, which names the file.
bool isOneSentence(const QString& sentence)
{
    return sentence.contains(QStringLiteral("small.json")) && !sentence.contains(u'\n') &&
           (sentence.endsWith(u'.') || sentence.endsWith(u'?'));
}

} // namespace

class TestLesson : public QObject {
    Q_OBJECT

private slots:
    void smallLessonIsRead()
    {
        const Lesson lesson = tests::valueOf(read(smallLesson()));
        QCOMPARE(lesson.id, std::string("small"));
        QCOMPARE(lesson.minutes, 2);
        QCOMPARE(lesson.steps.size(), std::size_t{3});
        const LessonStep& first = lesson.steps[0];
        QCOMPARE(core::filled(first.text, first),
                 std::string("The cache of Llama 3.1 8B takes 2.00 GiB (2.15 GB).\n\nWithout sharing: 4 times."));
        QCOMPARE(first.scenario.workload.batch, 2);
        QCOMPARE(first.scenario.hardware.gpu->id, std::string("rtx-3090"));
        QCOMPARE(first.controls, (std::vector{core::Field::Context, core::Field::Batch}));
        QCOMPARE(first.prediction->kind, core::Prediction::Kind::Marker);
        const auto& exercise = std::get<core::Exercise>(first.question);
        QCOMPARE(exercise.mistakes.size(), std::size_t{3});
        QCOMPARE(exercise.mistakes[1].number, 80);
        QVERIFY(exercise.mistakes[2].close);
        QVERIFY(exercise.task.scenario == first.scenario);
        QCOMPARE(core::filled(exercise.question, exercise), std::string("How large with 8,192 tokens?"));
        QCOMPARE(std::get<core::Exercise>(lesson.steps[1].question).id, std::string("E3"));
        QCOMPARE(lesson.steps[1].scenario.model.id, std::string("llama-3-70b"));
        QVERIFY(std::get<core::ChoiceQuestion>(lesson.steps[2].question).choices[0].right);
        QCOMPARE(lesson.steps[2].scenario.workload.batch, 1);
        QVERIFY(!first.asksWhatIsPredicted());
        QVERIFY(first.showsItsAnswer()); // asked of the scenario on screen
        QVERIFY(!first.wholeAxis);
        QVERIFY(!lesson.steps[2].showsItsAnswer()); // a choice
        json other = smallLesson();
        other["steps"][0]["question"]["asked"] = "crossover";
        other["steps"][0]["question"].erase("close");
        QVERIFY(tests::valueOf(read(other)).steps[0].asksWhatIsPredicted());
        other["steps"][0]["whole_axis"] = true;
        other["steps"][2]["hold_back"] = true;
        QVERIFY(tests::valueOf(read(other)).steps[0].wholeAxis);
        QVERIFY(tests::valueOf(read(other)).steps[2].showsItsAnswer());
        other["steps"][2]["hold_back"] = "yes";
        QVERIFY(!read(other));
    }

    void placesFollowTheLocale()
    {
        const Lesson lesson = tests::valueOf(read(smallLesson()));
        const core::NumberStyle german{",", ".", core::Unit::Binary};
        QVERIFY(core::filled(lesson.steps[0].text, lesson.steps[0], german).find("2,00 GiB (2,15 GB)") !=
                std::string::npos);
    }

    /// What an engine prints and takes.
    void enginesHavePlaces()
    {
        json lesson = smallLesson();
        lesson["scenario"]["workload"] = {{"context", 20'000}};
        lesson["scenario"]["weights"] = {{"bytes", 10 * 1'073'741'824LL}};
        lesson["scenario"]["engine"] = {{"id", "vllm"},
                                        {"version", "0.6"},
                                        {"settings", {{"runtime-context", "0.5GiB"}, {"activation-memory", "1GiB"}}}};
        lesson["scenario"]["hardware"] = {{"memory_basis", "typed"}, {"typed_bytes", 20 * 1'073'741'824LL}};
        lesson["steps"][0]["question"]["asked"] = "blocks";
        lesson["steps"][0]["question"].erase("close");
        LessonStep step = tests::valueOf(read(lesson)).steps[0];
        QCOMPARE(core::filled("{share}: {device_weights:gib} + {runtime:gib} + {computing:gib} + {pool:gib}", step),
                 std::string("90 %: 10.00 GiB + 512 MiB + 1.00 GiB + 6.50 GiB"));
        QCOMPARE(core::filled("{blocks} of {block}, {block_bytes:gib} each, {pool:mib}", step),
                 std::string("3,328 of 16, 2 MiB each, 6,656 MiB"));
        QCOMPARE(core::filled("{cache_tokens} tokens, {request_blocks} blocks, {concurrency}x, {own_work:gib}", step),
                 std::string("53,248 tokens, 1,250 blocks, 2.66x, 1.50 GiB"));
        QCOMPARE(core::filled("{engine_version}", step), std::string("0.6"));
        step.scenario.model = {};
        QVERIFY(!core::filled("{blocks} {concurrency} {pool} {device_cache}", step).empty());
        step.scenario.engine = core::EngineId::Ideal;
        QCOMPARE(core::filled("{blocks} {concurrency} {pool} {share} {own_work}", step), std::string("– – – – –"));
    }

    /// A place that a changed scenario no longer has is a dash, not a crash.
    void placesOutliveTheirValue()
    {
        LessonStep step = tests::valueOf(read(smallLesson())).steps[0];
        step.scenario.model = {};
        QVERIFY(core::filled("{kv_heads} heads", step).find("–") != std::string::npos);
        QCOMPARE(core::filled("a {", step), std::string("a –"));
    }

    void namesAreNoMarkdown()
    {
        LessonStep step = tests::valueOf(read(smallLesson())).steps[0];
        step.scenario.model.name = "[a](file:///etc/passwd) <img src=b>\n# c_d";
        QCOMPARE(core::filled("{model}", step), std::string("\\[a\\](file:///etc/passwd) \\<img src=b\\> \\# c\\_d"));
    }

    void malformedIsRefused_data()
    {
        QTest::addColumn<int>("row");
        for (int i = 0; i < static_cast<int>(std::size(kMalformed)); ++i)
            QTest::newRow(kMalformed[i].name) << i;
    }
    void malformedIsRefused()
    {
        QFETCH(const int, row);
        json lesson = smallLesson();
        put(lesson, kMalformed[row].place, kMalformed[row].value);
        const QString error = errorOf(read(lesson));
        QVERIFY2(saysAll(error, QLatin1String(kMalformed[row].says)), qPrintable(error));
        QVERIFY2(isOneSentence(error), qPrintable(error));
    }

    void badFilesAreRefused()
    {
        const std::string text = smallLesson().dump();
        for (std::size_t size = 0; size < text.size(); size += 7) {
            const QString error =
                errorOf(core::lessonFromText(std::string_view(text).substr(0, size), "small.json", tests::sources()));
            QVERIFY2(isOneSentence(error), qPrintable(error));
        }
        const std::string deep(100'000, '[');
        const std::string huge(core::kLargestLesson + 1, ' ');
        json steps = smallLesson();
        for (int i = 0; i < 101; ++i)
            steps["steps"].push_back(steps["steps"][1]);
        json letters = smallLesson();
        letters["steps"][0]["text"] = std::string(20'001, 'a');
        for (const std::string& bad :
             {deep, huge, std::string("[]"), std::string("null"), steps.dump(), letters.dump()}) {
            const QString error = errorOf(core::lessonFromText(bad, "small.json", tests::sources()));
            QVERIFY2(isOneSentence(error), qPrintable(error));
        }
    }

    void linksToTheWebAreText()
    {
        QVERIFY(!core::forbiddenIn("See [the paper](https://arxiv.org/abs/2309.06180), a < b, 5 <= 6."));
        QVERIFY(!core::forbiddenIn("![A figure](figure:allocation-flow)"));
        QVERIFY(core::forbiddenIn("<http://example.org>"));
        QVERIFY(core::forbiddenIn("<"
                                  "!-- a -->"));
        QVERIFY(!core::forbiddenIn("<"));
    }

    void exerciseFilesAreChecked()
    {
        const auto error = [](const char* text) {
            return errorOf(core::exercisesFromText(text, "small.json", tests::sources()));
        };
        QVERIFY(saysAll(error(R"({"format":"kvhorizon.lesson","version":1,"title":"a","exercises":[]})"),
                        QStringLiteral("small.json|kvhorizon.exercises")));
        QVERIFY(
            saysAll(error(R"({"format":"kvhorizon.exercises","version":1,"exercises":[]})"), QStringLiteral("title")));
        const char* const two = R"({"format":"kvhorizon.exercises","version":1,"title":"a","exercises":[
            {"id":"A","question":"a","asked":"cache","scenario":{"model":"gpt2"}},
            {"id":"A","question":"a","asked":"cache","scenario":{"model":"gpt2"}}]})";
        QVERIFY2(saysAll(error(two), QStringLiteral("small.json|exercise 2.id|\"A\"")), qPrintable(error(two)));
        QVERIFY(saysAll(error(R"({"format":"kvhorizon.exercises","version":1,"title":"a","exercises":[{"id":"A"}]})"),
                        QStringLiteral("exercise 1.question")));
    }

    void filesAreToldByContent()
    {
        using core::readers::looksLikeLesson;
        const std::filesystem::path lessons = RESOURCES_DIR "/lessons";
        QVERIFY(looksLikeLesson(lessons / "05-the-crossing.json"));
        QVERIFY(looksLikeLesson(lessons / "exercises.json"));
        QVERIFY(!looksLikeLesson(RESOURCES_DIR "/models.json"));
        QVERIFY(!looksLikeLesson(lessons));
        QVERIFY(!looksLikeLesson(lessons / "none"));
    }

    void filesAreRead()
    {
        const std::filesystem::path lessons = RESOURCES_DIR "/lessons";
        const auto set = core::readers::readLessonFile(lessons / "exercises.json", tests::sources());
        QVERIFY(set);
        QCOMPARE(set->steps.size(), tests::exercises().size());
        const auto folder = core::readers::readLessonFile(lessons, tests::sources());
        QVERIFY(!folder);
        QVERIFY(core::english(folder.error().message).find("Is a directory") != std::string::npos);
        const QTemporaryDir place;
        const std::filesystem::path bad = std::filesystem::path(place.path().toStdString()) / "bad.json";
        std::ofstream(bad) << R"({"format":"kvhorizon.lesson","version":1,"steps":7})";
        QVERIFY(core::readers::looksLikeLesson(bad));
        const auto broken = core::readers::readLessonFile(bad, tests::sources());
        QVERIFY(!broken);
        QVERIFY(core::english(broken.error().message).find("bad.json") != std::string::npos);
    }
};

ROOM_TEST(TestLesson, void)
#include "test_lesson.moc"
