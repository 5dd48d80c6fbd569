// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/safetensors/safetensors_index.h"

#include "core/readers/read_error.h"

#include <nlohmann/json.hpp>

#include <unordered_map>

namespace core::readers {

namespace {

constexpr std::size_t kMostFiles = 65'535;

/// A name in the same folder.
bool isPlainName(std::string_view name)
{
    return !name.empty() && name != "." && name != ".." && name.find_first_of("/\\") == std::string_view::npos &&
           name.find('\0') == std::string_view::npos;
}

/// Takes the map from the JSON as it is parsed, without keeping it.
class IndexHandler {
public:
    explicit IndexHandler(std::string_view file) : m_file(file) {}

    bool found() const { return m_found; }
    SafetensorsIndex take() { return std::move(m_index); }

    // NOLINTBEGIN(readability-identifier-naming): the names that nlohmann_json calls
    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_integer(std::int64_t) { return value(); }
    bool number_float(double, const std::string&) { return value(); }
    bool binary(nlohmann::json::binary_t&) { return value(); }
    bool number_unsigned(std::uint64_t number)
    {
        if (m_depth == 2 && m_part == "metadata" && m_key == "total_size" && number >> 62U == 0)
            m_index.totalBytes = static_cast<std::int64_t>(number);
        return value();
    }
    bool string(std::string& text);
    bool start_object(std::size_t) { return deeper(); }
    bool start_array(std::size_t) { return deeper(); }
    bool end_object() { return end(); }
    bool end_array() { return end(); }
    bool key(std::string& name)
    {
        if (m_depth == 1) {
            m_part = name;
            m_found = m_found || name == "weight_map";
        }
        if (m_depth == 2)
            m_key = std::move(name);
        return true;
    }
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&)
    {
        stop(KV_TEXT("core", "{0} is no valid JSON at byte {1}; nothing was changed; download it again."),
             {static_cast<std::int64_t>(position)});
    }
    // NOLINTEND(readability-identifier-naming)

private:
    bool inMap() const { return m_depth == 2 && m_part == "weight_map"; }
    [[noreturn]] void stop(std::string_view text, std::vector<Value> more = {})
    {
        more.insert(more.begin(), std::string(m_file));
        refuse(text, std::move(more));
    }
    [[noreturn]] void wrong()
    {
        stop(KV_TEXT("core", "In {0}, \"weight_map\" gives no file for \"{1}\"; nothing was changed; download "
                             "it again."),
             {m_key});
    }
    bool value()
    {
        if (inMap())
            wrong();
        return true;
    }
    bool deeper()
    {
        constexpr int kDeepest = 200;
        if (inMap() || m_depth >= kDeepest)
            wrong();
        ++m_depth;
        return true;
    }
    bool end()
    {
        --m_depth;
        return true;
    }

    std::string_view m_file;
    SafetensorsIndex m_index;
    std::unordered_map<std::string, std::size_t> m_files;
    bool m_found = false;
    int m_depth = 0;
    std::string m_part; ///< key at the top
    std::string m_key;  ///< key inside it
};

bool IndexHandler::string(std::string& text)
{
    if (!inMap())
        return true;
    const auto found = m_files.find(text);
    if (found != m_files.end()) {
        m_index.tensors.emplace_back(std::move(m_key), found->second);
        return true;
    }
    if (!isPlainName(text))
        stop(KV_TEXT("core", "In {0}, \"weight_map\" names \"{1}\", which is no file beside it; nothing was "
                             "changed; download it again."),
             {text.substr(0, 200)});
    if (m_index.files.size() >= kMostFiles)
        stop(KV_TEXT("core", "{0} names more than {1} files; nothing was changed; download it again."),
             {static_cast<std::int64_t>(kMostFiles)});
    m_index.tensors.emplace_back(std::move(m_key), m_index.files.size());
    m_files.emplace(text, m_index.files.size());
    m_index.files.push_back(std::move(text));
    return true;
}

std::optional<SafetensorsIndex> readIndex(std::string_view text, std::string_view file)
{
    if (text.find("\"weight_map\"") == std::string_view::npos)
        return std::nullopt;
    IndexHandler handler(file);
    const Result<bool> parsed = asResult([&] { return nlohmann::json::sax_parse(text.begin(), text.end(), &handler); });
    if (!handler.found()) // what is wrong before a map is for whoever reads the text as something else
        return std::nullopt;
    valueOf(parsed);
    SafetensorsIndex index = handler.take();
    if (index.tensors.empty())
        refuse(KV_TEXT("core", "{0} is the index of a safetensors model, but its \"weight_map\" names no tensor; "
                               "nothing was changed; download it again."),
               {std::string(file)});
    return index;
}

} // namespace

Result<std::optional<SafetensorsIndex>> readSafetensorsIndex(std::string_view text, std::string_view file)
{
    return asResult([&] { return readIndex(text, file); });
}

} // namespace core::readers
