// SPDX-License-Identifier: Apache-2.0
// Launches and records that follow from a few numbers, so that whoever reads a file can tell what it must
// hold.
#pragma once

#include <cstdint>

#include "src/hdf5/parallel/results_writer.h"

namespace breakeven {

struct Formula {
  std::uint64_t seed = 1;
  int runs = 1;
  int steps = 1;  // of the longest run
  int ranks = 1;
};

// Runs of different models, GPUs and steps; the launch's environment holds the formula itself.
hdf5::LaunchPlan plan_of(const Formula& formula);
Formula formula_of(const Launch& launch);

// Every kind of double is among the numbers: NaN with a payload, infinities, denormals and the negative zero.
RunRecord record_of(const Formula& formula, int run, int rank);

// Whether two doubles are the same to the bit: NaN equals itself here, and the zeros differ.
bool same_bits(double left, double right);

}  // namespace breakeven
