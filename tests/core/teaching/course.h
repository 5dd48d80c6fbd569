// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson_file.h"
#include "tests/core/catalogue.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace tests {

/// The exercises of the course.
inline const std::vector<core::Exercise>& exercises()
{
    static const std::vector<core::Exercise> none;
    static const std::vector<core::Exercise> all =
        valueOf(core::exercisesFromText(contentOf(RESOURCES_DIR "/lessons/exercises.json"), "exercises.json",
                                        {models(), gpus(), none}))
            .exercises;
    return all;
}

inline const core::Exercise& exercise(const std::string& id)
{
    const auto found = std::ranges::find(exercises(), id, &core::Exercise::id);
    if (found == exercises().end())
        throw std::runtime_error("no exercise " + id);
    return *found;
}

/// What lesson files may name.
inline core::LessonSources sources()
{
    return {models(), gpus(), exercises()};
}

/// The files of the course's lessons, in their order.
inline std::vector<std::filesystem::path> lessonFiles()
{
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(RESOURCES_DIR "/lessons")) {
        if (entry.path().filename() != "exercises.json")
            files.push_back(entry.path());
    }
    std::ranges::sort(files);
    return files;
}

inline core::Lesson lessonAt(const std::filesystem::path& path)
{
    return valueOf(core::lessonFromText(contentOf(path.string()), path.filename().string(), sources()));
}

} // namespace tests
