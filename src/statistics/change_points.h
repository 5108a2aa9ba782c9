// SPDX-License-Identifier: Apache-2.0
// Where a series changes its level or its spread.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace breakeven::statistics {

// The first place of every segment but the first, in rising order: the segmentation that minimises
//   sum over segments of m (ln(2 pi v) + s2 / v)  +  penalty x change points,
// m a segment's length, s2 its variance (divided by m) and v the same but at least `least_variance`: twice
// the negative log likelihood of normals with a mean and a variance of their own in every segment. Found
// exactly by PELT (Killick, Fearnhead and Eckley, JASA 107, 2012, section 3). No segment is shorter than
// `shortest`, which is at least 2. Values must be finite.
struct ChangePointOptions {
  double penalty = 0;
  double least_variance = 0;  // over 0, or segments of equal values cost minus infinity
  std::size_t shortest = 2;
};
std::vector<std::size_t> change_points(std::span<const double> values, const ChangePointOptions& options);

}  // namespace breakeven::statistics
