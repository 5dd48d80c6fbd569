// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/local_models.h"

#include "core/readers/json/json_reader.h"
#include "core/readers/weight_names.h"
#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

namespace core::readers {

namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8; ///< folders below a user's folder
constexpr std::string_view kGguf = ".gguf";
constexpr std::string_view kHubPrefix = "models--";
constexpr std::size_t kLargestNote = 1U << 20U; ///< bytes of a manifest or a reference

/// The beginning of a small file; empty where there is none.
std::string noteAt(const fs::path& path)
{
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > kLargestNote || error)
        return {};
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

class Search {
public:
    explicit Search(const std::stop_token& stop) : m_stop(stop) {}

    void look(const ModelFolder& folder);
    std::vector<LocalModel> take();

private:
    using Entries = std::vector<fs::directory_entry>;

    void lookInHub(const fs::path& cache);
    void lookInSnapshots(const fs::path& repository, const std::string& name);
    void lookInManifests(const fs::path& models);
    void lookInTree(const fs::path& folder, const std::string& name, int depth);
    bool addFolder(const fs::path& folder, const Entries& inside, const std::string& name);
    void add(const std::string& name, const fs::path& path);

    /// What stands in the folder, sorted; less when the search is to end.
    Entries entries(const fs::path& folder);

    std::stop_token m_stop;
    std::size_t m_visited = 0;
    ModelKeeper m_keeper = ModelKeeper::User;
    std::vector<LocalModel> m_found;
    std::set<std::pair<fs::path, std::string>> m_known;
};

/// A file is listed once, by the keeper that comes first; only Ollama gives one file several names.
void Search::add(const std::string& name, const fs::path& path)
{
    if (m_known.emplace(path, m_keeper == ModelKeeper::Ollama ? name : std::string()).second)
        m_found.push_back({name, m_keeper, path});
}

Search::Entries Search::entries(const fs::path& folder)
{
    Entries all;
    std::error_code error;
    for (fs::directory_iterator next(folder, fs::directory_options::skip_permission_denied, error), end;
         !error && next != end; next.increment(error)) {
        if (m_stop.stop_requested() || m_visited >= kMostVisited)
            break;
        ++m_visited;
        if (!next->path().filename().string().starts_with('.'))
            all.push_back(*next);
    }
    std::ranges::sort(all, {}, [](const fs::directory_entry& entry) { return entry.path(); });
    return all;
}

/// The model that a folder is, its config.json with what lies beside it, and each weight file on its own. True where
/// there is a config.json.
bool Search::addFolder(const fs::path& folder, const Entries& inside, const std::string& name)
{
    std::error_code error;
    const bool isModel = fs::is_regular_file(folder / "config.json", error);
    if (isModel)
        add(name, folder);
    std::vector<std::string> files;
    for (const fs::directory_entry& entry : inside) {
        if (entry.is_regular_file(error))
            files.push_back(entry.path().filename().string());
    }
    for (const std::string& file : weightSets(files, kGguf)) {
        std::string set = name.empty() ? "" : name + "/";
        add(set.append(weightSetName(file, kGguf)), folder / file);
    }
    return isModel;
}

void Search::lookInSnapshots(const fs::path& repository, const std::string& name)
{
    const std::string note = noteAt(repository / "refs" / "main");
    const std::string_view main = trimmed(note);
    for (const fs::directory_entry& snapshot : entries(repository / "snapshots")) {
        const std::string commit = snapshot.path().filename().string();
        std::error_code error;
        if (snapshot.is_directory(error))
            addFolder(snapshot.path(), entries(snapshot.path()),
                      commit == main ? name : name + "@" + commit.substr(0, 8));
    }
}

void Search::lookInHub(const fs::path& cache)
{
    constexpr std::string_view kBetween = "--";
    for (const fs::directory_entry& repository : entries(cache)) {
        std::string name = repository.path().filename().string();
        if (!name.starts_with(kHubPrefix))
            continue;
        name.erase(0, kHubPrefix.size());
        if (const std::size_t between = name.find(kBetween); between != std::string::npos)
            name.replace(between, kBetween.size(), "/");
        lookInSnapshots(repository.path(), name);
    }
}

/// The weight file that a manifest names: "sha256:…" in the layer of the model.
std::optional<std::string> blobOf(const fs::path& manifest)
{
    const std::string text = noteAt(manifest);
    const Result<JsonDocument> document = parseJson(text, "manifest");
    if (!document)
        return std::nullopt;
    const Result<JsonObject> object = document->root(UnknownKeys::Ignore);
    if (!object)
        return std::nullopt;
    const Result<std::vector<JsonObject>> layers = object->objects("layers");
    if (!layers)
        return std::nullopt;
    for (const JsonObject& layer : *layers) {
        const Result<std::optional<std::string>> type = layer.optionalText("mediaType");
        const Result<std::optional<std::string>> digest = layer.optionalText("digest");
        if (type && *type == "application/vnd.ollama.image.model" && digest && *digest)
            return **digest;
    }
    return std::nullopt;
}

/// registry.ollama.ai/library/llama3/8b is "llama3:8b"; another namespace and another registry are named.
std::string ollamaName(const fs::path& manifest, const fs::path& manifests)
{
    const fs::path relative = manifest.lexically_relative(manifests);
    std::vector<std::string> words;
    for (const fs::path& word : relative)
        words.push_back(word.string());
    std::size_t first = 0;
    if (words.size() > 3 && words[0] == "registry.ollama.ai")
        first = words[1] == "library" ? 2 : 1;
    std::string name;
    for (std::size_t word = first; word + 1 < words.size(); ++word)
        name += (name.empty() ? "" : "/") + words[word];
    return name + ":" + words.back();
}

void Search::lookInManifests(const fs::path& models)
{
    const fs::path manifests = models / "manifests";
    std::error_code error;
    std::vector<fs::path> todo{manifests};
    for (std::size_t next = 0; next < todo.size(); ++next) {
        const fs::path folder = todo[next];
        for (const fs::directory_entry& entry : entries(folder)) {
            if (entry.is_directory(error) && !entry.is_symlink(error)) {
                todo.push_back(entry.path());
                continue;
            }
            std::optional<std::string> blob = blobOf(entry.path());
            if (!blob || blob->find('/') != std::string::npos)
                continue;
            std::ranges::replace(*blob, ':', '-');
            const fs::path file = models / "blobs" / *blob;
            if (fs::is_regular_file(file, error))
                add(ollamaName(entry.path(), manifests), file);
        }
    }
}

/// Weight files and model folders anywhere below. Links to folders are not followed: they may lead round in circles.
void Search::lookInTree(const fs::path& folder, const std::string& name, int depth)
{
    const Entries inside = entries(folder);
    const bool isModel = addFolder(folder, inside, name.empty() ? folder.filename().string() : name);
    if (isModel || depth == 0)
        return;
    std::error_code error;
    for (const fs::directory_entry& entry : inside) {
        if (entry.is_directory(error) && !entry.is_symlink(error))
            lookInTree(entry.path(), (name.empty() ? "" : name + "/") + entry.path().filename().string(), depth - 1);
    }
}

/// A folder that the user named may be one that a program keeps.
ModelKeeper keeperOf(const fs::path& folder)
{
    std::error_code error;
    if (fs::is_directory(folder / "manifests", error) && fs::is_directory(folder / "blobs", error))
        return ModelKeeper::Ollama;
    for (fs::directory_iterator next(folder, error), end; !error && next != end; next.increment(error)) {
        if (next->path().filename().string().starts_with(kHubPrefix))
            return ModelKeeper::HuggingFace;
    }
    return ModelKeeper::User;
}

void Search::look(const ModelFolder& folder)
{
    m_keeper = folder.keeper == ModelKeeper::User ? keeperOf(folder.path) : folder.keeper;
    switch (m_keeper) {
    case ModelKeeper::HuggingFace:
        return lookInHub(folder.path);
    case ModelKeeper::Ollama:
        return lookInManifests(folder.path);
    case ModelKeeper::LlamaCpp:
        addFolder(folder.path, entries(folder.path), {});
        return;
    case ModelKeeper::LmStudio:
    case ModelKeeper::User:
        return lookInTree(folder.path, {}, kDeepest);
    }
}

std::vector<LocalModel> Search::take()
{
    std::ranges::stable_sort(m_found, {}, [](const LocalModel& model) { return toLower(model.name); });
    return std::move(m_found);
}

/// Adds the folder if it exists and is not listed already.
void addFolderOf(std::vector<ModelFolder>& folders, ModelKeeper keeper, const fs::path& path)
{
    std::error_code error;
    const auto isIt = [&](const ModelFolder& folder) {
        std::error_code unknown;
        return fs::equivalent(folder.path, path, unknown);
    };
    if (fs::is_directory(path, error) && std::ranges::none_of(folders, isIt))
        folders.push_back({keeper, path});
}

} // namespace

std::string_view name(ModelKeeper keeper)
{
    constexpr std::array<std::string_view, 5> kNames{"Hugging Face", "LM Studio", "Ollama", "llama.cpp", ""};
    return kNames.at(static_cast<std::size_t>(keeper));
}

std::optional<std::string> processEnvironment(const char* name)
{
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

std::vector<ModelFolder> modelFolders(const Environment& environment)
{
    std::vector<ModelFolder> folders;
    std::optional<std::string> home = environment("HOME");
    if (!home)
        home = environment("USERPROFILE");
    const auto under = [](const std::optional<std::string>& folder, const char* path) {
        return folder ? fs::path(*folder) / path : fs::path();
    };
    std::optional<std::string> cache = environment("XDG_CACHE_HOME");
    if (!cache && home)
        cache = under(home, ".cache").string();
    const auto add = [&](ModelKeeper keeper, const fs::path& path) {
        if (!path.empty())
            addFolderOf(folders, keeper, path);
    };
    const std::optional<std::string> hub = environment("HF_HUB_CACHE");
    const std::optional<std::string> face = environment("HF_HOME");
    add(ModelKeeper::HuggingFace, hub ? fs::path(*hub) : face ? under(face, "hub") : under(cache, "huggingface/hub"));
    const std::string pointer{home ? trimmed(noteAt(under(home, ".lmstudio-home-pointer"))) : std::string_view()};
    if (!pointer.empty())
        add(ModelKeeper::LmStudio, fs::path(pointer) / "models");
    add(ModelKeeper::LmStudio, under(home, ".lmstudio/models"));
    add(ModelKeeper::LmStudio, under(home, ".cache/lm-studio/models"));
    if (const std::optional<std::string> ollama = environment("OLLAMA_MODELS"))
        add(ModelKeeper::Ollama, *ollama);
    add(ModelKeeper::Ollama, under(home, ".ollama/models"));
    add(ModelKeeper::Ollama, "/usr/share/ollama/.ollama/models");
    const std::optional<std::string> llama = environment("LLAMA_CACHE");
    add(ModelKeeper::LlamaCpp, llama ? fs::path(*llama) : under(cache, "llama.cpp"));
    add(ModelKeeper::LlamaCpp, under(home, "Library/Caches/llama.cpp"));
    return folders;
}

std::vector<LocalModel> findLocalModels(std::span<const ModelFolder> folders, const std::stop_token& stop)
{
    Search search(stop);
    for (const ModelFolder& folder : folders)
        search.look(folder);
    return search.take();
}

} // namespace core::readers
