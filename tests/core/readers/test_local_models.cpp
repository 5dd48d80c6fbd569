// SPDX-License-Identifier: GPL-3.0-or-later
// Models on this computer: how each program keeps them, and folders that are odd.
#include "core/readers/local_models.h"
#include "tests/room.h"

#include <QCoreApplication>
#include <QTemporaryDir>
#include <QTest>

#include <fstream>
#include <map>

namespace fs = std::filesystem;
using core::readers::findLocalModels;
using core::readers::LocalModel;
using core::readers::ModelFolder;
using core::readers::ModelKeeper;

namespace {

/// A home folder with nothing in it.
class Home {
public:
    fs::path path(const std::string& inside = {}) const { return fs::path(m_folder.path().toStdString()) / inside; }
    fs::path write(const std::string& file, const std::string& content = "x") const
    {
        const fs::path whole = path(file);
        fs::create_directories(whole.parent_path());
        std::ofstream(whole, std::ios::binary) << content;
        return whole;
    }
    void link(const std::string& from, const std::string& to) const
    {
        fs::create_directories(path(from).parent_path());
        fs::create_symlink(path(to), path(from));
    }

private:
    QTemporaryDir m_folder;
};

/// "name > path below the home" of each model.
QStringList found(const Home& home, const std::vector<ModelFolder>& folders)
{
    QStringList all;
    for (const LocalModel& model : findLocalModels(folders))
        all << QString::fromStdString(model.name + " > " + model.path.lexically_relative(home.path()).string());
    return all;
}

std::string manifest(const char* type, const std::string& digest)
{
    return std::string(R"({"schemaVersion":2,"layers":[{"mediaType":"application/vnd.ollama.image.license",)") +
           R"("digest":"sha256:1","size":1},{"mediaType":")" + type + R"(","digest":")" + digest + R"(","size":2}]})";
}

constexpr const char* kModelLayer = "application/vnd.ollama.image.model";

} // namespace

class TestLocalModels : public QObject {
    Q_OBJECT

private slots:
    void hubCache()
    {
        const Home home;
        const std::string qwen = "hub/models--Qwen--Qwen3-8B/";
        home.write(qwen + "refs/main", "aaaaaaaaaaaa\n");
        home.write(qwen + "blobs/1");
        home.link(qwen + "snapshots/aaaaaaaaaaaa/config.json", qwen + "blobs/1");
        home.link(qwen + "snapshots/bbbbbbbbbbbb/config.json", qwen + "blobs/1");
        home.write("hub/models--org--a--b/snapshots/c/m-00001-of-00002.gguf");
        home.write("hub/models--org--a--b/snapshots/c/m-00002-of-00002.gguf");
        home.write("hub/models--org--a--b/snapshots/c/mmproj-m.gguf");
        home.write("hub/models--org--a--b/snapshots/c/m.imatrix.gguf");
        home.write("hub/models--gpt2/snapshots/d/config.json");
        home.write("hub/models--gpt2/refs/main", "d");
        home.write("hub/models--org--no-model/snapshots/e/tokenizer.json");
        home.link("hub/models--org--gone/snapshots/f/config.json", "nowhere");
        home.write("hub/datasets--org--d/snapshots/g/config.json");
        QCOMPARE(found(home, {{ModelKeeper::HuggingFace, home.path("hub")}}),
                 QStringList({"gpt2 > hub/models--gpt2/snapshots/d",
                              "org/a--b@c/m > hub/models--org--a--b/snapshots/c/m-00001-of-00002.gguf",
                              "Qwen/Qwen3-8B > hub/models--Qwen--Qwen3-8B/snapshots/aaaaaaaaaaaa",
                              "Qwen/Qwen3-8B@bbbbbbbb > hub/models--Qwen--Qwen3-8B/snapshots/bbbbbbbbbbbb"}));
    }

    void ollama()
    {
        const Home home;
        const std::string library = "o/manifests/registry.ollama.ai/library/";
        home.write(library + "llama3/8b", manifest(kModelLayer, "sha256:ab"));
        home.write("o/blobs/sha256-ab");
        home.write("o/manifests/registry.ollama.ai/me/mine/latest", manifest(kModelLayer, "sha256:ab"));
        home.write("o/manifests/hf.co/org/m-GGUF/Q4_K_M", manifest(kModelLayer, "sha256:ab"));
        home.write(library + "none/gone", manifest(kModelLayer, "sha256:cd"));
        home.write(library + "none/adapter", manifest("application/vnd.ollama.image.adapter", "sha256:ab"));
        home.write(library + "none/outside", manifest(kModelLayer, "../../etc/passwd"));
        home.write(library + "none/list", "[1]");
        home.write(library + "none/broken", "{\"layers\":");
        home.write(library + "none/odd", R"({"layers":[{"mediaType":5}]})");
        for (const ModelKeeper keeper : {ModelKeeper::Ollama, ModelKeeper::User}) // a user's folder is told by content
            QCOMPARE(found(home, {{keeper, home.path("o")}}),
                     QStringList({"hf.co/org/m-GGUF:Q4_K_M > o/blobs/sha256-ab", "llama3:8b > o/blobs/sha256-ab",
                                  "me/mine:latest > o/blobs/sha256-ab"}));
    }

    void foldersOfFiles()
    {
        const Home home;
        home.write("s/pub/model-GGUF/model-Q4_K_M.gguf");
        home.write("s/pub/mlx/config.json");
        home.write("s/pub/mlx/text_encoder/config.json"); // a part of the model above
        home.write("s/pub/notes.txt");
        home.write("s/.hidden/config.json");
        home.write("s/top.GGUF");
        home.link("s/pub/loop", "s");
        for (const ModelKeeper keeper : {ModelKeeper::LmStudio, ModelKeeper::User})
            QCOMPARE(
                found(home, {{keeper, home.path("s")}}),
                QStringList({"pub/mlx > s/pub/mlx", "pub/model-GGUF/model-Q4_K_M > s/pub/model-GGUF/model-Q4_K_M.gguf",
                             "s/top > s/top.GGUF"}));
        home.write("l/org_m_file-q8_0.gguf");
        home.write("l/org_m_file-q8_0.gguf.json");
        home.write("l/deeper/other.gguf");
        QCOMPARE(found(home, {{ModelKeeper::LlamaCpp, home.path("l")}}),
                 QStringList({"org_m_file-q8_0 > l/org_m_file-q8_0.gguf"}));
    }

    void aFolderItselfMayBeTheModel()
    {
        const Home home;
        home.write("mine/config.json");
        home.write("mine/model.safetensors");
        QCOMPARE(found(home, {{ModelKeeper::User, home.path("mine")}}), QStringList({"mine > mine"}));
        QCOMPARE(found(home, {{ModelKeeper::User, home.path("mine")}, {ModelKeeper::LmStudio, home.path("mine")}}),
                 QStringList({"mine > mine"}));
        QCOMPARE(found(home, {{ModelKeeper::User, home.path("gone")}, {ModelKeeper::Ollama, home.path("gone")}}),
                 QStringList());
    }

    void stops()
    {
        const Home home;
        home.write("mine/config.json");
        std::stop_source stop;
        stop.request_stop();
        const std::vector<ModelFolder> folders{{ModelKeeper::LmStudio, home.path()}};
        QVERIFY(findLocalModels(folders, stop.get_token()).empty());
        QCOMPARE(findLocalModels(folders).size(), std::size_t{1});
    }

    void foldersOfPrograms()
    {
        const Home home;
        std::map<std::string, std::string> values{{"HOME", home.path().string()}};
        const auto environment = [&](const char* name) {
            const auto at = values.find(name);
            return at == values.end() ? std::nullopt : std::optional(at->second);
        };
        const auto folders = [&] {
            std::vector<ModelFolder> all = core::readers::modelFolders(environment);
            std::erase_if(all, [](const ModelFolder& folder) { return folder.path.string().starts_with("/usr"); });
            return all;
        };
        QVERIFY(folders().empty());
        for (const char* folder : {".cache/huggingface/hub", ".lmstudio/models", ".ollama/models", ".cache/llama.cpp",
                                   "hub", "face/hub", "ollama", "llama", "cache/huggingface/hub", "lm/models"})
            fs::create_directories(home.path(folder));
        const auto paths = [&](const std::vector<const char*>& wanted) {
            std::vector<fs::path> all;
            for (const char* path : wanted)
                all.push_back(home.path(path));
            return all;
        };
        const auto seen = [&] {
            std::vector<fs::path> all;
            for (const ModelFolder& folder : folders())
                all.push_back(folder.path);
            return all;
        };
        QCOMPARE(seen(), paths({".cache/huggingface/hub", ".lmstudio/models", ".ollama/models", ".cache/llama.cpp"}));
        values["HF_HOME"] = home.path("face").string();
        values["OLLAMA_MODELS"] = home.path("ollama").string();
        values["LLAMA_CACHE"] = home.path("llama").string();
        home.write(".lmstudio-home-pointer", home.path("lm").string() + "\n");
        QCOMPARE(seen(), paths({"face/hub", "lm/models", ".lmstudio/models", "ollama", ".ollama/models", "llama"}));
        values["HF_HUB_CACHE"] = home.path("hub").string();
        QCOMPARE(seen().front(), home.path("hub"));
        values.erase("HF_HOME");
        values.erase("HF_HUB_CACHE");
        values["XDG_CACHE_HOME"] = home.path("cache").string();
        QCOMPARE(seen().front(), home.path("cache/huggingface/hub"));
    }
};

ROOM_TEST(TestLocalModels, QCoreApplication)
#include "test_local_models.moc"
