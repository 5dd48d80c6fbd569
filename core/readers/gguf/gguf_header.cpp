// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/gguf/gguf_header.h"

#include "core/readers/gguf/gguf_cursor.h"
#include "core/readers/read_error.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <unordered_set>

namespace core::readers {

namespace {

constexpr std::uint64_t kMaxKeys = 65'536;
constexpr std::uint64_t kMaxTensors = 1'000'000;
constexpr std::uint64_t kMaxKeyBytes = 65'535;
constexpr std::uint64_t kMaxNameBytes = 1'024;
constexpr std::uint64_t kMaxDims = 4;
/// Texts and lists up to these lengths are kept; those that anyone asks for are shorter.
constexpr std::uint64_t kKeptText = 4'096;
constexpr std::uint64_t kKeptList = 65'536;
constexpr std::uint64_t kKeptNumbers = 4'000'000; ///< in all lists together

constexpr std::string_view kTooManyTensors = KV_TEXT(
    "core", "{0} says at byte {1} that {2} tensors follow, but it has only {3} bytes left; nothing was changed; "
            "download it again.");
constexpr std::string_view kTooManyKeys =
    KV_TEXT("core", "{0} says at byte {1} that {2} keys follow, but it has only {3} bytes left; nothing was changed; "
                    "download it again.");
constexpr std::string_view kTooManyEntries =
    KV_TEXT("core", "{0} says at byte {1} that a list of {2} entries follows, but it has only {3} bytes left; nothing "
                    "was changed; download it again.");

/// The types of values, by their numbers in files.
enum class ValueType : std::uint8_t { U8, I8, U16, I16, U32, I32, F32, Bool, Text, List, U64, I64, F64 };

constexpr std::array<std::uint64_t, 13> kWidths{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};

/// Reads the keys and values of a header.
class ValueReader {
public:
    ValueReader(GgufCursor& cursor, GgufHeader& header) : m_cursor(cursor), m_header(header) {}

    void readAll(std::uint64_t count)
    {
        for (std::uint64_t i = 0; i < count; ++i)
            readOne();
    }
    nlohmann::json take() { return std::move(m_values); }

private:
    void readOne()
    {
        std::string key(m_cursor.text(kMaxKeyBytes));
        const ValueType type = readType(key);
        if (m_values.contains(key))
            m_cursor.fail(KV_TEXT("core", "{0} has the key \"{1}\" twice; nothing was changed; download it "
                                          "again."),
                          {std::move(key)});
        if (type == ValueType::Text)
            readText(key);
        else if (type == ValueType::List)
            readList(key);
        else
            m_values[std::move(key)] = readNumber(type);
    }

    ValueType readType(const std::string& key)
    {
        const auto number = m_cursor.number<std::uint32_t>();
        if (number >= kWidths.size())
            m_cursor.fail(KV_TEXT("core", "In {0}, the value of \"{1}\" has the type {2}, which is not known; nothing "
                                          "was changed; download it again."),
                          {key, std::int64_t{number}});
        return static_cast<ValueType>(number);
    }

    nlohmann::json readNumber(ValueType type)
    {
        switch (type) {
        case ValueType::U8:
            return m_cursor.number<std::uint8_t>();
        case ValueType::I8:
            return m_cursor.number<std::int8_t>();
        case ValueType::U16:
            return m_cursor.number<std::uint16_t>();
        case ValueType::I16:
            return m_cursor.number<std::int16_t>();
        case ValueType::U32:
            return m_cursor.number<std::uint32_t>();
        case ValueType::I32:
            return m_cursor.number<std::int32_t>();
        case ValueType::F32:
            return m_cursor.number<float>();
        case ValueType::Bool:
            return m_cursor.number<std::uint8_t>() != 0;
        case ValueType::U64:
            return m_cursor.number<std::uint64_t>();
        case ValueType::I64:
            return m_cursor.number<std::int64_t>();
        case ValueType::F64:
            return m_cursor.number<double>();
        default:
            return nullptr;
        }
    }

    void readText(const std::string& key)
    {
        const std::string_view text = m_cursor.text(std::numeric_limits<std::uint64_t>::max());
        if (text.size() <= kKeptText)
            m_values[key] = text;
    }

    void readList(const std::string& key)
    {
        const ValueType type = readType(key);
        const auto count = m_cursor.number<std::uint64_t>();
        if (key == "tokenizer.ggml.tokens")
            m_header.tokens = static_cast<std::int64_t>(std::min(count, std::uint64_t{1} << 40U));
        if (type == ValueType::List)
            m_cursor.fail(KV_TEXT("core", "In {0}, \"{1}\" is a list of lists, which GGUF files do not have; "
                                          "nothing was changed; download it again."),
                          {key});
        const bool kept = !key.starts_with("tokenizer.") && count <= kKeptList && m_kept + count <= kKeptNumbers;
        const bool texts = type == ValueType::Text;
        const std::uint64_t width = texts ? sizeof(std::uint64_t) : kWidths.at(static_cast<std::size_t>(type));
        m_cursor.checkCount(count, width, kTooManyEntries);
        if (texts && kept && count <= kKeptShortTexts)
            return readTexts(key, count);
        if (texts)
            return m_cursor.skipTexts(count);
        if (!kept)
            return m_cursor.skip(count, width);
        m_kept += count;
        nlohmann::json list = nlohmann::json::array();
        for (std::uint64_t i = 0; i < count; ++i)
            list.push_back(readNumber(type));
        m_values[key] = std::move(list);
    }

    /// Short lists of texts, such as a kind for each layer.
    void readTexts(const std::string& key, std::uint64_t count)
    {
        m_kept += count;
        nlohmann::json list = nlohmann::json::array();
        for (std::uint64_t i = 0; i < count; ++i) {
            const std::string_view text = m_cursor.text(std::numeric_limits<std::uint64_t>::max());
            list.push_back(text.substr(0, kKeptShortText));
        }
        m_values[key] = std::move(list);
    }

    static constexpr std::uint64_t kKeptShortTexts = 1'024;
    static constexpr std::size_t kKeptShortText = 64;

    GgufCursor& m_cursor;
    GgufHeader& m_header;
    nlohmann::json m_values = nlohmann::json::object();
    std::uint64_t m_kept = 0;
};

/// Elements of a tensor, and its bytes: rows of whole blocks.
void readShape(GgufCursor& cursor, GgufTensor& tensor, const std::array<std::int64_t, kMaxDims>& dims)
{
    std::int64_t rows = 1;
    bool tooLarge = false;
    for (std::size_t i = 1; i < dims.size(); ++i)
        tooLarge = __builtin_mul_overflow(rows, dims[i], &rows) || tooLarge;
    if (dims[0] % tensor.type->blockElements != 0)
        cursor.fail(KV_TEXT("core", "In {0}, the rows of the tensor \"{1}\" have {2} elements, which are no "
                                    "whole blocks of the type {3}; nothing was changed; download it again."),
                    {tensor.name, dims[0], std::string(tensor.type->name)});
    std::int64_t row = dims[0] / tensor.type->blockElements;
    tooLarge = __builtin_mul_overflow(row, tensor.type->blockBytes, &row) || tooLarge;
    tooLarge = __builtin_add_overflow(row, tensor.type->rowBytes, &row) || tooLarge;
    tooLarge = __builtin_mul_overflow(row, rows, &tensor.bytes) || tooLarge;
    tooLarge = __builtin_mul_overflow(dims[0], rows, &tensor.elements) || tooLarge;
    if (tooLarge)
        cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" has more elements than can be counted; nothing was "
                                    "changed; download it again."),
                    {tensor.name});
}

void readType(GgufCursor& cursor, GgufTensor& tensor)
{
    const auto id = cursor.number<std::uint32_t>();
    tensor.type = ggmlType(id);
    if (tensor.type == nullptr)
        cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" has the type {2}, which is not known, so the "
                                    "weights cannot be counted; nothing was changed; choose another "
                                    "quantisation of the model."),
                    {tensor.name, std::int64_t{id}});
    if (tensor.type->blockElements == 0)
        cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" has the type {2}, which was removed from GGUF; nothing "
                                    "was changed; choose another quantisation of the model."),
                    {tensor.name, std::string(tensor.type->name)});
}

GgufTensor readTensor(GgufCursor& cursor)
{
    GgufTensor tensor;
    tensor.name = cursor.text(kMaxNameBytes);
    const auto count = cursor.number<std::uint32_t>();
    if (count > kMaxDims)
        cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" has {2} dimensions, but at most {3} are allowed; "
                                    "nothing was changed; download it again."),
                    {tensor.name, std::int64_t{count}, static_cast<std::int64_t>(kMaxDims)});
    std::array<std::int64_t, kMaxDims> dims{1, 1, 1, 1};
    for (std::size_t i = 0; i < count; ++i) {
        dims.at(i) = cursor.number<std::int64_t>();
        if (dims.at(i) < 0)
            cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" has a dimension of {2}; nothing was changed; "
                                        "download it again."),
                        {tensor.name, dims.at(i)});
    }
    readType(cursor, tensor);
    readShape(cursor, tensor, dims);
    const auto offset = cursor.number<std::uint64_t>();
    if (offset >> 62U != 0)
        cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" begins beyond the end of any file; nothing was "
                                    "changed; download it again."),
                    {tensor.name});
    tensor.offset = static_cast<std::int64_t>(offset);
    return tensor;
}

/// general.alignment, a power of two; 32 where it is not given.
std::int64_t alignmentOf(GgufCursor& cursor, const nlohmann::json& values)
{
    constexpr std::int64_t kDefault = 32;
    const auto found = values.find("general.alignment");
    if (found == values.end())
        return kDefault;
    const std::uint64_t value = found->is_number_unsigned() ? found->get<std::uint64_t>() : 0;
    if (value == 0 || (value & (value - 1)) != 0 || value > std::numeric_limits<std::uint32_t>::max())
        cursor.fail(KV_TEXT("core", "In {0}, \"general.alignment\" is {1}, but it must be a power of two; nothing was "
                                    "changed; download it again."),
                    {found->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace).substr(0, 40)});
    return static_cast<std::int64_t>(value);
}

/// Checks that each tensor begins at a multiple of the alignment, behind the one before it, and ends in the file.
void checkPlaces(GgufCursor& cursor, const GgufHeader& header, std::int64_t alignment, std::optional<std::int64_t> size)
{
    std::vector<const GgufTensor*> inOrder;
    for (const GgufTensor& tensor : header.tensors)
        inOrder.push_back(&tensor);
    std::ranges::stable_sort(inOrder, {}, &GgufTensor::offset);
    const GgufTensor* before = nullptr;
    for (const GgufTensor* tensor : inOrder) {
        if (tensor->offset % alignment != 0)
            cursor.fail(KV_TEXT("core", "In {0}, the tensor \"{1}\" begins at {2}, which is no multiple of the "
                                        "alignment {3}; nothing was changed; download it again."),
                        {tensor->name, tensor->offset, alignment});
        if (before != nullptr && before->bytes > tensor->offset - before->offset)
            cursor.fail(KV_TEXT("core", "In {0}, the tensors \"{1}\" and \"{2}\" overlap; nothing was changed; "
                                        "download it again."),
                        {before->name, tensor->name});
        std::int64_t end = 0;
        const bool tooFar = __builtin_add_overflow(header.dataStart + tensor->offset, tensor->bytes, &end);
        if (tooFar || (size && end > *size))
            cursor.fail(KV_TEXT("core", "{0} is cut short or damaged: the tensor \"{1}\" ends beyond the end of "
                                        "the file; nothing was changed; download it again."),
                        {tensor->name});
        before = tensor;
    }
}

void readTensors(GgufCursor& cursor, std::uint64_t count, GgufHeader& header)
{
    std::unordered_set<std::string> names;
    header.tensors.reserve(static_cast<std::size_t>(count));
    for (std::uint64_t i = 0; i < count; ++i) {
        GgufTensor tensor = readTensor(cursor);
        if (!names.insert(tensor.name).second)
            cursor.fail(KV_TEXT("core", "{0} has the tensor \"{1}\" twice; nothing was changed; download it again."),
                        {tensor.name});
        header.tensors.push_back(std::move(tensor));
    }
}

/// Magic and version; refuses what is another format or another byte order.
std::int64_t readVersion(GgufCursor& cursor)
{
    std::array<char, 4> magic{};
    for (char& letter : magic)
        letter = cursor.number<char>();
    const auto version = cursor.number<std::uint32_t>();
    if (std::string_view(magic.data(), magic.size()) != kGgufMagic)
        cursor.fail(KV_TEXT("core", "{0} is no GGUF file; nothing was changed; choose another file."));
    if ((version & 0xFFFFU) == 0 && version != 0)
        cursor.fail(KV_TEXT("core", "{0} is a big-endian GGUF file, which KV Horizon does not read; nothing was "
                                    "changed; choose the little-endian file of the model."));
    if (version != 2 && version != 3)
        cursor.fail(KV_TEXT("core", "{0} is a GGUF file of version {1}, but versions 2 and 3 are read; nothing was "
                                    "changed; convert the model again."),
                    {std::int64_t{version}});
    return version;
}

GgufHeader readHeader(ByteSource& source, std::string_view file)
{
    constexpr std::uint64_t kLeastTensor = 8 + 4 + 4 + 8; // name, dimensions, type, offset
    constexpr std::uint64_t kLeastValue = 8 + 4 + 1;      // key, type, value
    GgufCursor cursor(source, file);
    GgufHeader header;
    header.version = readVersion(cursor);
    const auto tensors = cursor.number<std::uint64_t>();
    const auto values = cursor.number<std::uint64_t>();
    cursor.checkCount(tensors, kLeastTensor, kTooManyTensors);
    cursor.checkCount(values, kLeastValue, kTooManyKeys);
    if (tensors > kMaxTensors || values > kMaxKeys)
        cursor.fail(KV_TEXT("core", "{0} has {1} tensors and {2} keys, but at most {3} and {4} are read; nothing was "
                                    "changed; choose another file."),
                    {static_cast<std::int64_t>(tensors), static_cast<std::int64_t>(values),
                     static_cast<std::int64_t>(kMaxTensors), static_cast<std::int64_t>(kMaxKeys)});
    ValueReader reader(cursor, header);
    reader.readAll(values);
    header.values = std::make_shared<const nlohmann::json>(reader.take());
    const std::int64_t alignment = alignmentOf(cursor, *header.values);
    readTensors(cursor, tensors, header);
    header.dataStart = (cursor.position() + alignment - 1) / alignment * alignment;
    checkPlaces(cursor, header, alignment, source.size());
    return header;
}

} // namespace

Result<GgufHeader> readGgufHeader(ByteSource& source, std::string_view file)
{
    return asResult([&] { return readHeader(source, file); });
}

} // namespace core::readers
