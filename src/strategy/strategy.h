// SPDX-License-Identifier: Apache-2.0
// The interface of the strategies' training code. Each strategy is one file, NAME.cpp; its description, which
// needs no device, is src/core/strategy/described/NAME.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/strategy/description.h"
#include "src/model/mlp.h"
#include "src/strategy/phase_marks.h"

namespace breakeven::strategy {

// All borrowed.
struct StrategySetup {
  Device& device;
  const StrategyOptions& options;
  Communicator* communicator;  // of the case's ranks; null if the strategy exchanges nothing
  const MlpSettings& whole;    // the whole model with this rank's samples, as the options ask
};

// For asynchronous updates: how many updates all ranks had begun when this rank began to pull the parameters,
// when it had them, and when it pushed its own.
struct ServedUpdate {
  std::uint64_t pulling = 0;
  std::uint64_t pulled = 0;
  std::uint64_t pushed = 0;
  std::uint64_t staleness() const { return pushed - pulled; }
};

class Strategy {
 public:
  // `phases` are the phases of one step, in order; a phase may occur several times.
  Strategy(const StrategySetup& setup, std::vector<Phase> phases)
      : device_(setup.device), communicator_(setup.communicator), phases_(std::move(phases)) {}
  virtual ~Strategy() = default;

  // The network that this rank holds. `whole` is the whole model with this rank's part of the batch.
  virtual MlpSettings mlp_settings(const MlpSettings& whole) const { return whole; }

  std::span<const Phase> phases() const { return phases_; }
  // Steps of one kind enqueue the same operations, so one CUDA graph per kind serves all steps.
  virtual std::uint32_t kinds() const { return 1; }
  virtual std::uint32_t kind_of(std::uint32_t /*step*/) const { return 0; }
  // Enqueues one whole step and marks the end of each phase of phases(), in that order. May be captured into
  // a graph: of what changes from step to step it reads only the network's step state, on the device.
  virtual void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t kind, PhaseMarks& marks,
                    Stream& stream) = 0;
  // Enqueues `count` steps fused, without borders between phases. Returns false, for any count, and enqueues
  // nothing if the strategy or the device cannot fuse steps.
  virtual bool whole_steps(model::Mlp& /*mlp*/, const BatchSource& /*source*/, std::uint32_t /*count*/,
                           Stream& /*stream*/) {
    return false;
  }

  // Mlp::predict, after gathering the weights that it needs.
  virtual ConstMatrix predict(model::Mlp& mlp, Stream& stream) {
    return mlp.predict(model::Mlp::no_hook, stream);
  }

  // For evaluation and verification. Collective over the ranks. The whole model's parameters on every rank,
  // in the layout of ParameterLayout(whole shape).
  virtual void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream);
  // After a step of `kind`: this rank's parts of the global batch's gradient. Each value lies on one rank
  // only, so the sum of all ranks' squares is that of the whole gradient.
  virtual std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t kind) const;
  // For asynchronous updates only, by step: this rank's updates, and with MlpSettings::keep_evidence the
  // parameters that it had pulled; and, collective over the ranks, how many updates of all ranks the server
  // has received.
  virtual std::span<const ServedUpdate> served_updates() const { return {}; }
  virtual std::span<const std::vector<float>> served_reads() const { return {}; }
  virtual std::optional<std::uint64_t> updates_arrived() { return {}; }

 protected:
  Device& device() const { return device_; }
  Communicator& communicator() const { return *communicator_; }
  int rank() const { return communicator_ != nullptr ? communicator_->rank() : 0; }
  int ranks() const { return communicator_ != nullptr ? communicator_->size() : 1; }

 private:
  Device& device_;
  Communicator* communicator_;
  std::vector<Phase> phases_;
};

// The beginning of a data-parallel step: loads this rank's samples, runs the forward pass and computes the
// loss and its gradient. With several micro-batches it also runs all backward passes but the last. Marks its
// phases.
void enqueue_forward(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream);

// The training code of the described strategy: make_NAME() of NAME.cpp. CMake collects these functions
// (cmake/generated_lists.cmake).
std::unique_ptr<Strategy> make_strategy(const StrategyDescription& description, const StrategySetup& setup);

}  // namespace breakeven::strategy
