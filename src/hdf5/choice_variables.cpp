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
       "time that autotuning took, once for all runs of the case in the launch",
       &RecordedRun::choosing_seconds},
      // The reader makes room for the candidates below when it meets their number here.
      {"candidates", {run}, "1", "candidates that 'auto' chose among", &RecordedRun::candidates},
      {"candidate_strategy", {run, candidate}, "", "strategy of the candidate", &AutoCandidate::strategy},
      {"candidate_gpus", {run, candidate}, "1", "its GPUs", &AutoCandidate::gpus},
      {"candidate_predicted_seconds",
       {run, candidate},
       "s",
       "step time predicted before the candidate was probed",
       &AutoCandidate::predicted_seconds},
      {"candidate_predicted_low",
       {run, candidate},
       "s",
       "lower 95 % bound of that step time",
       &AutoCandidate::predicted_low},
      {"candidate_predicted_high",
       {run, candidate},
       "s",
       "upper 95 % bound of that step time",
       &AutoCandidate::predicted_high},
      {"candidate_probed_seconds",
       {run, candidate},
       "s",
       "probed step time; NaN if it was not probed",
       &AutoCandidate::probed_seconds},
      {"candidate_probed_low",
       {run, candidate},
       "s",
       "lower 95 % bound of that step time",
       &AutoCandidate::probed_low},
      {"candidate_probed_high",
       {run, candidate},
       "s",
       "upper 95 % bound of that step time",
       &AutoCandidate::probed_high},
      {"candidate_probe_steps",
       {run, candidate},
       "1",
       "steps of its probes, without warm-up",
       &AutoCandidate::probe_steps},
  };
}

}  // namespace breakeven
