// SPDX-License-Identifier: Apache-2.0
// A strategy is a way to share a training step among GPUs. Adding one: a file here, and a row in the table of
// strategy.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/model/replica.h"
#include "src/strategy/phase_marks.h"

namespace breakeven {

class Strategy {
 public:
  virtual ~Strategy() = default;
  // Enqueues one whole step and marks the end of each phase of phases(), in that order. May be captured into
  // a graph: it reads nothing that changes from step to step but the replica's step state.
  virtual void step(Replica& replica, const BatchSource& source, PhaseMarks& marks, Stream& stream) = 0;
  virtual std::span<const Phase> phases() const = 0;
  // Enqueues `count` steps as a whole, with no border between phases. False, and nothing is enqueued, where
  // there is no such way; then there is none for any number of steps.
  virtual bool whole_steps(Replica& /*replica*/, const BatchSource& /*source*/, std::uint32_t /*count*/,
                           Stream& /*stream*/) {
    return false;
  }
};

// What every data-parallel step begins with: the rank's samples, forward, and the loss with its gradient.
// Marks the ends of input and forward.
void enqueue_forward(Replica& replica, const BatchSource& source, PhaseMarks& marks, Stream& stream);

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;
  bool exchanges;  // needs a communicator; one that does not runs on one GPU only
  std::unique_ptr<Strategy> (*make)(Communicator* communicator);
};

std::span<const StrategyInfo> strategies();
const StrategyInfo* find_strategy(std::string_view name);  // null where there is none
std::vector<std::string> strategy_names();

// Each in the file of its name.
std::unique_ptr<Strategy> make_single(Communicator* none);
std::unique_ptr<Strategy> make_ddp(Communicator* communicator);
std::unique_ptr<Strategy> make_parameter_server(Communicator* communicator);

}  // namespace breakeven
