// SPDX-License-Identifier: Apache-2.0
// What the 95 % intervals of several cases cover, each once: "within one launch", "between 5 launches".
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/configuration.h"

namespace breakeven::report {

// "" where nothing has an interval; "between 5 launches; within one launch" where cases differ.
std::string scopes_of_speedups(const std::vector<const analysis::CaseResult*>& lines);
std::string scopes_of_speedups(const analysis::Group& group);
std::size_t count_scopes_of_speedups(const analysis::Group& group);
std::string scopes_of_steps(const analysis::Group& group);
std::string scopes_of_regrets(const analysis::Group& group);
// "measured: between 5 launches; predicted: by errors on held-out cases"
std::string scopes_of_configurations(const std::vector<const predict::Configuration*>& configs);

// For titles: " (within one launch)", or "".
std::string in_brackets(const std::string& scopes);

}  // namespace breakeven::report
