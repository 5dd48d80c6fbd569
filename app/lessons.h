// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/teaching/lesson.h"
#include "core/text/result.h"

#include <string>
#include <vector>

namespace app {

/// The lessons and exercises that are compiled into the program, and the catalogues that they name.
struct Course {
    std::vector<core::Model> models;
    std::vector<core::Gpu> gpus;
    std::vector<core::Exercise> exercises;
    std::vector<core::Lesson> lessons; ///< The lessons in the order in which they are taught.
};
core::Result<Course> course();

/// The table of the course that `lesson` prints.
std::string courseText(const Course& course);

/// What a lesson or exercise file holds, in one line, or all that is wrong with it.
struct Validation {
    std::string summary;
    std::vector<core::Error> faults;
};
Validation validateLesson(const std::string& path, const Course& course);

} // namespace app
