// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/result.h"

#include <string>
#include <vector>

namespace tests {

/// One line of tests/data/catalogue.tsv.
struct CatalogueFact {
    std::string id;
    std::string name;
    std::string config;    ///< repository whose config.json stands in tests/data/configs
    std::string copy;      ///< what the file is, where it is not the model's own
    std::string confirmed; ///< what confirms the count of parameters; may be empty
    std::string format;    ///< "fp32: why" where the config is silent about the weights' format; may be empty
};

std::vector<CatalogueFact> catalogueFacts();

/// The catalogue that follows from the facts: for each line what `inspect --json` prints of its config, with the line's
/// id, name and source. An error names the line's id and what could not be read.
core::Result<std::string> catalogueFromFacts();

} // namespace tests
