// SPDX-License-Identifier: Apache-2.0
// Energy of a sample, from the runs of a case that were long enough for the counter.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/records/results.h"
#include "src/statistics/interval.h"

namespace breakeven::analysis {

struct EnergyOfSample {
  Interval joules;       // of all ranks: total energy / all samples; bounds by the unit of sampling_unit.h
  std::size_t runs = 0;  // whose every rank has it; of the others nothing is in it
};

// `samples_a_step` over all GPUs.
EnergyOfSample summarize_energy(const std::vector<const RecordedRun*>& done, double samples_a_step);

}  // namespace breakeven::analysis
