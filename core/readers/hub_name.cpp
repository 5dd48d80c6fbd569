// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/hub_name.h"

#include "core/readers/json/json_reader.h"
#include "core/readers/read_error.h"
#include "core/text/text.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace core::readers {

namespace {

constexpr std::array<std::string_view, 3> kPages{"https://huggingface.co/", "https://hf.co/", "http://huggingface.co/"};
constexpr std::size_t kLongestName = 200;

/// Letters, digits, "-", "_" and "." as in the names of repositories; `also` allows more.
bool isWord(std::string_view word, std::string_view also = {})
{
    const auto isAllowed = [&](char letter) {
        const bool isAlphanumeric =
            (letter >= '0' && letter <= '9') || (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z');
        return isAlphanumeric || letter == '-' || letter == '_' || letter == '.' ||
               also.find(letter) != std::string_view::npos;
    };
    return !word.empty() && word.size() <= kLongestName && word.find("..") == std::string_view::npos &&
           std::ranges::all_of(word, isAllowed);
}

/// A path inside a repository that stays there.
bool isPath(std::string_view path)
{
    const auto isControl = [](char letter) { return static_cast<unsigned char>(letter) < ' ' || letter == '\\'; };
    return !path.empty() && path.size() <= 4 * kLongestName && path.front() != '/' && path.back() != '/' &&
           path.find("..") == std::string_view::npos && path.find("//") == std::string_view::npos &&
           std::ranges::none_of(path, isControl);
}

bool isRepository(std::string_view name)
{
    const std::size_t slash = name.find('/');
    if (slash == std::string_view::npos)
        return isWord(name);
    return isWord(name.substr(0, slash)) && isWord(name.substr(slash + 1));
}

/// "ORG/NAME/blob/REVISION/FILE" of a page's address.
HubName ofPage(std::string_view path)
{
    path = path.substr(0, path.find_first_of("?#"));
    HubName name;
    for (const std::string_view mark : {"/tree/", "/blob/", "/resolve/"}) {
        const std::size_t at = path.find(mark);
        if (at == std::string_view::npos)
            continue;
        const std::string_view rest = path.substr(at + mark.size());
        const std::size_t slash = rest.find('/');
        name.revision = rest.substr(0, slash);
        if (mark != "/tree/" && slash != std::string_view::npos)
            name.file = rest.substr(slash + 1);
        path = path.substr(0, at);
    }
    while (path.ends_with('/'))
        path.remove_suffix(1);
    name.repository = path;
    return name;
}

HubName ofWords(std::string_view text)
{
    HubName name;
    if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
        name.file = text.substr(colon + 1);
        if (name.file.empty())
            name.repository = "?"; // a colon and nothing behind it
        text = text.substr(0, colon);
    }
    const std::size_t at = text.find('@');
    if (at != std::string_view::npos)
        name.revision = text.substr(at + 1);
    if (name.repository.empty())
        name.repository = text.substr(0, at);
    return name;
}

/// What follows the beginning of a page's address; nothing where it is none.
std::optional<std::string_view> pageOf(std::string_view text)
{
    for (const std::string_view page : kPages) {
        if (text.starts_with(page))
            return text.substr(page.size());
    }
    return std::nullopt;
}

} // namespace

bool looksLikeHubName(std::string_view text)
{
    text = trimmed(text);
    return text.starts_with(kHubScheme) || pageOf(text).has_value();
}

Result<HubName> readHubName(std::string_view text)
{
    const std::string_view whole = trimmed(text);
    const std::optional<std::string_view> page = pageOf(whole);
    HubName name;
    if (page)
        name = ofPage(*page);
    else if (whole.starts_with(kHubScheme))
        name = ofWords(whole.substr(kHubScheme.size()));
    if (!isRepository(name.repository) || !isWord(name.revision, "/") || (!name.file.empty() && !isPath(name.file)))
        return fail(KV_TEXT("core", "\"{0}\" names no model on a hub; write \"hf:ORG/NAME\", with \"@REVISION\" or "
                                    "\":FILE\" behind it where it is needed."),
                    {std::string(whole.substr(0, kLongestName))});
    return name;
}

std::string toText(const HubName& name)
{
    std::string text = std::string(kHubScheme) + name.repository;
    if (name.revision != HubName().revision)
        text += "@" + name.revision;
    return name.file.empty() ? text : text + ":" + name.file;
}

Result<HubListing> readHubListing(std::string_view text, std::string_view name)
{
    return asResult([&] {
        const JsonDocument document = valueOf(parseJson(text, name));
        const JsonFields object = valueOf(document.root(UnknownKeys::Ignore));
        HubListing listing{object.text("sha"), {}};
        if (!isWord(listing.commit))
            refuse(KV_TEXT("core",
                           "The answer for {0} names \"{1}\" as its commit, which is none; nothing was changed; "
                           "check that HF_ENDPOINT is a hub."),
                   {std::string(name), listing.commit.substr(0, kLongestName)});
        for (const JsonFields& file : object.objects("siblings")) {
            std::string path = file.text("rfilename");
            if (isPath(path))
                listing.files.push_back(std::move(path));
        }
        std::ranges::sort(listing.files);
        return listing;
    });
}

} // namespace core::readers
