// SPDX-License-Identifier: GPL-3.0-or-later
// Names of models on a hub, and a hub's list of files.
#include "core/readers/hub_name.h"
#include "core/text/format.h"
#include "tests/room.h"

#include <QTest>

using core::readers::HubListing;
using core::readers::HubName;

class TestHubName : public QObject {
    Q_OBJECT

private slots:
    void namesAreRead_data()
    {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("read"); ///< repository, revision, file; empty: refused
        const auto row = [](const char* text, const char* read) {
            QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(read);
        };
        row("hf:Qwen/Qwen3-8B", "Qwen/Qwen3-8B main ");
        row("  hf:gpt2 ", "gpt2 main ");
        row("hf:org/m@v1.0", "org/m v1.0 ");
        row("hf:org/m@refs/pr/1:sub/a.gguf", "org/m refs/pr/1 sub/a.gguf");
        row("https://huggingface.co/org/m", "org/m main ");
        row("https://huggingface.co/org/m/", "org/m main ");
        row("https://huggingface.co/org/m/tree/v2", "org/m v2 ");
        row("https://hf.co/org/m/blob/main/a.gguf?download=true", "org/m main a.gguf");
        for (const char* wrong : {"hf:", "hf:/", "hf:org/", "hf:/m", "hf:a/b/c", "hf:../m", "hf:org/..", "hf:org/m@",
                                  "hf:org/m@a b", "hf:org/m:", "hf:org/m:../a", "hf:org/m:/a", "hf:o%2frg/m",
                                  "https://huggingface.co/", "org/m", "hf:org/m:a\\b"})
            row(wrong, "");
    }
    void namesAreRead()
    {
        QFETCH(const QString, text);
        const core::Result<HubName> name = core::readers::readHubName(text.toStdString());
        const QString read =
            name ? QString::fromStdString(name->repository + " " + name->revision + " " + name->file) : QString();
        QTEST(read, "read");
        if (name)
            QCOMPARE(core::readers::readHubName(toText(*name)).value(), *name);
        else
            QVERIFY(core::english(name.error().message).find("hf:ORG/NAME") != std::string::npos);
    }

    void listingIsRead()
    {
        const auto listing = core::readers::readHubListing(
            R"({"sha":"c0ffee","private":false,"siblings":[{"rfilename":"b","size":1},{"rfilename":"a/c.gguf"},)"
            R"({"rfilename":"../out"},{"rfilename":"/etc/passwd"},{"rfilename":"a\\b"}]})",
            "the list");
        QVERIFY(listing);
        QCOMPARE(*listing, (HubListing{"c0ffee", {"a/c.gguf", "b"}})); // sorted, and none that leads out
        for (const char* wrong : {"", "[]", R"({"siblings":[]})", R"({"sha":5})", R"({"sha":"../x","siblings":[]})",
                                  R"({"sha":"c","siblings":[5]})", R"({"sha":"c","siblings":[{}]})"}) {
            const auto refused = core::readers::readHubListing(wrong, "the list");
            QVERIFY2(!refused && core::english(refused.error().message).find("list") != std::string::npos, wrong);
        }
    }
};

ROOM_TEST(TestHubName, void)
#include "test_hub_name.moc"
