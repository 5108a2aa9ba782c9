// SPDX-License-Identifier: Apache-2.0
// What the stages of a pipeline cannot use of a step.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "src/analysis/case_summary.h"
#include "src/core/case.h"

namespace breakeven::analysis {

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

// The mean idle share of stages that are busy for `busy` seconds of a step and take `messages` more for their
// messages, of which none is hidden: the first micro-batch goes through all stages one after another, the
// others follow behind the slowest, so a step takes (sum + (M - 1) longest) / M. With equal stages and no
// messages it is the bubble.
double idle_of_stages(const Pipeline& pipeline, std::span<const double> busy,
                      std::span<const double> messages);

// Of a measured case, with what its ranks were busy for: all of their step but exchange and wait. NaN without
// phases; with messages, also without a measurement of them.
struct ExpectedIdle {
  double by_stages = not_measured;
  double by_stages_and_messages = not_measured;
};
ExpectedIdle expected_idle(const Pipeline& pipeline, const CaseSummary& phases, const Results& results);

}  // namespace breakeven::analysis
