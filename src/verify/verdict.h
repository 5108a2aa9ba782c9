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

// What a case is held against; counts on rank 0 of its group alone.
struct References {
  Trajectory single;  // the same work on one device
  Trajectory shards;  // train_in_shards: the same sums in the ranks' order; only its parameters count
};

// The articles' three checks (last ten losses within 0.01, gradient norms correlated over 0.95, weights
// within 1e-4 on average), and the stricter ones that an exact strategy holds in fp32: weights within 1e-5 of
// the single device in the relative Frobenius norm, the bits of the serial definition on up to two ranks, and
// the same bits on every rank of `group`.
// Adam divides each gradient by its own size, so where a gradient is near zero its rounding decides the sign
// of a whole step, and training spreads that. Where the order of additions alone (shards against single)
// takes the weights further than half a limit, that limit becomes twice that distance, and is printed.
// Collective over the group; the verdict is the same on all of its ranks.
Verdict compare(const References& references, const Trajectory& trajectory, MPI_Comm group);

}  // namespace breakeven
