// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/variable_parts.h"

namespace breakeven {

std::vector<Variable> choice_variables() {
  using enum Dimension;
  return {
      variable_of(Axis::chosen),
      {"choosing_seconds",
       {run},
       "s",
       "what the choice took, once for all runs of the case in the launch",
       &RecordedRun::choosing_seconds},
      // The reader makes room for the candidates below when it meets their number here.
      {"candidates", {run}, "1", "ways that 'auto' chose among", &RecordedRun::candidates},
      {"candidate_strategy", {run, candidate}, "", "strategy of the way", &AutoCandidate::strategy},
      {"candidate_gpus", {run, candidate}, "1", "its GPUs", &AutoCandidate::gpus},
      {"candidate_predicted_seconds",
       {run, candidate},
       "s",
       "its step as predicted before it was probed",
       &AutoCandidate::predicted_seconds},
      {"candidate_predicted_low",
       {run, candidate},
       "s",
       "lower bound of that, 95 %",
       &AutoCandidate::predicted_low},
      {"candidate_predicted_high",
       {run, candidate},
       "s",
       "upper bound of that, 95 %",
       &AutoCandidate::predicted_high},
      {"candidate_probed_seconds",
       {run, candidate},
       "s",
       "its step as probed; NaN where it was not",
       &AutoCandidate::probed_seconds},
      {"candidate_probed_low",
       {run, candidate},
       "s",
       "lower bound of that, 95 %",
       &AutoCandidate::probed_low},
      {"candidate_probed_high",
       {run, candidate},
       "s",
       "upper bound of that, 95 %",
       &AutoCandidate::probed_high},
      {"candidate_probe_steps",
       {run, candidate},
       "1",
       "steps of its probes, warm-up not counted",
       &AutoCandidate::probe_steps},
  };
}

}  // namespace breakeven
