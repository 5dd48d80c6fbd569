// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/safetensors/safetensors_header.h"

#include "core/readers/read_error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <optional>
#include <unordered_set>

namespace core::readers {

namespace {

constexpr std::int64_t kMaxHeader = 100'000'000;
constexpr std::int64_t kLengthBytes = 8;
constexpr std::size_t kMaxTensors = 2'000'000;

constexpr std::array kTypes{
    SafeType{"BOOL", 8},    SafeType{"U8", 8},      SafeType{"I8", 8},          SafeType{"F8_E5M2", 8},
    SafeType{"F8_E4M3", 8}, SafeType{"F8_E8M0", 8}, SafeType{"F8_E4M3FNUZ", 8}, SafeType{"F8_E5M2FNUZ", 8},
    SafeType{"I16", 16},    SafeType{"U16", 16},    SafeType{"F16", 16},        SafeType{"BF16", 16},
    SafeType{"I32", 32},    SafeType{"U32", 32},    SafeType{"F32", 32},        SafeType{"C64", 64},
    SafeType{"F64", 64},    SafeType{"I64", 64},    SafeType{"U64", 64},        SafeType{"F4", 4},
    SafeType{"F6_E2M3", 6}, SafeType{"F6_E3M2", 6},
};

/// Takes the tensors from the header's JSON as it is parsed, without keeping it.
class HeaderHandler {
public:
    HeaderHandler(std::string_view file, std::vector<SafeTensor>& tensors) : m_file(file), m_tensors(tensors) {}

    // NOLINTBEGIN(readability-identifier-naming): the names that nlohmann_json calls
    bool null() { return value(); }
    bool boolean(bool) { return value(); }
    bool number_float(double, const std::string&) { return value(); }
    bool binary(nlohmann::json::binary_t&) { return value(); }
    bool number_integer(std::int64_t number)
    {
        return number < 0 ? value() : number_unsigned(static_cast<std::uint64_t>(number));
    }
    bool number_unsigned(std::uint64_t number);
    bool string(std::string& text);
    bool start_object(std::size_t);
    bool end_object();
    bool key(std::string& name);
    bool start_array(std::size_t);
    bool end_array();
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception&)
    {
        stop(KV_TEXT("core", "{0} is damaged: its header is no valid JSON at byte {1}; nothing was changed; "
                             "download it again."),
             {static_cast<std::int64_t>(position) + kLengthBytes});
    }
    // NOLINTEND(readability-identifier-naming)

private:
    enum class Field : std::uint8_t { Other, Type, Shape, Offsets };

    [[noreturn]] void stop(std::string_view text, std::vector<Value> more = {})
    {
        more.insert(more.begin(), std::string(m_file));
        refuse(text, std::move(more));
    }
    [[noreturn]] void wrong()
    {
        stop(KV_TEXT("core", "{0} is damaged: what its header says of the tensor \"{1}\" cannot be read; nothing "
                             "was changed; download it again."),
             {m_tensor.name});
    }
    /// A value that is none of those that are asked for.
    bool value()
    {
        if (!m_metadata && (m_depth <= 1 || m_field != Field::Other))
            wrong();
        return true;
    }
    bool finish();

    std::string_view m_file;
    std::vector<SafeTensor>& m_tensors;
    int m_depth = 0;
    int m_lists = 0;
    bool m_metadata = false; ///< inside "__metadata__"
    Field m_field = Field::Other;
    SafeTensor m_tensor;
    std::size_t m_offsets = 0;
    bool m_hasShape = false;
    bool m_tooLarge = false;
};

bool HeaderHandler::number_unsigned(std::uint64_t number)
{
    if (m_metadata || m_lists != 1 || m_field == Field::Other || m_field == Field::Type)
        return value();
    if (number >> 62U != 0)
        wrong();
    const auto count = static_cast<std::int64_t>(number);
    if (m_field == Field::Shape) {
        m_tooLarge = __builtin_mul_overflow(m_tensor.elements, count, &m_tensor.elements) || m_tooLarge;
        return true;
    }
    if (m_offsets >= 2)
        wrong();
    (m_offsets == 0 ? m_tensor.begin : m_tensor.end) = count;
    ++m_offsets;
    return true;
}

bool HeaderHandler::string(std::string& text)
{
    if (m_metadata || m_field != Field::Type || m_lists != 0)
        return value();
    const auto* const type = std::ranges::find(kTypes, std::string_view(text), &SafeType::name);
    if (type == kTypes.end())
        stop(KV_TEXT("core", "In {0}, the tensor \"{1}\" has the type \"{2}\", which is not known, so the "
                             "weights cannot be counted; nothing was changed; choose the model's config.json."),
             {m_tensor.name, text.substr(0, 40)});
    m_tensor.type = type;
    return true;
}

bool HeaderHandler::start_object(std::size_t)
{
    constexpr int kDeepest = 8;
    ++m_depth;
    if (m_depth > kDeepest || (m_depth > 2 && m_field != Field::Other && !m_metadata) || m_lists > 0)
        wrong();
    if (m_depth == 2 && !m_metadata) {
        m_field = Field::Other;
        m_tensor.type = nullptr;
        m_tensor.elements = 1;
        m_offsets = 0;
        m_hasShape = false;
        m_tooLarge = false;
    }
    return true;
}

bool HeaderHandler::key(std::string& name)
{
    if (m_depth == 1) {
        m_metadata = name == "__metadata__";
        m_tensor.name = m_metadata ? std::string() : std::move(name);
    } else if (m_depth == 2) {
        m_field = name == "dtype"          ? Field::Type
                  : name == "shape"        ? Field::Shape
                  : name == "data_offsets" ? Field::Offsets
                                           : Field::Other;
    }
    return true;
}

bool HeaderHandler::start_array(std::size_t)
{
    if (m_depth < 2)
        wrong();
    ++m_lists;
    if (m_metadata || m_field == Field::Other) {
        if (m_lists >= 8)
            wrong();
        return true;
    }
    m_hasShape = m_hasShape || m_field == Field::Shape;
    if (m_lists != 1 || m_field == Field::Type)
        wrong();
    return true;
}

bool HeaderHandler::end_array()
{
    --m_lists;
    return true;
}

/// Checks a tensor that is read whole, and keeps it.
bool HeaderHandler::finish()
{
    if (m_tensor.type == nullptr || !m_hasShape || m_offsets != 2 || m_tensor.end < m_tensor.begin)
        wrong();
    std::int64_t bits = 0;
    m_tooLarge = __builtin_mul_overflow(m_tensor.elements, m_tensor.type->bits, &bits) || m_tooLarge;
    if (m_tooLarge || bits % 8 != 0 || bits / 8 != m_tensor.bytes())
        stop(KV_TEXT("core", "In {0}, the shape of the tensor \"{1}\" does not fit its {2} bytes; nothing was "
                             "changed; download it again."),
             {m_tensor.name, m_tensor.bytes()});
    if (m_tensors.size() >= kMaxTensors)
        stop(KV_TEXT("core", "{0} has more than {1} tensors; nothing was changed; choose another file."),
             {static_cast<std::int64_t>(kMaxTensors)});
    m_tensors.push_back(std::move(m_tensor));
    m_tensor = {};
    return true;
}

bool HeaderHandler::end_object()
{
    --m_depth;
    if (m_depth == 1 && !m_metadata)
        return finish();
    return true;
}

/// Tensors must follow each other without hole or overlap, and end where the file ends.
void checkPlaces(std::vector<SafeTensor>& tensors, std::string_view file, std::optional<std::int64_t> dataBytes)
{
    const auto place = [](const SafeTensor& tensor) { return std::pair(tensor.begin, tensor.end); };
    std::ranges::stable_sort(tensors, {}, place);
    std::int64_t end = 0;
    for (const SafeTensor& tensor : tensors) {
        if (tensor.begin != end)
            refuse(KV_TEXT("core", "In {0}, the tensor \"{1}\" begins at {2} of the data, but the one before it "
                                   "ends at {3}: tensors overlap or leave a hole; nothing was changed; download "
                                   "it again."),
                   {std::string(file), tensor.name, tensor.begin, end});
        end = tensor.end;
    }
    if (dataBytes && end != *dataBytes)
        refuse(KV_TEXT("core", "{0} is cut short or damaged: its tensors take {1} bytes, but {2} follow the "
                               "header; nothing was changed; download it again."),
               {std::string(file), end, *dataBytes});
}

void checkNames(const std::vector<SafeTensor>& tensors, std::string_view file)
{
    std::unordered_set<std::string_view> names;
    names.reserve(tensors.size());
    for (const SafeTensor& tensor : tensors) {
        if (!names.insert(tensor.name).second)
            refuse(KV_TEXT("core", "{0} has the tensor \"{1}\" twice; nothing was changed; download it again."),
                   {std::string(file), tensor.name});
    }
}

[[noreturn]] void cutShort(std::string_view file)
{
    refuse(KV_TEXT("core", "{0} is cut short: it ends inside its header; nothing was changed; download it again."),
           {std::string(file)});
}

std::uint64_t lengthIn(std::string_view bytes)
{
    std::uint64_t length = 0; // little endian
    std::memcpy(&length, bytes.data(), sizeof length);
    return length;
}

/// The header's JSON.
std::string readHeaderText(ByteSource& source, std::string_view file)
{
    std::array<char, kLengthBytes> first{};
    if (valueOf(source.read(0, first)) < first.size())
        cutShort(file);
    const std::uint64_t length = lengthIn({first.data(), first.size()});
    if (length > static_cast<std::uint64_t>(kMaxHeader))
        refuse(KV_TEXT("core", "{0} has a header of more than {1} bytes, which the format forbids; nothing was "
                               "changed; download it again."),
               {std::string(file), kMaxHeader});
    if (source.size() && *source.size() - kLengthBytes < static_cast<std::int64_t>(length))
        cutShort(file);
    std::string text(static_cast<std::size_t>(length), '\0');
    std::size_t filled = 0;
    while (filled < text.size()) {
        const std::size_t more =
            valueOf(source.read(kLengthBytes + static_cast<std::int64_t>(filled), std::span(text).subspan(filled)));
        if (more == 0)
            cutShort(file);
        filled += more;
    }
    return text;
}

std::vector<SafeTensor> readHeader(ByteSource& source, std::string_view file)
{
    const std::string text = readHeaderText(source, file);
    std::vector<SafeTensor> tensors;
    HeaderHandler handler(file, tensors);
    nlohmann::json::sax_parse(text.begin(), text.end(), &handler);
    std::optional<std::int64_t> dataBytes = source.size();
    if (dataBytes)
        *dataBytes -= kLengthBytes + static_cast<std::int64_t>(text.size());
    checkPlaces(tensors, file, dataBytes);
    checkNames(tensors, file);
    return tensors;
}

} // namespace

std::span<const SafeType> safeTypes()
{
    return kTypes;
}

bool isSafetensors(std::string_view firstBytes)
{
    return firstBytes.size() > static_cast<std::size_t>(kLengthBytes) && firstBytes[kLengthBytes] == '{' &&
           lengthIn(firstBytes) >> 48U == 0;
}

Result<std::vector<SafeTensor>> readSafetensorsHeader(ByteSource& source, std::string_view file)
{
    return asResult([&] { return readHeader(source, file); });
}

} // namespace core::readers
