// SPDX-License-Identifier: Apache-2.0
// Which cases of a file the tables show. Their numbers and verdicts are the same as when all cases are shown:
// verdicts are corrected together with those of hidden cases.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "src/core/axes.h"
#include "src/core/records/results.h"

namespace breakeven::analysis {

// The axes by which a report can be restricted.
inline constexpr std::array shown_axes{Axis::model, Axis::batch, Axis::strategy, Axis::precision};

// For each restricted axis, the words that are shown. `single` on one GPU is shown beside any strategy.
struct ShownCases {
  std::map<Axis, std::vector<std::string>> words;
  bool are_all() const;
  bool include(const Case& what) const;
};

// "--models large --batches 128,512"
std::string in_words(const ShownCases& shown);

// A sentence on the first word that no case of the file has, with the legal ones; or "".
std::string problem_of(const ShownCases& shown, const Results& results);

}  // namespace breakeven::analysis
