// SPDX-License-Identifier: Apache-2.0
// The measured steps that a fit of the step model (step_model.h) learns from.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/predict/step_terms.h"
#include "src/statistics/interval.h"

namespace breakeven::predict {

struct Observation {
  Case what;
  StepTerms terms{};
  double seconds = 0;                              // of a step
  std::map<std::uint32_t, double> in_launch = {};  // the same, of each launch that measured it
  double half_width = 0;                           // of the seconds' interval, in the logarithm; 0: not known
};

// Which cases do not count.
using IsOut = std::function<bool(const Case&)>;
inline bool none_out(const Case&) { return false; }

inline std::vector<Observation> without(std::vector<Observation> all, const IsOut& is_out) {
  std::erase_if(all, [&](const Observation& one) { return is_out(one.what); });
  return all;
}

// Half of the width of an interval of seconds, in the logarithm; 0 without bounds.
double log_half_width(const statistics::Interval& seconds);

// All cases that were measured and whose terms `terms_of` knows, by the launch of their first run. What
// `auto` chose is a case of that strategy, and one of weak scaling is one of strong scaling
// (measured_step.h), unless that case was measured too.
using TermsOfMeasured =
    std::function<std::optional<StepTerms>(const analysis::MeasuredCase& measured, const Launch& launch)>;
std::vector<Observation> observations_of(const analysis::FileAnalysis& analysis,
                                         const TermsOfMeasured& terms_of);
// The same with each launch's own roofline and calls.
std::vector<Observation> observations_of(const analysis::FileAnalysis& analysis);

}  // namespace breakeven::predict
