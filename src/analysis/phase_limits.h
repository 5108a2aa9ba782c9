// SPDX-License-Identifier: Apache-2.0
// How fast a phase of the step could be on this device: the longest of what its bytes, its arithmetic and its
// chain of dependent operations take at the measured ceilings. docs/report.md gives the formulas in words.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

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

// The phases whose work follows from the model, in the order of a step.
inline constexpr std::array limited_phases{Phase::input, Phase::forward, Phase::backward, Phase::optimizer};

struct PhaseWork {
  double bytes = 0;       // each array once: what must come from memory if nothing is still in a cache
  double flops = 0;       // of the products; what else is computed is little beside them
  double operations = 0;  // that wait for each other
};
PhaseWork work_of(Phase phase, const StepWork& step);

struct Limit {
  double seconds = not_measured;
  std::string_view what;  // "memory", "arithmetic", "latency"; empty where not measured
};
Limit limit_of(const PhaseWork& work, Precision precision, const Roofline& roofline);

}  // namespace breakeven::analysis
