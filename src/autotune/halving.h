// SPDX-License-Identifier: Apache-2.0
// The fastest of several candidates, with few steps spent on those that are far from it: successive halving
// (K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization",
// AISTATS 2016; the core of Hyperband, Li et al., JMLR 18, 2018).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven {

// Means of a step, in seconds, of each batch of at least so many steps of a candidate, by its place.
using Probe = std::function<std::vector<double>(std::size_t candidate, std::uint32_t steps)>;

struct HalvingSettings {
  std::uint32_t steps = 20;  // of each candidate in the first round
  std::uint64_t seed = 0;    // of the order within a round
};

// The places that are worth a probe: all but those whose predicted step is surely longer than another's, by
// bounds of 95 % that leave no overlap. What is not predicted, or has no bounds, is worth one.
std::vector<std::size_t> worth_probing(const std::vector<AutoCandidate>& candidates);

// In each round every candidate of the field is probed, in a random order, and the faster half goes on, of an
// odd number the larger half, with twice the steps, until one is left: its place. It is judged by the median
// of its batches in all rounds, which a spike in one of them does not move (median of means: Nemirovsky and
// Yudin, 1983). A field of one is not probed. What the probes say goes into the candidates. One that cannot
// be timed loses to all that can.
std::size_t choose_by_halving(std::vector<std::size_t> field, const HalvingSettings& settings,
                              const Probe& probe, std::vector<AutoCandidate>& candidates);

}  // namespace breakeven
