// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace core::readers {

/// What names of models on a hub begin with: "hf:org/name".
inline constexpr std::string_view kHubScheme = "hf:";

/// A model on a hub.
struct HubName {
    std::string repository;        ///< "org/name"; "gpt2"
    std::string revision = "main"; ///< branch, tag or commit
    std::string file;              ///< of several in the repository, the one that is meant; empty: the model itself

    friend bool operator==(const HubName&, const HubName&) = default;
};

/// True for texts that mean a model on a hub: "hf:…", or the address of its page.
bool looksLikeHubName(std::string_view text);

/// Reads "hf:ORG/NAME", "hf:ORG/NAME@REVISION", either with ":FILE" behind it, or the address of the model's page
/// ("https://huggingface.co/ORG/NAME", with "/tree/REVISION" or "/blob/REVISION/FILE"). The error says how names are
/// written.
Result<HubName> readHubName(std::string_view text);

/// As it is written: "hf:org/name@revision:file", without what is the default.
std::string toText(const HubName& name);

/// What a hub says of a revision: its commit and the names of its files.
struct HubListing {
    std::string commit;
    std::vector<std::string> files; ///< sorted; without those whose names lead out of the repository

    friend bool operator==(const HubListing&, const HubListing&) = default;
};

/// Reads the answer of "/api/models/REPOSITORY/revision/REVISION"; `name` is what it is called in messages. Source:
/// the hub's API, fields "sha" and "siblings[].rfilename".
Result<HubListing> readHubListing(std::string_view text, std::string_view name);

} // namespace core::readers
