// SPDX-License-Identifier: Apache-2.0
// A short measurement of the step time of a case, made like a run of the case.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/watchdog.h"
#include "src/measure/run_context.h"

namespace breakeven {

inline constexpr std::uint32_t probe_warmup = 5;   // steps, the capture of the graph among them
inline constexpr std::uint32_t probe_batches = 5;  // into which a probe's steps are cut

// The number of steps that a probe makes: `at_least` rounded up to whole batches of whole communication
// periods.
std::uint32_t steps_of_probe(const Case& what, std::uint32_t at_least);

// The mean step of each batch, in seconds, on rank 0; nothing elsewhere. A fresh replica is made, and freed
// again. Collective over the session's world; ranks that the case leaves out sleep.
std::vector<double> probe(const Case& what, std::uint32_t steps, RunContext& bench, Watchdog& watchdog);

}  // namespace breakeven
