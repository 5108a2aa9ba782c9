// SPDX-License-Identifier: Apache-2.0
// How near a trajectory must stay to the single device's, and whether it does.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "src/verify/trajectory.h"

namespace breakeven {

struct Check {
  std::string what;
  double value = 0;
  double limit = 0;
  bool at_least = false;  // the value must not be below the limit; else: not above

  bool passed() const { return at_least ? value >= limit : value <= limit; }  // NaN fails both
};

struct Verdict {
  std::vector<Check> checks;
  bool passed() const;
};

// The articles' three checks (last ten losses within 0.01, gradient norms correlated over 0.95, weights
// within 1e-4 on average), and the stricter ones that an exact strategy holds in fp32: weights within 1e-5 of
// the reference in the relative Frobenius norm, and the same bits on every rank of `group`. Collective over
// the group; `reference` counts on its rank 0 only, and the verdict is the same on all of them.
Verdict compare(const Trajectory& reference, const Trajectory& trajectory, MPI_Comm group);

}  // namespace breakeven
