// SPDX-License-Identifier: Apache-2.0
// All options of `run`, `verify` and `trace --kernels`.
#include "src/measure/plan/options.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/description.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/measure/plan/launch_options.h"
#include "src/measure/plan/option_values.h"

namespace breakeven::measure {
namespace {

ReadOption list_into(std::vector<std::string>& words) {
  return [&words](const std::string& text) {
    words = split_list(text);
    return std::string();
  };
}

void add_axes(CommandOptions& options, Axes& given) {
  options.begin_group("Axes of the experiment, each a comma-separated list");
  for (const AxisInfo& info : axes()) {
    if (info.option.empty()) continue;
    std::vector<std::string>& words = given[info.axis];
    options.add_list(std::string(info.option).c_str(), join_list(words), info.help, list_into(words));
  }
  options.add_repeatable("cases", given.cases,
                         "a model with its own batches; repeatable, instead of --models and --batches",
                         "MODEL:LIST");
}

void add_duration_of_a_run(CommandOptions& options, RunOptions& o) {
  options.add_within("warmup", o.warmup, 2, 1000000, "steps before the measured ones, at least 2",
                     ": the first step starts libraries up, the second captures the graph");
  options.add("settle", duration_word(o.settle.most_seconds),
              "train at most this long before the measured steps, until step time and clock are steady; 0: "
              "not at all (bursts)",
              parsed_by(parse_seconds, "settle", "a duration such as 5s or 500ms, or 0 for none",
                        o.settle.most_seconds),
              "TIME");
  options.add("settle-tolerance", "0.5%",
              "successive windows of at least 0.2 s that differ by at most this are steady",
              parsed_by(parse_share, "settle-tolerance", "a fraction between 0 and 1, such as 0.5% or 0.005",
                        o.settle.tolerance),
              "SHARE");
  options.add_within("steps", o.steps, 1, 1000000,
                     "recorded steps of a run; with --until the largest number of them");
  options.add(
      "seconds", duration_word(o.seconds),
      "measure at least this long; if --steps take less, each recorded one stands for several. Not with "
      "--settle 0 or --until",
      parsed_by(parse_seconds, "seconds", "a duration such as 0.5 or 500ms", o.seconds), "TIME");
  options.add(
      "until", "", "train until the loss is X, or accuracy=X on the data set's test part",
      [&o](const std::string& text) { return read_until(text, o); }, "loss=X");
  options.add("eval-every", o.eval_every, "steps between two evaluations of the --until target");
  options.check([&o] { return o.eval_every < 1 ? "--eval-every must be at least 1" : ""; });
  options.add("smooth", o.smooth, "steps over which --until averages the loss");
  options.check([&o] { return o.smooth < 1 ? "--smooth must be at least 1" : ""; });
}

void add_repeats(CommandOptions& options, RunOptions& o) {
  options.add_within("repeats", o.repeats, 1, 100000, "runs of each case, interleaved");
  options.add(
      "target-ci", "",
      "stop repeating a case once its 95 % intervals are within this of their centre, such as 1%; at "
      "most --repeats runs",
      parsed_by(parse_share, "target-ci", "a fraction between 0 and 1, such as 1% or 0.01", o.target_ci),
      "SHARE");
  options.add(
      "order", spelled_order(o),
      "order of the cases in each repeat: random, random:N (another one for each N), or listed",
      [&o](const std::string& text) { return read_order(text, o); }, "ORDER");
  options.add_switch("loss-budget", o.loss_budget,
                     "also measure each GPU's share of the work on a single GPU, so that every part of the "
                     "loss budget is measured");
}

void add_training(CommandOptions& options, RunOptions& o) {
  options.add("seed", o.seed, "seed of parameters, data, dropout and order");
  options.add("dataset", o.dataset, "HDF5 file with 'features' and 'targets' instead of synthetic data",
              "FILE");
  options.add_within("samples", o.samples, 1, 1u << 30, "size of the synthetic data set");
  options.add("optimizer", std::string(name_of(o.optimizer)), "adam or sgd",
              [&o](const std::string& text) { return read_optimizer(text, o.optimizer); });
  options.add("learning-rate", o.learning_rate, "learning rate of the optimizer");
  options.check([&o] { return o.learning_rate > 0 ? "" : "--learning-rate must be positive"; });
}

void add_autotuning(CommandOptions& options, RunOptions& o) {
  options.begin_group("Autotuning, for --strategies auto");
  options.add_list("candidates", join_list(o.axes.candidates),
                   "candidates of 'auto', on every number of --gpus: exact, lossy, or strategies by name",
                   list_into(o.axes.candidates));
  options.add_within("probe-steps", o.probe_steps, 1, 10000,
                     "steps of each candidate in the first round; each further round keeps half of them and "
                     "doubles the steps");
  options.add("evidence", o.evidence,
              "results file of this machine, from which 'auto' predicts which candidates need no probe",
              "FILE");
}

constexpr std::array drawn_options{"cases",   "dataset",       "warmup",   "steps",
                                   "samples", "learning-rate", "optimizer"};

// What --random draws cannot be given too. Returns what is wrong, or "".
std::string problem_of_random(const CommandOptions& options, const RunOptions& o) {
  if (o.random_case && !(*o.random_case < o.random_cases))
    return fmt::format("--random-case {} is not below --random {}", *o.random_case, o.random_cases);
  if (o.random_cases == 0) return "";
  std::vector<std::string> drawn(drawn_options.begin(), drawn_options.end());
  for (const AxisInfo& info : axes()) drawn.emplace_back(info.option);
  for (const std::string& option : drawn) {
    if (!option.empty() && options.is_given(option))
      return fmt::format("--random draws --{} itself. Leave one of the two out", option);
  }
  return "";
}

void add_random(CommandOptions& options, RunOptions& o) {
  options.begin_group("Random cases, in place of axes and protocol");
  options.add_without_default("random", o.random_cases, "verify N random cases; --seed names them");
  options.add_without_default("random-case", o.random_case.emplace(), "only case N of them");
}

void add_launch(CommandOptions& options, RunOptions& o, std::vector<std::string>& nccl) {
  options.begin_group("Launch and output");
  add_backend(options, o.backend);
  add_gemm_table(options, o.gemm_table);
  add_share_gpus(options, o.share_gpus);
  add_timeout(options, "time limit in seconds for one run, and for each part of a launch around the runs",
              o.timeout_seconds);
  options.check([&o] {
    return o.settle.most_seconds < o.timeout_seconds
               ? std::string()
               : fmt::format("--settle {} must be shorter than --timeout {}",
                             duration_word(o.settle.most_seconds), o.timeout_seconds);
  });
  options.add("memory-limit", "", "refuse a case that needs more memory per rank than this, such as 12GB",
              parsed_by(parse_bytes, "memory-limit", "a size such as 12GB or 80GiB", o.memory_limit_bytes),
              "SIZE");
  options.add_repeatable("nccl", nccl, "NCCL variable to set; repeatable", "NAME=VALUE");
  options.check([&] { return read_nccl(nccl, o.nccl); });
  options.add("output", o.output, "results file", "FILE");
  options.add_switch("append", o.append, "add a launch to the results file");
  options.add_switch("resume", o.resume, "finish the interrupted launch in the results file");
  options.check([&o] {
    return o.append && o.resume ? "--append adds a launch and --resume finishes one. Pass only one of them"
                                : "";
  });
  options.add_switch("dry-run", o.dry_run, "print the plan and stop");
  options.add_config("config", "file with these options, one 'name = value' per line");
}

}  // namespace

std::vector<std::pair<std::string, std::string>> settings_of(const RunOptions& o) {
  std::vector<std::pair<std::string, std::string>> settings{
      {"warmup", std::to_string(o.warmup)},
      {"steps", std::to_string(o.steps)},
      {"repeats", std::to_string(o.repeats)},
      {"order", spelled_order(o)},
      {"seed", std::to_string(o.seed)},
      {"dataset", o.dataset.empty() ? "synthetic" : o.dataset},
      {"samples", o.dataset.empty() ? std::to_string(o.samples) : "all"},
      {"optimizer", std::string(name_of(o.optimizer))},
      {"learning-rate", fmt::format("{}", o.learning_rate)},
      {"gemm-table", recorded_gemm_table(o.gemm_table)},
      {"timeout", fmt::format("{}", o.timeout_seconds)}};
  if (std::ranges::find(o.axes[Axis::strategy], auto_strategy) != o.axes[Axis::strategy].end()) {
    settings.emplace_back("candidates", join_list(o.axes.candidates));
    settings.emplace_back("probe-steps", std::to_string(o.probe_steps));
    settings.emplace_back("evidence", o.evidence.empty() ? "none" : o.evidence);
  }
  if (o.settle.most_seconds > 0 &&
      !o.until) {  // --resume finds older launches, which had none, equal to bursts
    settings.emplace_back("settle", duration_word(o.settle.most_seconds));
    settings.emplace_back("settle-tolerance", fmt::format("{}", o.settle.tolerance));
    settings.emplace_back("seconds", duration_word(o.seconds));
  }
  // These two keep the names that files of older versions have, so that --resume finds them equal.
  if (o.target_ci > 0) settings.emplace_back("until-precise", fmt::format("{}", o.target_ci));
  if (o.until) {
    settings.emplace_back("until", spelled(*o.until));
    settings.emplace_back("look-every", std::to_string(o.eval_every));
    if (o.until->measure == QualityMeasure::loss) settings.emplace_back("smooth", std::to_string(o.smooth));
  }
  return settings;
}

RunOptions run_defaults() {
  RunOptions d;
  d.axes[Axis::model] = {"medium"};
  d.axes[Axis::batch] = {"16", "32", "64", "128"};
  d.axes[Axis::gpus] = {"1", "all"};
  d.axes[Axis::strategy] = {"single", "ddp"};
  d.axes[Axis::precision] = {std::string(name_of(Precision::fp32))};
  d.axes[Axis::scaling] = {std::string(name_of(Scaling::strong))};
  d.axes[Axis::timing] = option_words(Axis::timing);
  d.axes[Axis::data] = {std::string(name_of(DataPlacement::resident))};
  for (const Axis axis : {Axis::gemm, Axis::transport, Axis::graph}) d.axes[axis] = {"auto"};
  d.axes.candidates = {"exact"};
  d.settle = {.most_seconds = 5, .tolerance = 0.005};
  d.output = "results.h5";
  return d;
}

RunOptions verify_defaults() {
  RunOptions d = run_defaults();
  d.axes.candidates = {};
  d.axes[Axis::batch] = {"64"};
  d.axes[Axis::strategy].clear();
  for (const StrategyDescription& strategy : strategies()) {
    if (strategy.name == single_gpu_strategy) continue;  // the reference
    if (strategy.verified_as.empty()) d.axes[Axis::strategy].emplace_back(strategy.name);
    for (const std::string_view form : strategy.verified_as) d.axes[Axis::strategy].emplace_back(form);
  }
  d.axes[Axis::timing].resize(1);  // whole steps
  d.settle = {};
  d.repeats = 1;
  d.output = "";
  return d;
}

std::variant<RunOptions, UsageError, HelpText> parse_run_options(int argc, char** argv,
                                                                 const RunOptions& defaults,
                                                                 const AddOptions& add_more) {
  RunOptions o = defaults;
  std::vector<std::string> nccl;
  const bool verifies = defaults.axes.candidates.empty();
  CommandOptions options(fmt::format("mpirun -np N breakeven {} [OPTION...]", argv[0]));
  if (verifies) {  // before the single values that --random draws
    options.check([&] {
      if (!options.is_given("random-case")) o.random_case.reset();
      return problem_of_random(options, o);
    });
  }
  add_axes(options, o.axes);
  options.begin_group("Protocol");
  add_duration_of_a_run(options, o);
  add_repeats(options, o);
  add_training(options, o);
  if (verifies) {
    add_random(options, o);
  } else {
    add_autotuning(options, o);
  }
  if (add_more) add_more(options);
  add_launch(options, o, nccl);
  return options.read(argc, argv, o, &o.warnings);
}

}  // namespace breakeven::measure
