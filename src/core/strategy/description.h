// SPDX-License-Identifier: Apache-2.0
// What is known of every strategy without running it. Adding one: src/core/strategy/described/NAME.cpp, and
// the code that trains by it, src/strategy/NAME.cpp; no list names them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/core/message.h"
#include "src/core/model/memory_need.h"
#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/rank_work.h"
#include "src/core/strategy/strategy_options.h"
#include "src/core/text/usage.h"

namespace breakeven {

// A strategy is a way to share a training step among GPUs.

// What it is asked to do, before anything is made for it.
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

// All that is known of a strategy without running it: pure functions of its options, of `whole` (the settings
// of a replica of the whole model with the rank's part of the batch), and of the rank and the number of
// ranks.
struct StrategyDescription {
  using Messages = std::vector<Message>(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                        int ranks);
  using Memory = MemoryNeed(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
  using Work = RankWork(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);

  std::string_view name;
  std::string_view summary;
  int place = 0;          // in every list of the strategies, from the top
  bool exchanges = true;  // needs a communicator; one that does not runs on one GPU, or in copies
  std::vector<std::string_view> options = {};  // keys of strategy_option_table()
  StrategyTraits traits = {};
  StrategyPromise (*promise)(const StrategyOptions& options) = promises_all;
  // Beside what no strategy does.
  std::string (*own_refusal)(const StrategyOptions& options, const SharedWork& work) = nothing_refused;
  // What the rank hands to its communicator in a step. The first step makes all of them.
  Messages* messages = exchanges_nothing;
  // What a rank's replica takes on its device and what the strategy keeps beside it, of what
  // with_kept_activations() has made of `whole`. Samples are none of its business.
  Memory* memory_need = whole_mlp;
  Work* work = work_of_mlp;

  // What keeps the strategy from doing the work with these options, as half a sentence, or "".
  std::string refusal(const StrategyOptions& options, const SharedWork& work) const;

  static StrategyPromise promises_all(const StrategyOptions&) { return {}; }
  static std::string nothing_refused(const StrategyOptions&, const SharedWork&) { return ""; }
  static std::vector<Message> exchanges_nothing(const StrategyOptions&, const MlpSettings&, int, int) {
    return {};
  }
  static MemoryNeed whole_mlp(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
  static RankWork work_of_mlp(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks);
};

// In their places. CMake collects describe_NAME of every file in described/ (cmake/strategies.cmake).
std::span<const StrategyDescription> strategies();

// A strategy as the user writes it: its name, and behind colons its options, NAME:KEY=VALUE:KEY=VALUE. What
// has no "=" belongs to the value before it.
struct StrategyChoice {
  const StrategyDescription* info = nullptr;
  StrategyOptions options;
};
std::variant<StrategyChoice, UsageError> parse_strategy(std::string_view text);

}  // namespace breakeven
