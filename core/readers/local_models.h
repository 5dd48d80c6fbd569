// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// Who keeps the models of a folder, and so how they lie in it.
enum class ModelKeeper : std::uint8_t {
    HuggingFace, ///< hub cache: models--ORG--NAME/refs/main, snapshots/COMMIT/files
    LmStudio,    ///< PUBLISHER/MODEL/files
    Ollama,      ///< manifests/REGISTRY/NAMESPACE/MODEL/TAG, blobs/sha256-…
    LlamaCpp,    ///< .gguf files side by side
    User,        ///< a folder that the user named: any files and folders
};

/// "Hugging Face", "LM Studio", "Ollama", "llama.cpp"; a user's folder has no name.
std::string_view name(ModelKeeper keeper);

struct ModelFolder {
    ModelKeeper keeper = ModelKeeper::User;
    std::filesystem::path path;

    friend bool operator==(const ModelFolder&, const ModelFolder&) = default;
};

/// The value of an environment variable; nothing where it is unset or empty.
using Environment = std::function<std::optional<std::string>(const char* name)>;
std::optional<std::string> processEnvironment(const char* name);

/// The folders in which these programs keep models, by their own variables and defaults (HF_HUB_CACHE, HF_HOME,
/// OLLAMA_MODELS, LLAMA_CACHE, XDG_CACHE_HOME, HOME or USERPROFILE); only those that exist.
/// Sources: huggingface_hub "Environment variables"; Ollama FAQ "Where are models stored"; LM Studio "Import models";
/// llama.cpp common/common.cpp fs_get_cache_directory.
std::vector<ModelFolder> modelFolders(const Environment& environment = processEnvironment);

/// A model on this computer, not yet read.
struct LocalModel {
    std::string name; ///< as its keeper names it: "org/name", "llama3:8b", "folder/file"
    ModelKeeper keeper = ModelKeeper::User;
    std::filesystem::path path; ///< a folder with a config.json, or the (first) weight file

    friend bool operator==(const LocalModel&, const LocalModel&) = default;
};

/// Files and folders that are looked at in one search, so that a folder such as "/" ends.
inline constexpr std::size_t kMostVisited = 200'000;

/// The models in these folders, sorted by name. Reads names and Ollama's manifests, no model; never fails: what cannot
/// be read is passed over. Weight files that come in parts are one model; projectors ("mmproj-…") are none. Ends early
/// when `stop` is requested.
std::vector<LocalModel> findLocalModels(std::span<const ModelFolder> folders, const std::stop_token& stop = {});

} // namespace core::readers
