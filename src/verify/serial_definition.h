// SPDX-License-Identifier: Apache-2.0
// The serial definition of a strategy: what it computes, written again as plainly as possible. It runs on one
// device, rank after rank, without communication and without the strategy's own code. All exact strategies
// share that of data parallelism. A lossy strategy (StrategyPromise) has its own: a file define_NAME.cpp and
// a row in the table of serial_definition.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/strategy/strategy.h"
#include "src/verify/rounding.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {

// Trains for the warm-up and steps of the context's options. The gradient norms are those of
// Strategy::own_gradients.
using SerialDefinition = Trajectory (*)(const Case& what, measure::RunContext& context,
                                        const Rounding& rounding);

struct LossyStrategy {
  std::string_view name;
  SerialDefinition definition;
};
std::span<const LossyStrategy> lossy_strategies();

// Null if a lossy strategy has no serial definition.
SerialDefinition serial_definition_of(const StrategyChoice& strategy);

// Adds the gradients of all ranks in rank order; then every rank updates, separately from the matrix
// products.
Trajectory define_data_parallel(const Case& what, measure::RunContext& context, const Rounding& rounding);
// The same with the compressors of src/compression, which have their own tests.
Trajectory define_compressed(const Case& what, measure::RunContext& context, const Rounding& rounding);
Trajectory define_local_sgd(const Case& what, measure::RunContext& context, const Rounding& rounding);
Trajectory define_stale(const Case& what, measure::RunContext& context, const Rounding& rounding);

// Repeats what `async-server` computed on several ranks: every update from the parameters that its rank had
// read, in the recorded order (Trajectory::served), both of which the ranks' timing decided. All NaN if an
// update is missing or was made twice. Trajectory::read_distance is how far a read is from what the server
// can have held: all updates that had begun before it, but of each other rank's last any part, unless that
// rank had begun to read again; and any part of those that began meanwhile. The largest of all reads,
// relative to the norm of the parameters.
Trajectory replay_async_server(const Case& what, measure::RunContext& context, const ServedOrder& order,
                               const Rounding& rounding);

}  // namespace breakeven::verify
