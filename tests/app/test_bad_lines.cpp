// SPDX-License-Identifier: GPL-3.0-or-later
// Lines that cannot be done: exit code, nothing on stdout, one sentence on stderr that names what is wrong.
#include "tests/app/command.h"
#include "tests/room.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <fstream>

namespace {

struct Row {
    const char* name;
    const char* line; ///< "@" stands for the folder of the files below
    int exitCode;
    const char* says; ///< part of the sentence
};

constexpr Row kRows[] = {
    // Names, files and values: exit 1.
    {"missing file", "size @/none.json", 1, "none.json"},
    {"missing file by its ending", "size none.json", 1, "none.json"},
    {"missing file to open", "@/none.json", 1, "none.json"},
    {"folder without config.json", "size @", 1, "config.json"},
    {"empty file", "size @/empty.json", 1, "empty.json"},
    {"binary file", "size @/binary.json", 1, "binary.json"},
    {"truncated file", "size @/truncated.json", 1, "truncated.json"},
    {"deeply nested file", "size @/nested.json", 1, "nested.json"},
    {"other JSON", "inspect @/other.json", 1, "other.json"},
    {"null where a count is expected", "size @/null.json", 1, "num_hidden_layers"},
    {"negative count", "size @/negative.json", 1, "num_hidden_layers"},
    {"fractional count", "size @/fraction.json", 1, "num_hidden_layers"},
    {"text where a count is expected", "size @/text.json", 1, "num_hidden_layers"},
    {"huge count", "size @/huge.json", 1, "num_hidden_layers"},
    {"file to open", "@/empty.json", 1, "empty.json"},
    {"unknown model", "size lama-3.1-8b", 1, "llama-3.1-8b"},
    {"unknown model, unlike all", "inspect xyzzyxyzzy", 1, "xyzzyxyzzy"},
    {"unknown GPU", "size llama-3.1-8b --gpu rtx-4091", 1, "rtx-4090"},
    {"unknown memory of a machine", "size llama-3.1-8b --gpu apple-m2-ultra:100", 1, "64, 128, 192"},
    {"unknown cache format", "size llama-3.1-8b --kv-format fp9", 1, "fp8"},
    {"unknown cache format, unlike all", "size llama-3.1-8b --k-format zzzz", 1, "iq4_nl"},
    {"unknown weight format", "size llama-3.1-8b --weights-format awq-4bt", 1, "awq-4bit"},
    {"unknown engine", "size llama-3.1-8b --engine page", 1, "paged"},
    {"unknown version", "size llama-3.1-8b --engine llama.cpp --engine-version 7", 1, "2025-10"},
    {"version of an engine without", "size llama-3.1-8b --engine paged --engine-version 2025-10", 1, "llama.cpp"},
    {"setting of another engine", "size llama-3.1-8b --engine paged --ubatch-size 512", 1, "--engine is paged"},
    {"setting with a wrong value", "size llama-3.1-8b --ubatch-size 0", 1, "--ubatch-size"},
    {"rows of matrices", "size llama-3.1-8b --split-mode row", 1, "rows"},
    {"sequences given twice", "size llama-3.1-8b --parallel 2 --batch 2", 1, "--parallel"},
    {"more sequences than tokens", "size llama-3.1-8b --context 2 --parallel 4", 1, "--context"},
    {"format that the engine has not", "size llama-3.1-8b --engine llama.cpp --kv-format fp8", 1, "q8_0"},
    {"format of one engine", "size llama-3.1-8b --kv-format q8_kv", 1, "Q8_KV"},
    {"quantized values without flash attention", "size llama-3.1-8b --kv-format q8_0 --flash-attn off", 1, "flash"},
    {"missing log", "size llama-3.1-8b --engine llama.cpp --compare-log @/none.log", 1, "none.log"},
    {"log without an engine", "size llama-3.1-8b --compare-log @/empty.json", 1, "--engine llama.cpp"},
    {"settings of no log", "size llama-3.1-8b --use-log", 2, "--compare-log"},
    {"switch with a value", "size llama-3.1-8b --swa-full=off", 2, "--swa-full"},
    {"unknown basis", "size llama-3.1-8b --gpu rtx-4090 --memory-basis lable", 1, "label"},
    {"typed basis", "size llama-3.1-8b --gpu rtx-4090 --memory-basis typed", 1, "--vram"},
    {"no number", "size llama-3.1-8b --context eight", 1, "--context"},
    {"fractional context", "size llama-3.1-8b --context 8.5", 1, "--context"},
    {"negative context", "size llama-3.1-8b --context -5", 1, "--context"},
    {"empty context", "size llama-3.1-8b --context ", 1, "--context"},
    {"number beyond 64 bits", "size llama-3.1-8b --context 99999999999999999999", 1, "--context"},
    {"context 0", "size llama-3.1-8b --context 0", 1, "16,777,216"},
    {"context too large", "size llama-3.1-8b --context 16777217", 1, "16,777,216"},
    {"batch 0", "size llama-3.1-8b --batch 0", 1, "65,536"},
    {"batch too large", "size llama-3.1-8b --batch 65537", 1, "65,536"},
    {"maximum below the context", "size llama-3.1-8b --max-context 4K", 1, "4,096"},
    {"waste too large", "size llama-3.1-8b --waste 95.01", 1, "95"},
    {"reserve of everything", "size llama-3.1-8b --gpu rtx-4090 --reserve 100", 1, "reserve"},
    {"block of nothing", "size llama-3.1-8b --block-size 0", 1, "65,536"},
    {"no GPU at all", "size llama-3.1-8b --gpu rtx-4090 --gpus 0", 1, "65,536"},
    {"memory of nothing", "size llama-3.1-8b --vram 0", 1, "0 bytes"},
    {"size without a unit that exists", "size llama-3.1-8b --vram 24XB", 1, "--vram"},
    {"capacity beyond 63 bits", "size llama-3.1-8b --vram 4000000TiB --gpus 65536", 1, "8 EiB"},
    {"cache beyond 63 bits", "size llama-2-7b --context 16M --batch 65536 --weights-bytes 8000000TiB", 1, "8 EiB"},
    {"engines that contradict", "size llama-3.1-8b --engine ideal --block-size 16", 1, "--block-size"},
    {"two engines' options", "size llama-3.1-8b --max-context 16K --waste 20", 1, "--max-context"},
    {"reserve of an engine with a share", "size llama-3.1-8b --engine vllm --gpu rtx-3090 --reserve 10", 1,
     "--reserve"},
    {"pool of an engine without", "size llama-3.1-8b --engine paged --kv-memory 4GiB", 1, "--engine is paged"},
    {"heads that cannot be divided", "size llama-3.1-8b --engine vllm --tp 3", 1, "--tp: 32 query heads"},
    {"more ranks than GPUs", "size llama-3.1-8b --gpu rtx-3090 --gpus 2 --tp 4", 1, "--gpus: 4"},
    {"ranks of llama.cpp", "size llama-3.1-8b --engine llama.cpp --tp 2", 1, "--tp"},
    {"release that is none", "size llama-3.1-8b --engine vllm --engine-version last", 1, "0.20"},
    {"no share", "size llama-3.1-8b --gpu-memory-utilization 2", 1, "--gpu-memory-utilization"},
    {"waste of a paged engine", "size llama-3.1-8b --engine paged --waste 20", 1, "--waste"},
    {"weights given twice", "size llama-3.1-8b --weights-bytes 18GiB --weights-format fp8", 1, "--weights-format"},
    {"memory given twice", "size llama-3.1-8b --vram 24GiB --memory-basis label", 1, "--memory-basis"},
    {"basis of no GPU", "size llama-3.1-8b --memory-basis label", 1, "--gpu"},
    {"count of no GPU", "size llama-3.1-8b --gpus 2", 1, "--gpu"},
    {"share of no GPU", "size llama-3.1-8b --reserve 10", 1, "--gpu"},
    {"no capacity to be over", "size llama-3.1-8b --fail-if-over", 1, "--gpu"},
    {"unknown view", "export grwth -o a.png llama-3.1-8b", 1, "growth"},
    {"picture that is no PNG", "export growth -o a.txt llama-3.1-8b", 1, ".png"},
    {"picture of an unknown model", "export growth -o a.png lama-3.1-8b", 1, "llama-3.1-8b"},
    {"picture out of range", "export growth -o a.png llama-3.1-8b --batch 0", 1, "65,536"},
    // Lines that cannot be parsed: exit 2.
    {"unknown option", "size llama-3.1-8b --batc 4", 2, "--batch"},
    {"unknown option with value", "size llama-3.1-8b --contxt=4", 2, "--context"},
    {"option of a later part", "size llama-3.1-8b --cp 2", 2, "--cp"},
    {"unknown short option", "size llama-3.1-8b -x", 2, "-x"},
    {"option of another command", "models --csv", 2, "--csv"},
    {"option of no command", "--batch 4", 2, "--batch"},
    {"option before its command", "--batch 4 size llama-3.1-8b", 2, "--batch"},
    {"unknown option of the program", "--versoin", 2, "--version"},
    {"missing model", "size", 2, "MODEL"},
    {"empty model", "size ", 2, "MODEL"},
    {"missing model to inspect", "inspect --json", 2, "MODEL"},
    {"missing value at the end", "size llama-3.1-8b --context", 2, "--context"},
    {"missing value in the middle", "size llama-3.1-8b --context --batch 4", 2, "--context"},
    {"value of a flag", "size llama-3.1-8b --json=3", 2, "--json"},
    {"option twice", "size llama-3.1-8b --batch 4 --batch 5", 2, "--batch"},
    {"one argument too many", "size llama-3.1-8b llama-3-8b", 2, "llama-3-8b"},
    {"argument of a list", "gpus rtx-4090", 2, "rtx-4090"},
    {"two formats", "size llama-3.1-8b --json --csv", 2, "--csv"},
    {"explained JSON", "size llama-3.1-8b --json --explain", 2, "--explain"},
    {"unknown command", "siez llama-3.1-8b", 2, "size"},
    {"unknown command alone", "inspct", 2, "inspect"},
    {"two files", "@/other.json @/null.json", 2, "null.json"},
    {"missing view", "export", 2, "VIEW"},
    {"missing picture", "export growth llama-3.1-8b", 2, "-o"},
    {"missing model of a picture", "export growth -o a.png --batch 4", 2, "MODEL"},
};

void write(const QTemporaryDir& folder, const char* name, const std::string& text)
{
    std::ofstream(folder.filePath(QLatin1String(name)).toStdString(), std::ios::binary) << text;
}

/// A config.json with this number of layers.
std::string config(const nlohmann::json& layers)
{
    return nlohmann::json{
        {"model_type", "llama"}, {"hidden_size", 4096}, {"num_attention_heads", 32}, {"num_hidden_layers", layers}}
        .dump();
}

} // namespace

class TestBadLines : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        write(m_folder, "empty.json", "");
        write(m_folder, "binary.json",
              std::string("\x7F"
                          "ELF\0\1\2\3",
                          8));
        write(m_folder, "truncated.json", config(32).substr(0, 40));
        write(m_folder, "nested.json", std::string(100000, '['));
        write(m_folder, "other.json", nlohmann::json{{"name", "no model"}}.dump());
        write(m_folder, "null.json", config(nullptr));
        write(m_folder, "negative.json", config(-32));
        write(m_folder, "fraction.json", config(32.5));
        write(m_folder, "text.json", config("32"));
        write(m_folder, "huge.json", config(1e300));
    }

    void isRefused_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<int>("exitCode");
        QTest::addColumn<QString>("says");
        for (const Row& row : kRows)
            QTest::newRow(row.name) << row.line << row.exitCode << row.says;
    }
    void isRefused()
    {
        QFETCH(const QString, line);
        QFETCH(const int, exitCode);
        QFETCH(const QString, says);
        std::vector<std::string> words = tests::words(QString(line).replace(u'@', m_folder.path()).toStdString());
        if (line.endsWith(u' '))
            words.emplace_back();
        const tests::Outcome outcome = tests::run(words);
        const QString message = QString::fromStdString(outcome.err);
        QCOMPARE(outcome.exitCode, exitCode);
        QCOMPARE(outcome.out, std::string());
        QVERIFY(outcome.asked.empty());
        QVERIFY2(message.startsWith(u"kvhorizon: "), qPrintable(message));
        QVERIFY2(message.endsWith(u".\n") || message.endsWith(u"?\n"), qPrintable(message));
        QCOMPARE(message.count(u'\n'), 1);
        QVERIFY2(message.contains(says), qPrintable(message));
    }

    void everyIssueIsSaid()
    {
        const tests::Outcome outcome = tests::run("size llama-3.1-8b --context 0 --batch 0 --vram 0 --reserve 100");
        QCOMPARE(outcome.exitCode, app::kFailed);
        QCOMPARE(outcome.out, std::string());
        QCOMPARE(std::ranges::count(outcome.err, '\n'), 4);
        for (const char* option : {"--context: ", "--batch: ", "--vram: ", "--reserve: "})
            QVERIFY(outcome.err.find(option) != std::string::npos);
    }

    void controlCharactersStayOnTheLine()
    {
        const tests::Outcome outcome = tests::run(std::vector<std::string>{"size", "a\nb\x1B[31m"});
        QCOMPARE(outcome.err.find('\n'), outcome.err.size() - 1);
        QCOMPARE(outcome.err.find('\x1B'), std::string::npos);
    }

    void longNamesAreOnlyUnknown()
    {
        const tests::Outcome outcome = tests::run(std::vector<std::string>{"size", std::string(100000, 'a')});
        QCOMPARE(outcome.exitCode, app::kFailed);
    }

private:
    const QTemporaryDir m_folder;
};

ROOM_TEST(TestBadLines, void)
#include "test_bad_lines.moc"
