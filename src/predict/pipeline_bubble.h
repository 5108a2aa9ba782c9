// SPDX-License-Identifier: Apache-2.0
// What the stages of a pipeline cannot use of a step.
#pragma once

#include <cstdint>
#include <optional>

#include "src/plan/case.h"
#include "src/statistics/case_summary.h"

namespace breakeven {

struct Pipeline {
  std::uint32_t stages = 1;
  std::uint32_t micro_batches = 1;

  // Of S stages that take the same time, each is idle for so much of a step: S - 1 of M + S - 1 turns, by
  // `gpipe` and by `1f1b` (Huang et al., "GPipe", NeurIPS 2019, section 2.3; Narayanan et al., SC 2021,
  // section 2.2, whose fraction is of the ideal step instead).
  double bubble() const { return (stages - 1.0) / (micro_batches + stages - 1.0); }
};

// Of `pipeline`, and of `hybrid` where it splits by pipeline; nothing for other cases.
std::optional<Pipeline> pipeline_of_case(const Case& what);

// What the ranks spend in exchange and wait, of their step: the bubble, the messages, and what the stages
// differ by. NaN without phases.
struct IdleShare {
  double mean = not_measured;
  double least = not_measured;  // of the busiest stage
  double most = not_measured;
};
IdleShare idle_share(const CaseSummary& phases);

}  // namespace breakeven
