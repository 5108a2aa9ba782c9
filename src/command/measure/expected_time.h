// SPDX-License-Identifier: Apache-2.0
// How long the runs of a launch will take, told from a few steps of its cases before it starts.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "src/core/case.h"
#include "src/measure/plan/options.h"
#include "src/measure/run_context.h"

namespace breakeven::command {

struct TriedCase {
  Case what;
  double setup_seconds = 0;  // of a run, besides its steps
  double step_seconds = 0;
};

// Trains a few steps of each case, those with the least work first, until two seconds have passed. Rank 0 has
// the result; it is empty if even the first case takes longer. Collective over the session's world.
std::vector<TriedCase> try_cases(const std::vector<Case>& cases, measure::RunContext& context);

struct ExpectedTime {
  double least_seconds = 0;  // all runs settle as fast as they can
  double most_seconds = 0;   // all settle for as long as they may
};

// The time of `runs[i]` runs of cases[i]. A case that was not tried takes the time of the one before it by
// work, and longer in proportion to the work: an upper bound where a step is short. `tried`: in the order of
// work, not empty.
ExpectedTime expected_time(const std::vector<Case>& cases, const std::vector<std::size_t>& runs,
                           const measure::RunOptions& options, const std::vector<TriedCase>& tried);

// The cases whose time was tried, in one of their timings.
std::size_t count_tried(const std::vector<Case>& cases, const std::vector<TriedCase>& tried);

// "expected time: 2.10 min to 5.30 min after measuring the machine, from a few steps of 4 of 12 cases"
std::string in_words(const ExpectedTime& expected, std::size_t tried, std::size_t cases);

}  // namespace breakeven::command
