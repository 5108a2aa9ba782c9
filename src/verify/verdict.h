// SPDX-License-Identifier: Apache-2.0
// Checks how near a trajectory stays to its reference.
#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

#include "src/verify/references.h"
#include "src/verify/trajectory.h"

namespace breakeven {

struct Check {
  std::string_view what;  // a literal
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
// within 1e-4 on average), and stricter ones: the norm of the first gradient within 1 %; weights within 1e-5
// of what is expected in the relative Frobenius norm, and as near to the serial definition; in fp16 the same
// steps skipped for overflow; in every precision but fp32 losses within 2 % of fp32's. What is expected is
// the single device, or the serial definition where the strategy is lossy. And what else the strategy
// promises (StrategyPromise): on up to two ranks, or any number, the bits of the serial definition; the same
// bits on every rank of `group`. Adam divides each gradient by its own size, so where a gradient is near zero
// its rounding decides the sign of a whole step, and training spreads that. Where rounding alone (between the
// references without a fused update) takes the weights further than half a limit, that limit becomes twice
// that distance, and is printed. Where the strategy splits the model, the two are at least 1e-3 and 0.05:
// Adam's weights can only be coarse evidence there, and check_plain_descent (plain_descent.h) is the strict
// one. A strategy that is not repeatable is held, on more than one rank, against its own updates replayed in
// their order: losses and weights within 5 %, gradient norms correlated over 0.95, or two and a half
// times what reading the parameters as early as can be does to each; and every update must have been made
// once. Collective over the group; the references count on its rank 0 alone, the verdict is the same on all.
Verdict compare(const Case& what, const References& references, const Trajectory& trajectory, MPI_Comm group);

}  // namespace breakeven
