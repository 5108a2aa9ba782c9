// SPDX-License-Identifier: Apache-2.0
// What a rank needs of its device's memory, as `report`, `advise` and `predict` judge it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/analysis/file_analysis.h"

namespace breakeven::predict {

class RankMemory {
 public:
  explicit RankMemory(const analysis::FileAnalysis& analysis);

  // Bytes of the rank that needs most. Where the case was measured, as the report has it (fit_memory). Else
  // what the model and the strategy allocate, and the samples as the file's runs held them: those of the
  // case with the most similar amount of samples, in proportion. Without the exchange's and the streams'
  // scratch memory, a few MiB.
  double bytes_of(const Case& what) const;

 private:
  double samples_bytes_of(const Case& what) const;

  std::vector<std::pair<Case, double>> measured_;
  // By where the samples are: bytes, by the numbers that a sample has, or that a streamed batch has.
  std::map<std::string, std::map<double, double>> samples_;
};

}  // namespace breakeven::predict
