// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/file_kind.h"

#include "core/text/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace core::readers {

namespace {

using namespace std::string_view_literals;

/// A beginning that tells what a file is.
struct Beginning {
    std::string_view bytes; ///< compared with the lower-case file, so in lower case
    std::string_view message;
};

constexpr std::string_view kGguf =
    KV_TEXT("core", "{0} is a GGUF file and no text; nothing was changed; open it as a file.");
constexpr std::string_view kSafetensors =
    KV_TEXT("core", "{0} is a safetensors file and no text; nothing was changed; open it as a file.");
constexpr std::string_view kCheckpoint =
    KV_TEXT("core", "{0} is a PyTorch checkpoint or an archive, which KV Horizon does not read; nothing was changed; "
                    "choose the model's config.json or a catalogue model.");
constexpr std::string_view kPointer =
    KV_TEXT("core", "{0} is a Git LFS pointer and not the file itself; nothing was changed; fetch the file with "
                    "\"git lfs pull\" or download it again.");
constexpr std::string_view kWebPage =
    KV_TEXT("core", "{0} is a web page (HTML) and not a JSON file; nothing was changed; download the raw file instead "
                    "of its page.");
constexpr std::string_view kRefusal =
    KV_TEXT("core", "{0} holds the answer \"{1}\" of a server instead of a model description; nothing was changed; "
                    "check the address and your access and download it again.");
constexpr std::string_view kMergeMarker =
    KV_TEXT("core", "{0} begins with a Git merge marker; nothing was changed; resolve the merge and try again.");
constexpr std::string_view kBinary =
    KV_TEXT("core", "{0} is a binary file and not JSON; nothing was changed; choose a config.json, a model "
                    "description or a catalogue model.");
constexpr std::string_view kOtherText =
    KV_TEXT("core", "{0} begins with \"{1}\" and is no JSON object; nothing was changed; choose a config.json, a model "
                    "description or a catalogue model.");

constexpr std::array kBeginnings{
    Beginning{"gguf"sv, kGguf},
    Beginning{"pk\x03\x04"sv, kCheckpoint},
    Beginning{"\x80\x02"sv, kCheckpoint},
    Beginning{"version https://git-lfs"sv, kPointer},
    Beginning{"<!doctype"sv, kWebPage},
    Beginning{"<html"sv, kWebPage},
    Beginning{"<?xml"sv, kWebPage},
    Beginning{"<<<<<<<"sv, kMergeMarker},
    Beginning{"entry not found"sv, kRefusal},
    Beginning{"not found"sv, kRefusal},
    Beginning{"404"sv, kRefusal},
    Beginning{"repository not found"sv, kRefusal},
    Beginning{"invalid username"sv, kRefusal},
    Beginning{"invalid credentials"sv, kRefusal},
    Beginning{"access to model"sv, kRefusal},
    Beginning{"unauthorized"sv, kRefusal},
};

/// A safetensors file begins with the length of its header (8 bytes, the upper ones 0) and the header, an object.
bool isSafetensors(std::string_view bytes)
{
    return bytes.size() > 8 && bytes[8] == '{' && bytes.substr(4, 4) == "\0\0\0\0"sv;
}

bool isText(std::string_view bytes)
{
    return std::ranges::none_of(bytes, [](char c) {
        const auto code = static_cast<unsigned char>(c);
        return code < 32 && c != '\t' && c != '\n' && c != '\r' && c != '\f';
    });
}

/// The first line, cut to 40 bytes (not inside a UTF-8 letter).
std::string firstLine(std::string_view text)
{
    std::size_t length = std::min({text.find_first_of("\r\n"), text.size(), std::size_t{40}});
    while (length > 0 && length < text.size() && (static_cast<unsigned char>(text[length]) & 0xC0U) == 0x80U)
        --length;
    return std::string(text.substr(0, length));
}

} // namespace

std::optional<Message> notJson(std::string_view bytes, std::string_view file)
{
    const std::string name(file);
    if (isSafetensors(bytes))
        return Message{kSafetensors, {name}};
    if (bytes.starts_with("\xEF\xBB\xBF"))
        bytes.remove_prefix(3);
    bytes.remove_prefix(std::min(bytes.find_first_not_of(" \t\r\n"), bytes.size()));
    if (bytes.starts_with('{') || bytes.starts_with('['))
        return std::nullopt;
    const std::string lower = toLower(bytes.substr(0, 64));
    for (const Beginning& beginning : kBeginnings) {
        if (lower.starts_with(beginning.bytes))
            return Message{beginning.message, {name, firstLine(bytes)}};
    }
    if (!isText(bytes.substr(0, 4096)))
        return Message{kBinary, {name}};
    return Message{kOtherText, {name, firstLine(bytes)}};
}

} // namespace core::readers
