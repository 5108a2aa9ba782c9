// SPDX-License-Identifier: Apache-2.0
// The break-even map: predicted speed-ups of every way on more GPUs, over sizes of one shape and over
// batches.
#pragma once

#include <cstdint>
#include <vector>

#include "src/predict/advisor.h"

namespace breakeven {

struct MapPoint {
  std::uint64_t parameters = 0;
  Way way;  // on more than one GPU, against the fastest single one in the same precision
};

// Sizes: the question's model with all its widths times a factor, to multiples of 8, so that the parameters
// go in steps of about a third of an octave from the fewest to the most that were measured; the middle of
// each step. Batches: powers of two from the smallest measured one to the largest. All predicted, also where
// the very case was measured, so that points compare.
std::vector<MapPoint> map_speedups(const Advisor& advisor, Query query);

}  // namespace breakeven
