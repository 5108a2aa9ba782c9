// SPDX-License-Identifier: Apache-2.0
// What the user asks of `run` and `verify`, on the command line or in a --config file.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "src/core/axes.h"
#include "src/core/quality_target.h"
#include "src/core/text/usage.h"
#include "src/model/mlp.h"

namespace breakeven {

// The axes are lists of words, checked later against what the machine has (plan.h).
struct Axes {
  std::vector<std::string>& operator[](Axis axis) { return words[index_of(axis)]; }
  const std::vector<std::string>& operator[](Axis axis) const { return words[index_of(axis)]; }

  std::array<std::vector<std::string>, axis_count> words;  // of those axes that a launch chooses
  std::vector<std::string> cases;  // "medium:16,32": models with batches of their own, instead of their axes
  std::vector<std::string> candidates;  // of the strategy "auto": names, "exact", "lossy"
};

struct RunOptions {
  Axes axes;
  std::uint32_t warmup = 10;
  std::uint32_t steps = 100;
  std::uint32_t repeats = 5;
  std::uint32_t probe_steps = 20;      // of a candidate of "auto" in the first round
  std::string evidence;                // a results file that "auto" predicts from; "": none
  double target_ci = 0;                // half an interval over its figure; 0: all repeats are made
  std::optional<QualityTarget> until;  // then `steps` is the most that a run makes
  std::uint32_t eval_every = 100;      // steps between two looks at the quality
  std::uint32_t smooth = 20;           // steps over which the loss is averaged
  std::uint64_t seed = 42;
  bool random_order = true;
  bool loss_budget = false;  // with the cases on one GPU that the loss budget wants
  std::uint32_t samples = 10000;
  std::string dataset;  // "" = synthetic
  OptimizerKind optimizer = OptimizerKind::adam;
  float learning_rate = 1e-3f;
  std::string backend;     // "auto", "cuda", "host"
  std::string gemm_table;  // a file of kernels/gemm_table.h; "": the one that came with the program
  bool share_gpus = false;
  double timeout_seconds = 120;
  std::uint64_t memory_limit_bytes = 0;  // of a rank; a case that needs more is refused; 0: none
  std::vector<std::pair<std::string, std::string>> nccl;  // variables set before NCCL starts
  std::string output;
  bool append = false;
  bool resume = false;
  bool dry_run = false;
  std::vector<std::string> warnings;  // of renamed options
};

// `defaults` fills what is given neither on the command line nor in the --config file; the command line wins.
std::variant<RunOptions, UsageError, HelpText> parse_run_options(int argc, char** argv,
                                                                 const RunOptions& defaults);

// The options that are no axis, by name: what a results file records of them.
std::vector<std::pair<std::string, std::string>> settings_of(const RunOptions& options);

RunOptions run_defaults();
RunOptions verify_defaults();

}  // namespace breakeven
