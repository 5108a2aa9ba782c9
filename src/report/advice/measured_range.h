// SPDX-License-Identifier: Apache-2.0
// Which batches, model sizes and numbers of GPUs a file measured, and how far a query exceeds them.
#pragma once

#include <limits>
#include <string>

#include "src/analysis/file_analysis.h"

namespace breakeven::report {

// From the least to the most; at first empty.
struct Span {
  double least = std::numeric_limits<double>::infinity();
  double most = -std::numeric_limits<double>::infinity();
  void add(double value);
  void add(const Span& other);
  bool has(double value) const { return least <= value && value <= most; }
  bool is_empty() const { return !(least <= most); }
  bool holds(const Span& other) const {
    return other.is_empty() || (least <= other.least && other.most <= most);
  }
};

struct CaseRange {
  Span batches, parameters, gpus;
  void add(const CaseRange& other);
};

// 0 parameters: not known.
CaseRange case_range_of(const Case& what, std::uint64_t parameters);

// The range of all cases with finished runs.
CaseRange measured_range(const analysis::FileAnalysis& analysis);

std::string in_words(const Span& span);  // "16 to 16,384"; "64"

// "beyond the measured batches 16 to 16,384 and 1 to 4 GPUs"; "" if `asked` is within what
// was measured.
std::string beyond_in_words(const CaseRange& asked, const CaseRange& measured);

// How a number is known that was not measured: `predicted`, or "predicted, beyond the measured ...".
std::string prediction_in_words(const std::string& predicted, const CaseRange& asked,
                                const CaseRange& measured);

}  // namespace breakeven::report
