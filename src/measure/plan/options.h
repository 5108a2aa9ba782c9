// SPDX-License-Identifier: Apache-2.0
// The options of `run`, `verify` and `trace --kernels`, from the command line and a --config file.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/core/axes.h"
#include "src/core/quality_target.h"
#include "src/core/text/command_options.h"
#include "src/core/text/usage.h"
#include "src/model/mlp.h"

namespace breakeven::measure {

// The axes as lists of words, which plan_cases() checks against what the machine has.
struct Axes {
  std::vector<std::string>& operator[](Axis axis) { return words[index_of(axis)]; }
  const std::vector<std::string>& operator[](Axis axis) const { return words[index_of(axis)]; }

  std::array<std::vector<std::string>, axis_count> words;  // by axis
  std::vector<std::string> cases;  // "medium:16,32": models with their own batches, instead of the two axes
  std::vector<std::string> candidates;  // of the strategy "auto": names, "exact", "lossy"
};

// When training is steady enough to be measured (src/measure/settling.h).
struct SettleRule {
  double most_seconds = 0;  // 0: no settling
  double tolerance = 0;     // largest relative difference of successive windows
};

struct RunOptions {
  Axes axes;
  std::uint32_t warmup = 10;
  SettleRule settle;
  std::uint32_t steps = 100;
  double seconds = 0.5;  // of measured steps at least, after settling
  std::uint32_t repeats = 5;
  std::uint32_t probe_steps = 20;      // of a candidate of "auto" in the first round
  std::string evidence;                // a results file that "auto" predicts from; "": none
  double target_ci = 0;                // relative half-width of the intervals at which a case ends; 0: none
  std::optional<QualityTarget> until;  // then `steps` is the largest number of steps of a run
  std::uint32_t eval_every = 100;      // steps between two evaluations of the target
  std::uint32_t smooth = 20;           // steps over which the loss is averaged
  std::uint64_t seed = 42;
  bool random_order = true;
  std::uint32_t order_number = 0;  // each has a random order of its own
  bool loss_budget = false;        // also measures the single-GPU cases that the loss budget needs
  std::uint32_t samples = 10000;
  std::string dataset;  // "" = synthetic
  OptimizerKind optimizer = OptimizerKind::adam;
  float learning_rate = 1e-3f;
  std::string backend = "auto";  // or a word of Backend
  std::string gemm_table;        // a file of kernels/gemm_table.h; "": the table that comes with the program
  bool share_gpus = false;
  double timeout_seconds = 120;
  std::uint64_t memory_limit_bytes = 0;  // per rank; a case that needs more is refused; 0: no limit
  std::vector<std::pair<std::string, std::string>> nccl;  // variables set before NCCL starts
  std::string output;
  bool append = false;
  bool resume = false;
  bool dry_run = false;
  std::uint32_t random_cases = 0;            // of `verify`; 0: the cases of the axes
  std::optional<std::uint32_t> random_case;  // only this one of them
  std::vector<std::string> warnings;         // of renamed options
};

// The command line overrides the --config file, which overrides `defaults`.
// `add_more` adds options of another command that takes these too.
using AddOptions = std::function<void(CommandOptions& options)>;
std::variant<RunOptions, UsageError, HelpText> parse_run_options(int argc, char** argv,
                                                                 const RunOptions& defaults,
                                                                 const AddOptions& add_more = {});

// The options other than axes, by name, as a results file records them.
std::vector<std::pair<std::string, std::string>> settings_of(const RunOptions& options);

RunOptions run_defaults();
RunOptions verify_defaults();

}  // namespace breakeven::measure
