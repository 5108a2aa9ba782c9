// SPDX-License-Identifier: Apache-2.0
// A strategy is a way to share a training step among GPUs. Adding one: a file here, and a row in the table of
// strategy.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/message.h"
#include "src/core/strategy/rank_work.h"
#include "src/core/strategy/strategy_options.h"
#include "src/core/text/usage.h"
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

// Of a rank that trains a model of its own: its rows are its whole batch.
MlpSettings settings_of_own_batch(const MlpSettings& whole);

// What a strategy is asked to do, before anything is made for it.
struct SharedWork {
  ModelShape shape;
  std::uint32_t batch = 0;  // global
  int ranks = 1;
};

// What is said of a strategy's numbers, and `breakeven verify` holds it to.
struct StrategyPromise {
  // The single device's, rounding apart. Else it is lossy: they are those of its own serial definition
  // (src/verify/serial_definition.h).
  bool exact = true;
  bool same_bits_on_ranks = true;  // of gather_parameters()
  bool repeatable = true;          // it computes the same whenever it is run; else only on one rank
  bool definition_bits = true;     // on two ranks the very sums of its serial definition
  bool in_rank_order = false;      // and on any number of ranks: no transport adds anything
};

// How the ranks work together.
struct StrategyTraits {
  bool copies = false;        // every rank trains the whole batch by itself
  bool splits_model = false;  // all ranks see the whole batch, each with a part of the model
  bool in_step = true;        // in every step the ranks wait for one another
  bool overlaps = false;      // exchanges beside compute, whatever the options: phases show what remains
  bool capturable = true;     // the step can be a graph, if the communicator's calls can
};

struct StrategyInfo {
  std::string_view name;
  std::string_view summary;
  bool exchanges;  // needs a communicator; one that does not runs on one GPU, or in copies
  std::vector<std::string_view> options;  // keys of strategy_option_table()
  std::unique_ptr<Strategy> (*make)(const StrategySetup& setup);
  // What rank `rank` of `ranks` hands to its communicator in a step, known before anything is made: `whole`
  // has the whole model and the rank's part of the batch. The first step makes all of them.
  std::vector<Message> (*messages)(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                   int ranks);
  // Beside what no strategy does.
  std::string (*own_refusal)(const StrategyOptions& options, const SharedWork& work) = nothing_refused;
  StrategyPromise (*promise)(const StrategyOptions& options) = promises_all;
  StrategyTraits traits = {};

  // What a rank's replica takes on its device and what the strategy keeps beside it, likewise, of what
  // with_kept_activations() has made of `whole`. Samples are none of its business.
  MemoryNeed (*memory_need)(const StrategyOptions& options, const MlpSettings& whole, int rank,
                            int ranks) = whole_mlp;

  // What keeps the strategy from doing the work with these options, as half a sentence, or "".
  std::string refusal(const StrategyOptions& options, const SharedWork& work) const;

  // What it computes, likewise.
  RankWork (*work)(const StrategyOptions& options, const MlpSettings& whole, int rank,
                   int ranks) = work_of_mlp;

  static std::vector<Message> exchanges_nothing(const StrategyOptions&, const MlpSettings&, int, int) {
    return {};
  }
  static std::string nothing_refused(const StrategyOptions&, const SharedWork&) { return ""; }
  static StrategyPromise promises_all(const StrategyOptions&) { return {}; }
  static MemoryNeed whole_mlp(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
  static RankWork work_of_mlp(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
};

std::span<const StrategyInfo> strategies();

// A strategy as the user writes it: its name, and behind colons its options, NAME:KEY=VALUE:KEY=VALUE. What
// has no "=" belongs to the value before it.
struct StrategyChoice {
  const StrategyInfo* info = nullptr;
  StrategyOptions options;
};
std::variant<StrategyChoice, UsageError> parse_strategy(std::string_view text);

}  // namespace breakeven
