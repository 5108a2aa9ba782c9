// SPDX-License-Identifier: Apache-2.0
// Checks how near a trajectory is to its reference.
#pragma once

#include <mpi.h>

#include <string_view>
#include <vector>

#include "src/verify/references.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {

// The weights after training by Adam, which amplifies rounding.
namespace weights_checks {
inline constexpr std::string_view mean = "weights, mean absolute difference";
inline constexpr std::string_view norm = "weights, relative Frobenius norm of the difference";
inline constexpr std::string_view definition = "weights, relative difference from the serial definition";
inline constexpr std::string_view counted = "updates that the server did not count";
inline constexpr double coarse_mean = 1e-3, coarse_norm = 0.05;  // limits where a stricter check follows
}  // namespace weights_checks

struct Check {
  std::string_view what;  // a literal
  double value = 0;
  double limit = 0;
  bool at_least = false;  // false: the value must not exceed the limit; true: not fall below it

  bool passed() const { return at_least ? value >= limit : value <= limit; }  // NaN fails both
};

struct Verdict {
  std::vector<Check> checks;
  bool passed() const;
};

// The articles' three checks: the means of the last ten losses within 0.01, gradient norms correlated over
// 0.95, weights within 1e-4 on average. And stricter ones: the norm of the first gradient within 1 %; weights
// within 1e-5 of what is expected, and of the serial definition, in the relative Frobenius norm; in fp16 the
// same steps skipped for overflow; in every precision but fp32 losses within 2 % of fp32's. What is expected
// is the result of one device, or the serial definition if the strategy is lossy. Also what the strategy
// promises (StrategyPromise): the bits of the serial definition, on up to two ranks or on any number; the
// same bits on every rank of `group`.
//
// Adam divides each gradient by its own size. Where a gradient is near zero, its rounding decides the sign of
// a whole step, and training spreads that. If rounding alone (between the references without a fused update)
// moves the weights by more than half a limit, the limit becomes twice that distance, and is printed. If the
// strategy splits the model, the two limits on the weights are at least 1e-3 and 0.05, because Adam's weights
// are only coarse evidence there; check_plain_descent (plain_descent.h) is the strict check.
//
// What is expected of a strategy that is not repeatable, on more than one rank, are its own updates replayed
// from the parameters that each had read. Every update must have been made once, and read as served.
//
// Collective over the group. The references are read on its rank 0 alone; all ranks get the same verdict.
Verdict compare(const Case& what, const References& references, const Trajectory& trajectory, MPI_Comm group);

// Whether it promises the bits of its serial definition on this many ranks. A sum of two terms has one order;
// with more, a transport that adds chooses the order. The definition's steps are not fused.
bool has_definition_bits(const Case& what, const Trajectory& trajectory);

// The number of floats whose bits differ from rank 0's, over all ranks of the group. Collective over it.
double different_bits(const std::vector<float>& mine, MPI_Comm group);

// What the strategy computes depends on who comes first, and is repeated from what each rank had read.
bool is_replayed(const Case& what);
// Of a replay: Trajectory::read_distance, within the limit for weights.
Check check_reads(const Case& what, const References& references);

}  // namespace breakeven::verify
