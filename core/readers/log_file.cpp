// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/log_file.h"

#include "core/readers/byte_source.h"

namespace core::readers {

Result<engines::EngineLog> readLogFile(const std::filesystem::path& path, EngineId likely)
{
    constexpr std::int64_t kMostBytes = 64 << 20;
    const Result<std::unique_ptr<FileSource>> file = FileSource::open(path);
    const Result<std::string> text =
        file ? readWhole(**file, path.string(), kMostBytes) : tl::unexpected<Error>(file.error());
    if (!text)
        return tl::unexpected<Error>(text.error());
    return engines::readLog(*text, likely);
}

} // namespace core::readers
