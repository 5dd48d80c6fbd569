// SPDX-License-Identifier: GPL-3.0-or-later
// Models on this computer in the picker: found in the background, chosen by name.
#include "tests/room.h"
#include "tests/ui/hub_server.h"
#include "tests/ui/window_stage.h"
#include "ui/discovery/model_folders.h"
#include "ui/document.h"
#include "ui/picker.h"

#include <QApplication>
#include <QCompleter>
#include <QDir>
#include <QFile>
#include <QPointer>
#include <QProgressDialog>
#include <QSettings>
#include <QStandardPaths>
#include <QTemporaryDir>

using tests::child;
using tests::Dialogs;
using tests::Stage;

namespace {

/// A home with models in a hub's cache; the programs' folders are looked for there alone.
class Home {
public:
    Home()
    {
        qputenv("HOME", m_folder.path().toUtf8());
        for (const char* name : {"XDG_CACHE_HOME", "HF_HOME", "HF_HUB_CACHE", "OLLAMA_MODELS", "LLAMA_CACHE",
                                 "HF_ENDPOINT", "HF_TOKEN", "HF_HUB_OFFLINE"})
            qunsetenv(name);
    }
    QString path(const QString& inside) const { return m_folder.filePath(inside); }
    void write(const QString& file, const QByteArray& content) const
    {
        QDir().mkpath(QFileInfo(path(file)).path());
        QFile out(path(file));
        if (!out.open(QIODevice::WriteOnly) || out.write(content) != content.size())
            qFatal("%s cannot be written.", qPrintable(file));
    }
    /// A model of the hub's cache, with the config.json of a small one.
    QString addToHub(const QString& name, const QByteArray& config) const
    {
        const QString snapshot = QStringLiteral(".cache/huggingface/hub/models--%1/snapshots/c0ffee").arg(name);
        write(snapshot + QStringLiteral("/config.json"), config);
        write(snapshot + QStringLiteral("/../../refs/main"), "c0ffee");
        return path(snapshot);
    }

private:
    QTemporaryDir m_folder;
};

constexpr const char* kConfig = R"({"model_type":"llama","num_hidden_layers":3,"num_attention_heads":8,
    "num_key_value_heads":2,"hidden_size":512,"head_dim":64,"intermediate_size":1024,"vocab_size":1000})";

QComboBox* picker(Stage& stage)
{
    return child<QComboBox>(stage.window, "model");
}

/// Looks and waits until it is done.
void look(Stage& stage, int atLeast)
{
    stage.window.models().search();
    QTRY_VERIFY(picker(stage)->count() >= static_cast<int>(tests::catalogue().models.size()) + 1 + atLeast);
}

} // namespace

class TestDiscovery : public QObject {
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QCoreApplication::setOrganizationName(QStringLiteral("kvh-test"));
        QCoreApplication::setApplicationName(QStringLiteral("kvh-test-discovery"));
    }
    void init() { QSettings().clear(); }

    void foundModelsAreOffered()
    {
        const Home home;
        const QString snapshot = home.addToHub(QStringLiteral("org--tiny"), kConfig);
        Stage stage;
        const int before = picker(stage)->count();
        look(stage, 1);
        QCOMPARE(picker(stage)->count(), before + 1);
        QCOMPARE(picker(stage)->itemText(picker(stage)->count() - 1), QStringLiteral("Custom model"));
        QCOMPARE(picker(stage)->currentText(), QStringLiteral("Llama 3.1 8B")); // what is chosen stays
        const int entry = picker(stage)->findText(QStringLiteral("org/tiny · Hugging Face"));
        QVERIFY(entry > 0);
        QCOMPARE(picker(stage)->itemData(entry, Qt::ToolTipRole).toString(), snapshot);
        picker(stage)->completer()->setCompletionPrefix(QStringLiteral("ORG/TI"));
        QCOMPARE(picker(stage)->completer()->currentCompletion(), picker(stage)->itemText(entry));

        picker(stage)->setCurrentIndex(entry);
        emit picker(stage)->activated(entry);
        QCOMPARE(stage.window.session().current().scenario.model.layers, std::int64_t{3});
        QCOMPARE(picker(stage)->currentText(), QStringLiteral("tiny"));
        QCOMPARE(ui::Document::recentFiles(), QStringList{snapshot});
        QCOMPARE(stage.window.session().undoStack().count(), 1);
        look(stage, 1);
        QCOMPARE(picker(stage)->count(), before + 1); // recent and found: offered once
    }

    void catalogueAndCustomStayWhereTheyWere()
    {
        const Home home;
        home.addToHub(QStringLiteral("org--tiny"), kConfig);
        Stage stage;
        look(stage, 1);
        const int custom = picker(stage)->count() - 1;
        picker(stage)->setCurrentIndex(custom);
        emit picker(stage)->activated(custom);
        QCOMPARE(stage.window.session().current().scenario.model.id, std::string("custom"));
        QCOMPARE(picker(stage)->currentIndex(), custom);
        const int other = picker(stage)->findText(QString::fromStdString(tests::catalogue().models.back().name));
        emit picker(stage)->activated(other);
        QCOMPARE(stage.window.session().current().scenario.model, tests::catalogue().models.back());
        QCOMPARE(picker(stage)->currentIndex(), other);
    }

    void weightsOfAFileAreAsStored()
    {
        const Home home;
        tests::GgufWriter gguf;
        gguf.text("general.architecture", "llama")
            .number("llama.block_count", 3)
            .number("llama.embedding_length", 512)
            .number("llama.attention.head_count", 8)
            .number("llama.context_length", 4'096)
            .tensor("token_embd.weight", {512, 1'024}, "Q6_K");
        tests::writeSparse(home.path(QStringLiteral("small.gguf")).toStdString(), gguf.file());
        Stage stage;
        auto* weights = child<QComboBox>(stage.window, "weights-format");
        QCOMPARE(weights->findText(QStringLiteral("As in the file")), -1);
        const QString before = weights->currentText();
        stage.drop(home.path(QStringLiteral("small.gguf")));
        QCOMPARE(weights->currentText(), QStringLiteral("As in the file"));
        // 512 · 1,024 parameters in blocks of 256 that take 210 bytes
        QCOMPARE(stage.window.session().current().footprint.weights, std::optional(core::Bytes(430'080)));
        const int bf16 = weights->findText(QStringLiteral("BF16"));
        emit weights->activated(bf16);
        QCOMPARE(stage.window.session().current().footprint.weights, std::optional(core::Bytes(1'048'576)));
        emit weights->activated(weights->findText(QStringLiteral("As in the file")));
        QCOMPARE(stage.window.session().current().footprint.weights, std::optional(core::Bytes(430'080)));
        emit picker(stage)->activated(picker(stage)->findText(QStringLiteral("Llama 3.1 8B")));
        QCOMPARE(weights->findText(QStringLiteral("As in the file")), -1);
        QCOMPARE(weights->currentText(), before);
    }

    void modelCalledLikeOneOfTheCatalogueStays()
    {
        const Home home;
        Stage stage;
        core::Scenario own = stage.window.session().current().scenario;
        own.model.id.clear();
        own.model.source = "a file of one's own";
        stage.window.session().edit(own);
        auto* line = picker(stage)->lineEdit();
        QCOMPARE(line->text(), QStringLiteral("Llama 3.1 8B"));
        line->setFocus();
        QTest::keyClick(line, Qt::Key_Return);
        child<QWidget>(stage.window, "context")->setFocus();
        QApplication::processEvents();
        QCOMPARE(stage.window.session().current().scenario, own);
        line->setFocus(); // typed anew, it is the catalogue's
        line->selectAll();
        QTest::keyClicks(line, QStringLiteral("llama 3.1 8b"));
        QTest::keyClick(line, Qt::Key_Return);
        QCOMPARE(stage.window.session().current().scenario.model.id, std::string("llama-3.1-8b"));
    }

    void brokenModelChangesNothing()
    {
        const Home home;
        home.addToHub(QStringLiteral("org--broken"), "{\"model_type\":");
        Stage stage;
        look(stage, 1);
        const core::Scenario before = stage.window.session().current().scenario;
        const Dialogs dialogs;
        const int entry = picker(stage)->findText(QStringLiteral("org/broken · Hugging Face"));
        picker(stage)->setCurrentIndex(entry);
        emit picker(stage)->activated(entry);
        QCOMPARE(dialogs.texts().size(), 1);
        QVERIFY2(dialogs.texts().front().contains(QLatin1String("config.json")), qPrintable(dialogs.texts().front()));
        QCOMPARE(stage.window.session().current().scenario, before);
        QCOMPARE(picker(stage)->currentText(), QStringLiteral("Llama 3.1 8B"));
        QVERIFY(ui::Document::recentFiles().empty());
    }

    void addedFoldersAreKept()
    {
        const Home home;
        home.write(QStringLiteral("mine/deep/small/config.json"), kConfig);
        ui::addModelFolder(home.path(QStringLiteral("mine")));
        ui::addModelFolder(home.path(QStringLiteral("mine")));
        QCOMPARE(ui::addedModelFolders(), QStringList{home.path(QStringLiteral("mine"))});
        Stage stage;
        look(stage, 1);
        QVERIFY(picker(stage)->findText(QStringLiteral("deep/small · deep")) > 0);
        for (QAction* action : stage.window.findChildren<QAction*>()) {
            if (action->text() == QStringLiteral("Forget ") + home.path(QStringLiteral("mine")))
                action->trigger();
        }
        QVERIFY(ui::addedModelFolders().empty());
        QTRY_COMPARE(picker(stage)->findText(QStringLiteral("deep/small · deep")), -1);
    }

    void typingGoesOnWhileModelsComeIn()
    {
        const Home home;
        for (int number = 0; number < 500; ++number)
            home.addToHub(QStringLiteral("org--model-%1").arg(number), kConfig);
        Stage stage;
        auto* box = qobject_cast<ui::Picker*>(picker(stage));
        box->lineEdit()->setFocus();
        box->lineEdit()->selectAll();
        QTest::keyClicks(box->lineEdit(), QStringLiteral("gem"));
        const QString typed = box->lineEdit()->text();
        stage.window.models().search();
        QCOMPARE(box->findText(QStringLiteral("org/model-499 · Hugging Face")), -1); // nobody waited for it
        QTRY_VERIFY(box->findText(QStringLiteral("org/model-499 · Hugging Face")) > 0);
        QCOMPARE(box->lineEdit()->text(), typed);
        QVERIFY(box->lineEdit()->hasFocus());
    }

    void typedNameIsFetched()
    {
        const Home home;
        tests::HubServer hub;
        hub.files.add("config.json", kConfig);
        qputenv("HF_ENDPOINT", hub.url().toEncoded());
        Stage stage;
        auto* line = picker(stage)->lineEdit();
        const auto type = [&](const char* name) {
            line->setFocus();
            line->selectAll();
            QTest::keyClicks(line, QString::fromUtf8(name));
        };
        type("hf:org/m");
        child<QWidget>(stage.window, "context")->setFocus(); // left without Enter: nothing is fetched
        QTest::qWait(50);
        QVERIFY(hub.seen.empty());
        QCOMPARE(line->text(), QStringLiteral("Llama 3.1 8B"));

        type("hf:org/m");
        QTest::keyClick(line, Qt::Key_Return);
        QTRY_COMPARE(stage.window.session().current().scenario.model.source, std::string("hf:org/m@01234567"));
        QTRY_VERIFY(stage.window.findChild<QWidget*>(QStringLiteral("fetching")) == nullptr);
        QCOMPARE(line->text(), QStringLiteral("m"));
        QCOMPARE(stage.window.session().undoStack().count(), 1);
        QVERIFY(std::ranges::all_of(hub.seen, [](const tests::HubRequest& request) {
            return request.path.startsWith("/api/models/org/m/") || request.path.endsWith("/config.json");
        }));
    }

    void namesThatCannotBeFetched()
    {
        const Home home;
        tests::HubServer hub;
        qputenv("HF_ENDPOINT", hub.url().toEncoded());
        Stage stage;
        const core::Scenario before = stage.window.session().current().scenario;
        const Dialogs dialogs;
        const auto enter = [&](const char* name) {
            auto* line = picker(stage)->lineEdit();
            line->setFocus();
            line->selectAll();
            QTest::keyClicks(line, QString::fromUtf8(name));
            QTest::keyClick(line, Qt::Key_Return);
        };
        enter("hf:a/b/c");
        QTRY_COMPARE(dialogs.texts().size(), 1);
        QVERIFY(dialogs.texts().back().contains(QLatin1String("hf:ORG/NAME")));
        QVERIFY(hub.seen.empty());
        enter("hf:org/none");
        QTRY_COMPARE(dialogs.texts().size(), 2);
        QVERIFY2(dialogs.texts().back().contains(QLatin1String("(404)")), qPrintable(dialogs.texts().back()));
        hub.odd = [](QTcpSocket&, const tests::HubRequest&) { return true; }; // never a word
        enter("hf:org/silent");
        QPointer<QProgressDialog> fetching = stage.window.findChild<QProgressDialog*>();
        QVERIFY(fetching && fetching->isVisible() && !fetching->isModal());
        const int asked = static_cast<int>(hub.seen.size());
        QTRY_VERIFY(hub.seen.size() > asked);
        stage.type("batch", "2"); // work goes on
        QCOMPARE(stage.window.session().current().scenario.workload.batch, std::int64_t{2});
        fetching->cancel();
        QTest::qWait(150);
        QVERIFY(!fetching || !fetching->isVisible());
        QCOMPARE(dialogs.texts().size(), 2);
        QCOMPARE(stage.window.session().current().scenario.model, before.model);
    }
};

ROOM_TEST(TestDiscovery, QApplication)
#include "test_discovery.moc"
