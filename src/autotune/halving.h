// SPDX-License-Identifier: Apache-2.0
// Finds the fastest of several candidates and spends few steps on the slow ones: successive halving
// (K. Jamieson and A. Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization",
// AISTATS 2016; the core of Hyperband, Li et al., JMLR 18, 2018).
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::autotune {

// Runs at least `steps` steps of a candidate, in batches. Returns the mean step time of each batch, in
// seconds.
using Probe = std::function<std::vector<double>(std::size_t candidate, std::uint32_t steps)>;

struct HalvingSettings {
  std::uint32_t steps = 20;  // of each candidate in the first round
  std::uint64_t seed = 0;    // of the order within a round
};

// The places of the candidates to probe: all but those whose predicted step is longer than another's, with
// 95 % bounds that do not overlap. Candidates without a prediction or without bounds are probed.
std::vector<std::size_t> worth_probing(const std::vector<AutoCandidate>& candidates);

// Returns the place of the winner. Each round probes all candidates that are left, in random order. The
// faster half (of an odd number the larger half) goes on to the next round with twice the steps. A candidate
// is judged by the median of its batches in all rounds, which a spike in one batch does not move (median of
// means: Nemirovsky and Yudin, 1983). A single candidate is not probed. The probes' results are stored in the
// candidates. A candidate that cannot be timed loses to all that can.
std::size_t choose_by_halving(std::vector<std::size_t> field, const HalvingSettings& settings,
                              const Probe& probe, std::vector<AutoCandidate>& candidates);

}  // namespace breakeven::autotune
