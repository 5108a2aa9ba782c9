// SPDX-License-Identifier: Apache-2.0
// What a strategy computes, written once more and as plainly as can be: on one device, rank after rank,
// without any exchange and without the strategy's own code. Data parallelism's is that of every exact
// strategy; one that is lossy (StrategyPromise) has its own: a file define_NAME.cpp, and a row in the table
// of serial_definition.cpp.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "src/core/case.h"
#include "src/measure/run_context.h"
#include "src/strategy/strategy.h"
#include "src/verify/trajectory.h"

namespace breakeven {

// Trains for warm-up and steps of the bench's options. Every rank's gradient is made in `pieces` parts
// (SerialRanks): 1 is the definition; with 2 it differs by roundings alone. Where the strategy is lossy the
// gradient's norms count, of whatever its Strategy::own_gradients are.
using SerialDefinition = Trajectory (*)(const Case& what, RunContext& bench, std::uint32_t pieces);

struct LossyStrategy {
  std::string_view name;
  SerialDefinition definition;
};
std::span<const LossyStrategy> lossy_strategies();

// Null if a lossy strategy has no serial definition.
SerialDefinition serial_definition_of(const StrategyChoice& strategy);

// Each in the file of its name. The gradients of all ranks are added in rank order, then every rank makes the
// update, apart from the products.
Trajectory define_data_parallel(const Case& what, RunContext& bench, std::uint32_t pieces);
// The same with compressed gradients, by the forms of src/exchange, whose own definitions are tests.
Trajectory define_compressed(const Case& what, RunContext& bench, std::uint32_t pieces);
Trajectory define_local_sgd(const Case& what, RunContext& bench, std::uint32_t pieces);
Trajectory define_stale(const Case& what, RunContext& bench, std::uint32_t pieces);

// What `async-server` computed on several ranks, whose timing decides it: made again by the order in which
// they read and updated the parameters (Trajectory::served). All NaN where the order is none: an update
// missing or made twice.
Trajectory replay_async_server(const Case& what, RunContext& bench, const ServedOrder& order);

}  // namespace breakeven
