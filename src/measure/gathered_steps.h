// SPDX-License-Identifier: Apache-2.0
// How long the steps of a run were, from all its ranks together.
#pragma once

#include <cstdint>
#include <vector>

#include "mpi/session.h"
#include "src/core/case.h"
#include "src/core/records/run_record.h"

namespace breakeven {

// [step] seconds of the slowest rank, or the mean where ranks do not wait for one another: on rank 0, of the
// steps made; empty elsewhere. A number that is not measured is infinite. `mine` is null on ranks that sat
// the run out. Collective over the session's world.
std::vector<double> gather_step_seconds(const Session& session, const Case& what, std::uint32_t steps,
                                        const RunRecord* mine);

}  // namespace breakeven
