// SPDX-License-Identifier: GPL-3.0-or-later
// libFuzzer target: any bytes as a GGUF file, of known and of unknown size, alone and as one of two that are the same.
#include "core/readers/gguf/gguf_model.h"
#include "tests/core/readers/weight_files.h"
#include "tests/fuzz/check_model.h"

#include <cstdint>
#include <string>

namespace {

/// Two files, which are the same.
class Twice : public core::readers::FileSet {
public:
    explicit Twice(const std::string& bytes) : m_bytes(bytes) {}
    std::vector<std::string> names() const override { return {}; }
    bool has(std::string_view name) const override { return name.ends_with("-of-00002.gguf"); }
    core::Result<std::unique_ptr<core::readers::ByteSource>> open(std::string_view) const override
    {
        return std::unique_ptr<core::readers::ByteSource>(std::make_unique<core::readers::MemorySource>(m_bytes));
    }

private:
    const std::string& m_bytes;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const std::string bytes(data, data + size);
    const Twice files(bytes);
    tests::SparseSource unsized({bytes, std::int64_t{1} << 50U}, false);
    fuzz::checkResult(core::readers::readGgufModel(unsized, "a.gguf", files));
    core::readers::MemorySource memory(bytes);
    fuzz::checkResult(core::readers::readGgufModel(memory, "a-00001-of-00002.gguf", files));
    return 0;
}
