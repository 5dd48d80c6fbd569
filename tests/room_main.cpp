// SPDX-License-Identifier: GPL-3.0-or-later
// The test program of a room: PROGRAM CLASS [FUNCTION]... runs one class, with the arguments of Qt Test; without a
// class it lists those there are.
#include "tests/room.h"

#include <cstdio>
#include <cstring>

std::vector<tests::RoomTest>& tests::roomTests()
{
    static std::vector<RoomTest> all;
    return all;
}

int main(int count, char** arguments)
{
    for (const tests::RoomTest& test : tests::roomTests()) {
        if (count > 1 && std::strcmp(arguments[1], test.name) == 0) {
            arguments[1] = arguments[0];
            return test.run(count - 1, arguments + 1);
        }
    }
    std::puts("Name one of the test classes of this program:");
    for (const tests::RoomTest& test : tests::roomTests())
        std::puts(test.name);
    return 1;
}
