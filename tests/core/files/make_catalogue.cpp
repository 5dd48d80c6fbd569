// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the catalogue that follows from tests/data to the file named on the command line.
#include "core/text/format.h"
#include "tests/core/files/catalogue_facts.h"

#include <fstream>
#include <iostream>

int main(int argc, char** argv)
{
    const core::Result<std::string> catalogue = tests::catalogueFromFacts();
    if (argc != 2 || !catalogue) {
        std::cerr << (catalogue ? "Name the file to write." : core::english(catalogue.error().message)) << '\n';
        return 1;
    }
    std::ofstream file(argv[1]);
    file << *catalogue;
    return file.flush() ? 0 : 1;
}
