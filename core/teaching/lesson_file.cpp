// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/teaching/lesson_file.h"

#include <cerrno>
#include <fstream>
#include <system_error>

namespace core {

namespace {

/// So many bytes at the beginning of a file must name its format.
constexpr std::size_t kBytesThatNameTheFormat = 4'096;

/// The first `most` bytes of the file, or why there are none.
tl::expected<std::string, int> beginningOf(const std::filesystem::path& path, std::size_t most)
{
    std::error_code error;
    if (std::filesystem::is_directory(path, error))
        return tl::unexpected(EISDIR);
    errno = 0;
    std::ifstream stream(path, std::ios::binary);
    std::string content(most, '\0');
    stream.read(content.data(), static_cast<std::streamsize>(most));
    if (!stream && !stream.eof())
        return tl::unexpected(errno == 0 ? EIO : errno);
    content.resize(static_cast<std::size_t>(stream.gcount()));
    return content;
}

} // namespace

LessonFile lessonFile(std::string_view content)
{
    const std::string_view beginning = content.substr(0, kBytesThatNameTheFormat);
    if (beginning.find("\"kvhorizon.exercises\"") != std::string_view::npos)
        return LessonFile::Exercises;
    return beginning.find("\"kvhorizon.lesson\"") != std::string_view::npos ? LessonFile::Lesson : LessonFile::None;
}

} // namespace core

namespace core::readers {

bool looksLikeLesson(const std::filesystem::path& path)
{
    const auto beginning = beginningOf(path, kBytesThatNameTheFormat);
    return beginning && lessonFile(*beginning) != LessonFile::None;
}

Result<std::string> readLessonText(const std::filesystem::path& path)
{
    auto content = beginningOf(path, kLargestLesson + 1);
    if (!content)
        return fail(KV_TEXT("core", "\"{0}\" cannot be read ({1}); nothing was changed; check the path."),
                    {path.string(), std::generic_category().message(content.error())});
    return *std::move(content);
}

Result<Lesson> readLessonFile(const std::filesystem::path& path, const LessonSources& sources)
{
    const Result<std::string> text = readLessonText(path);
    if (!text)
        return tl::unexpected(text.error());
    const std::string name = path.filename().string();
    if (lessonFile(*text) != LessonFile::Exercises)
        return lessonFromText(*text, name, sources);
    return exercisesFromText(*text, name, sources).map([](const ExerciseSet& set) { return lessonOf(set); });
}

} // namespace core::readers
