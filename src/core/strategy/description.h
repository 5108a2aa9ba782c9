// SPDX-License-Identifier: Apache-2.0
// What is known of every strategy without running it. To add a strategy, write
// src/core/strategy/described/NAME.cpp and the code that trains by it, src/strategy/NAME.cpp. No list names
// them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/core/message.h"
#include "src/core/model/mlp_memory.h"
#include "src/core/model/mlp_settings.h"
#include "src/core/model/model_shape.h"
#include "src/core/strategy/strategy_options.h"
#include "src/core/text/usage.h"

namespace breakeven {

// A strategy is a way to share a training step among GPUs.

// The work of one step.
struct SharedWork {
  ModelShape shape;
  std::uint32_t batch = 0;  // global
  int ranks = 1;
};

// What a rank computes in a step, as far as the step time depends on it. Predictions use it
// (src/predict/step_terms.h).
struct RankWork {
  ModelShape shape;        // of what the rank holds: some layers, or a share of each
  std::uint32_t rows = 0;  // that go through it at a time
  // Per step, one after another: micro-batches, and the turns in which a pipeline's stage waits for one.
  double passes = 1;
  double forwards = 1;  // per pass: 2 where most activations are recomputed
  double updated = 1;   // share of these parameters that the rank updates
};

// What a strategy guarantees about its numbers. `breakeven verify` checks it.
struct StrategyPromise {
  // Equal to the single device's, up to rounding. Otherwise the strategy is lossy: its numbers are those of
  // its own serial definition (src/verify/serial_definition.h).
  bool exact = true;
  bool same_bits_on_ranks = true;  // of gather_parameters()
  bool repeatable = true;          // every run has the same bits; false: only on one rank
  bool definition_bits = true;     // on two ranks, the same bits as its serial definition; not of fused steps
  bool in_rank_order = false;      // the same on any number of ranks: no transport adds anything
};

// How the ranks work together.
struct StrategyTraits {
  bool copies = false;        // every rank trains the whole batch by itself
  bool splits_model = false;  // all ranks see the whole batch, each with a part of the model
  bool in_step = true;        // in every step the ranks wait for one another
  bool overlaps = false;      // exchanges while it computes, whatever the options: phases show what remains
  bool joins_update = false;  // over `peer`, one kernel exchanges and updates (Communicator::update_shares)
  bool capturable = true;     // the step can be a graph, if the communicator's calls can
};

// All that is known of a strategy without running it: pure functions of its options, of `whole` (the settings
// of the whole model with the rank's part of the batch), and of the rank and the number of
// ranks.
struct StrategyDescription {
  using Messages = std::vector<Message>(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                        int ranks);
  using Memory = MemoryNeed(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
  using Work = RankWork(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

  std::string_view name;
  int place = 0;          // in every list of the strategies, from the top
  bool exchanges = true;  // needs a communicator; one that does not runs on one GPU, or in copies
  std::vector<std::string_view> options = {};  // keys of strategy_option_table()
  // What `breakeven verify` trains unless --strategies says otherwise; none: the strategy without options.
  std::vector<std::string_view> verified_as = {};
  StrategyTraits traits = {};
  StrategyPromise (*promise)(const StrategyOptions& options) = promises_all;
  // In addition to what every strategy refuses: see refusal().
  std::string (*own_refusal)(const StrategyOptions& options, const SharedWork& work) = nothing_refused;
  // What the rank hands to its communicator in a step. The first step makes all of them.
  Messages* messages = exchanges_nothing;
  // What the rank's network needs and what the strategy keeps in addition, without samples. `whole` has
  // passed through with_kept_activations().
  Memory* memory_need = whole_mlp;
  Work* work = work_of_mlp;
  int (*pipeline_stages)(const StrategyOptions& options, int ranks) = no_stages;
  // After every step, ranks r and r + stride hold the same weights, to the bit. 0: no two ranks do.
  int (*replica_stride)(const StrategyOptions& options, int ranks) = all_are_replicas;

  // Why the strategy cannot do the work with these options, as half a sentence, or "".
  std::string refusal(const StrategyOptions& options, const SharedWork& work) const;

  static StrategyPromise promises_all(const StrategyOptions&) { return {}; }
  static std::string nothing_refused(const StrategyOptions&, const SharedWork&) { return ""; }
  static int no_stages(const StrategyOptions&, int) { return 0; }
  static int all_are_replicas(const StrategyOptions&, int) { return 1; }
  static int no_replicas(const StrategyOptions&, int) { return 0; }
  static std::vector<Message> exchanges_nothing(const StrategyOptions&, const MlpSettings&, int, int) {
    return {};
  }
  static MemoryNeed whole_mlp(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
  static RankWork work_of_mlp(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
};

// By place. CMake collects describe_NAME of every file in described/ (cmake/generated_lists.cmake).
std::span<const StrategyDescription> strategies();
std::vector<std::string> strategy_names();

// A strategy with its options, which a user writes as NAME:KEY=VALUE:KEY=VALUE. A part without "=" belongs to
// the value before it.
struct StrategyChoice {
  const StrategyDescription* info = nullptr;
  StrategyOptions options;
};
std::variant<StrategyChoice, UsageError> parse_strategy(std::string_view text);

}  // namespace breakeven
