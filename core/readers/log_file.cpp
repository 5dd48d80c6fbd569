// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/log_file.h"

#include "core/readers/byte_source.h"
#include "core/readers/read_error.h"

namespace core::readers {

Result<engines::EngineLog> readLogFile(const std::filesystem::path& path, EngineId likely)
{
    constexpr std::int64_t kMostBytes = 64 << 20;
    return asResult([&] {
        const std::unique_ptr<FileSource> file = valueOf(FileSource::open(path));
        return engines::readLog(valueOf(readWhole(*file, path.string(), kMostBytes)), likely);
    });
}

} // namespace core::readers
