// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <type_traits>
#include <vector>

namespace tests {

/// A test class of a room's test program. `run` makes the application that the class needs and runs its functions with
/// the arguments of Qt Test; it returns how many failed.
struct RoomTest {
    const char* name;
    int (*run)(int count, char** arguments);
};

/// The test classes of this program, each added by its own ROOM_TEST.
std::vector<RoomTest>& roomTests();

template <typename Test, typename Application> int runTest(int count, char** arguments)
{
    if constexpr (std::is_void_v<Application>) {
        Test test;
        return QTest::qExec(&test, count, arguments);
    } else {
        const Application application(count, arguments);
        Application::setAttribute(Qt::AA_Use96Dpi, true);
        Test test;
        return QTest::qExec(&test, count, arguments);
    }
}

} // namespace tests

/// Stands where QTEST_MAIN would: the room's program runs the class by its name. `Application` is void,
/// QCoreApplication or QApplication.
#define ROOM_TEST(Class, Application)                                                                                  \
    [[maybe_unused]] static const bool k##Class##IsListed =                                                            \
        (tests::roomTests().push_back({#Class, tests::runTest<Class, Application>}), true);
