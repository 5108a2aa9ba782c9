// SPDX-License-Identifier: Apache-2.0
// How fast a phase of the step could be on this device: the longest of the times that its bytes, its
// arithmetic and its chain of dependent operations take at the measured roofline; and how close a measured
// case comes to it. docs/report.md gives the formulas in words.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/analysis/case_summary.h"
#include "src/core/model/model_shape.h"
#include "src/core/phase.h"
#include "src/core/records/roofline.h"

namespace breakeven::analysis {

// A step as one device does it.
struct StepWork {
  ModelShape shape;
  std::uint32_t rows = 0;  // samples of this device's part of the batch
  Precision precision = Precision::fp32;
  double optimizer_bytes = 28;       // read and written for each parameter: Adam's four arrays in, three out
  bool updates_in_backward = false;  // the products of weight gradients end in the optimizer's update
};

struct PhaseWork {
  double bytes = 0;       // each array once, as if nothing were in a cache
  double flops = 0;       // of the products; all else is small beside them
  double operations = 0;  // one after another
};
PhaseWork work_of(Phase phase, const StepWork& step);

struct Limit {
  double seconds = not_measured;
  std::string_view what;  // "memory", "arithmetic", "latency"; empty where not measured
};
Limit limit_of(const PhaseWork& work, Precision precision, const Roofline& roofline);

struct PhaseShare {
  Phase phase;
  double seconds;  // mean over runs, steps and ranks
  Limit limit;
  double share() const { return limit.seconds / seconds; }
};

struct RooflineShares {
  std::vector<PhaseShare> phases;       // in the order of a step, up to the first whose limit is not known
  std::optional<double> limit_seconds;  // of the step: the sum; nothing unless all are known
};

// Empty where the file does not say enough to know what a device did in a step.
RooflineShares roofline_shares_of(const CaseSummary& phases, const Results& results);

// The slowest of all, rate by rate. A rate that one of them lacks is not measured.
Roofline worst_of(std::span<const Roofline* const> all);

}  // namespace breakeven::analysis
