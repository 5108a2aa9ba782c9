// SPDX-License-Identifier: Apache-2.0
// The code that trains by a strategy. What is known of it without running it is in src/core/strategy.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/strategy/description.h"
#include "src/model/mlp.h"
#include "src/strategy/phase_marks.h"

namespace breakeven {

// What a strategy is made of, all of it borrowed.
struct StrategySetup {
  Device& device;
  const StrategyOptions& options;
  Communicator* communicator;  // of the case's ranks; null where the strategy exchanges nothing
  const MlpSettings& whole;    // a replica of the whole model with the rank's samples, by the options
};

// How many updates all ranks had begun when one read the parameters, and when it began its own.
struct ServedUpdate {
  std::uint64_t pulled = 0;
  std::uint64_t pushed = 0;
  std::uint64_t staleness() const { return pushed - pulled; }
};

class Strategy {
 public:
  explicit Strategy(const StrategySetup& setup) : device_(setup.device), communicator_(setup.communicator) {}
  virtual ~Strategy() = default;

  // What this rank's replica is to be, of the one that has the whole model and the rank's part of the batch.
  virtual MlpSettings mlp_settings(const MlpSettings& whole) const { return whole; }

  virtual std::span<const Phase> phases() const = 0;
  // Steps of one kind are enqueued alike, so that the graph of one serves for all of them.
  virtual std::uint32_t kinds() const { return 1; }
  virtual std::uint32_t kind_of(std::uint32_t /*step*/) const { return 0; }
  // Enqueues one whole step of a kind and marks the end of each phase of phases(), in that order. May be
  // captured into a graph: it reads nothing that changes from step to step but the replica's step state.
  virtual void step(Mlp& mlp, const BatchSource& source, std::uint32_t kind, PhaseMarks& marks,
                    Stream& stream) = 0;
  // Enqueues `count` steps as a whole, with no border between phases. False, and nothing is enqueued, where
  // there is no such way; then there is none for any number of steps.
  virtual bool whole_steps(Mlp& /*replica*/, const BatchSource& /*source*/, std::uint32_t /*count*/,
                           Stream& /*stream*/) {
    return false;
  }

  // Mlp::predict, with the weights that it needs there.
  virtual ConstMatrix predict(Mlp& mlp, Stream& stream) { return mlp.predict(Mlp::no_hook, stream); }

  // For those who look at what was computed. Collective over the ranks.
  // The whole model's parameters, laid out as ParameterLayout of the whole shape, on every rank.
  virtual void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream);
  // What lies on this rank, and on no other, of the global batch's gradient after a step: the squares of all
  // ranks' parts add up to those of the gradient.
  // `kind` is that of the step.
  virtual std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t kind) const;
  // Where ranks update parameters in one place without waiting for one another: [step] this rank's updates;
  // and, collective over the ranks, how many have arrived there.
  virtual std::span<const ServedUpdate> served_updates() const { return {}; }
  virtual std::optional<std::uint64_t> updates_arrived() { return {}; }

 protected:
  Device& device() const { return device_; }
  Communicator& communicator() const { return *communicator_; }
  int rank() const { return communicator_ != nullptr ? communicator_->rank() : 0; }
  int ranks() const { return communicator_ != nullptr ? communicator_->size() : 1; }

 private:
  Device& device_;
  Communicator* communicator_;
};

// What every data-parallel step begins with: the rank's samples, forward, and the loss with its gradient; of
// several micro-batches all but the last one's way back. Marks the ends of the phases that it makes.
void enqueue_forward(Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream);

// The code of the strategy that is described. CMake collects make_NAME of every NAME.cpp here
// (cmake/strategies.cmake).
std::unique_ptr<Strategy> make_strategy(const StrategyDescription& description, const StrategySetup& setup);

}  // namespace breakeven
