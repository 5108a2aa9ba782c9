// SPDX-License-Identifier: Apache-2.0
// Measures the step time of a case briefly, in the same way as a run.
#pragma once

#include <cstdint>
#include <vector>

#include "src/measure/run_context.h"

namespace breakeven::autotune {

inline constexpr std::uint32_t probe_warmup = 5;   // steps, including the capture of the graph
inline constexpr std::uint32_t probe_batches = 5;  // of a probe's steps

// The number of steps that a probe makes: `at_least` rounded up to whole batches of whole communication
// periods.
std::uint32_t steps_of_probe(const Case& what, std::uint32_t at_least);

// The mean step time of each batch, in seconds, on rank 0; empty on the other ranks. Makes a new network and
// frees it. Collective over the session's world; ranks that the case does not use sleep.
std::vector<double> probe(const Case& what, std::uint32_t steps, measure::RunContext& context);

}  // namespace breakeven::autotune
