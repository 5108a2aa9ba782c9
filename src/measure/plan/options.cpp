// SPDX-License-Identifier: Apache-2.0
// All options of `run` and `verify` (Boost.ProgramOptions).
#include "src/measure/plan/options.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/description.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/measure/plan/option_values.h"

namespace breakeven::measure {
namespace {

namespace po = boost::program_options;

po::options_description describe_axes(Spelled& s, const Axes& preset) {
  po::options_description text("Axes of the experiment, each a comma-separated list");
  for (const AxisInfo& info : axes()) {
    if (info.option.empty()) continue;
    text.add_options()(std::string(info.option).c_str(),
                       po::value(&s.axes[index_of(info.axis)])
                           ->default_value(join_list(preset[info.axis]))
                           ->value_name("LIST"),
                       info.help.c_str());
  }
  text.add_options()("cases", po::value(&s.cases)->composing()->value_name("MODEL:LIST"),
                     "a model with its own batches; repeatable, instead of --models and --batches");
  return text;
}

po::options_description describe_protocol(RunOptions& o, Spelled& s, const RunOptions& preset) {
  po::options_description text("Protocol");
  const auto add = [&](const char* name, auto* value, const char* meaning) {
    text.add_options()(name, value, meaning);
  };
  add("warmup", po::value(&o.warmup)->default_value(preset.warmup),
      "steps before the measured ones, at least 2");
  add("settle", po::value(&s.settle)->default_value(duration_word(preset.settle.most_seconds)),
      "longest training before the measured steps until step time and clock are steady; 0: none, the runs "
      "are "
      "bursts");
  add("settle-tolerance", po::value(&s.settle_tolerance)->default_value("0.5%"),
      "two successive windows of at least 0.2 s that differ by at most this are steady");
  add("steps", po::value(&o.steps)->default_value(preset.steps),
      "recorded steps of a run; with --until the largest number of them");
  add("seconds", po::value(&s.seconds)->default_value(duration_word(preset.seconds)),
      "time of the measured steps at least; then a recorded step stands for several. Not with --settle 0 or "
      "--until");
  add("until", po::value(&s.until)->value_name("loss=X"),
      "train until the loss is X, or accuracy=X on the data set's test part");
  add("eval-every", po::value(&o.eval_every)->default_value(preset.eval_every),
      "steps between two evaluations of the --until target");
  add("smooth", po::value(&o.smooth)->default_value(preset.smooth),
      "steps over which --until averages the loss");
  add("repeats", po::value(&o.repeats)->default_value(preset.repeats), "runs of each case, interleaved");
  add("target-ci", po::value(&s.target_ci)->value_name("SHARE"),
      "end a case once the half-width of its 95 % intervals is at most this, such as 1%; at most --repeats "
      "runs");
  add("order", po::value(&s.order)->default_value("random"),
      "order of the cases in each repeat: random, random:N (another one for each N), or listed");
  add("loss-budget", po::bool_switch(&o.loss_budget),
      "also measure each GPU's share of the work on a single GPU, so that every part of the loss budget is "
      "measured");
  add("seed", po::value(&o.seed)->default_value(preset.seed), "seed of parameters, data, dropout and order");
  add("dataset", po::value(&o.dataset), "HDF5 file with 'features' and 'targets' instead of synthetic data");
  add("samples", po::value(&o.samples)->default_value(preset.samples), "size of the synthetic data set");
  add("optimizer", po::value(&s.optimizer)->default_value("adam"), "adam or sgd");
  add("learning-rate", po::value(&o.learning_rate)->default_value(preset.learning_rate, "0.001"),
      "learning rate of the optimizer");
  return text;
}

po::options_description describe_autotuning(RunOptions& o, Spelled& s, const RunOptions& preset) {
  po::options_description text("Autotuning, for --strategies auto");
  const auto add = [&](const char* name, auto* value, const char* meaning) {
    text.add_options()(name, value, meaning);
  };
  add("candidates",
      po::value(&s.candidates)->default_value(join_list(preset.axes.candidates))->value_name("LIST"),
      "candidates of 'auto', on every number of --gpus: exact, lossy, or strategies by name");
  add("probe-steps", po::value(&o.probe_steps)->default_value(preset.probe_steps),
      "steps of each candidate in the first round; each further round keeps half of them and doubles the "
      "steps");
  add("evidence", po::value(&o.evidence)->value_name("FILE"),
      "results file of this machine, from which 'auto' predicts which candidates need no probe");
  return text;
}

po::options_description describe_launch_options(RunOptions& o, Spelled& s, const RunOptions& preset) {
  po::options_description text("Launch and output");
  const auto add = [&](const char* name, auto* value, const char* meaning) {
    text.add_options()(name, value, meaning);
  };
  add("backend", po::value(&o.backend)->default_value("auto"), "cuda, host, or auto");
  add("gemm-table", po::value(&o.gemm_table)->value_name("FILE"), gemm_table_meaning);
  add("share-gpus", po::bool_switch(&o.share_gpus),
      "allow several ranks on one GPU (they communicate over MPI)");
  add("timeout", po::value(&o.timeout_seconds)->default_value(preset.timeout_seconds),
      "time limit in seconds for one run");
  add("memory-limit", po::value(&s.memory_limit)->value_name("SIZE"),
      "refuse a case that needs more memory per rank than this, such as 12GB");
  add("nccl", po::value(&s.nccl)->composing()->value_name("NAME=VALUE"), "NCCL variable to set; repeatable");
  add("output", po::value(&o.output)->default_value(preset.output), "results file");
  add("append", po::bool_switch(&o.append), "add a launch to the results file");
  add("resume", po::bool_switch(&o.resume), "finish the interrupted launch in the results file");
  add("dry-run", po::bool_switch(&o.dry_run), "print the plan and stop");
  add("config", po::value(&s.config), "file with these options, one 'name = value' per line");
  text.add_options()("help", "print this help");
  return text;
}

Axes split_axes(const Spelled& s) {
  Axes split;
  for (const AxisInfo& info : axes()) {
    if (!info.option.empty()) split[info.axis] = split_list(s.axes[index_of(info.axis)]);
  }
  split.cases = s.cases;
  return split;
}

// The command line, then the --config file. Old option names become new ones.
void store_options(int argc, char** argv, const po::options_description& visible, po::variables_map& given,
                   std::vector<std::string>& warnings) {
  po::options_description all;
  all.add(visible).add(old_names_of(visible));
  po::parsed_options parsed = po::command_line_parser(argc, argv).options(all).positional({}).run();
  rename_options(parsed, warnings);
  po::store(parsed, given);
  if (given.count("help") != 0 || given.count("config") == 0) return;
  const std::string path = given["config"].as<std::string>();
  std::ifstream file(path);
  if (!file) throw po::error(fmt::format("--config '{}' cannot be read", path));
  po::parsed_options of_file = po::parse_config_file(file, all);
  rename_options(of_file, warnings);
  po::store(of_file, given);
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
      {"optimizer", o.optimizer == OptimizerKind::adam ? "adam" : "sgd"},
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
                                                                 const RunOptions& defaults) {
  RunOptions options;
  Spelled spelled;
  po::options_description all;
  all.add(describe_axes(spelled, defaults.axes));
  all.add(describe_protocol(options, spelled, defaults));
  if (!defaults.axes.candidates.empty()) all.add(describe_autotuning(options, spelled, defaults));
  all.add(describe_launch_options(options, spelled, defaults));
  try {  // a wrong option is returned as a value: no rank may end alone
    po::variables_map given;
    store_options(argc, argv, all, given, options.warnings);
    if (given.count("help") != 0) {
      std::ostringstream text;
      text << "breakeven " << argv[0] << " [OPTION...]\n" << all;
      return HelpText{text.str()};
    }
    po::notify(given);
  } catch (const po::error& error) {
    return UsageError{fmt::format("{} (--help lists the options)", error.what())};
  }
  const std::string wrong = read_values(spelled, options);
  if (!wrong.empty()) return UsageError{wrong};
  options.axes = split_axes(spelled);
  if (!defaults.axes.candidates.empty()) options.axes.candidates = split_list(spelled.candidates);
  options.optimizer = spelled.optimizer == "adam" ? OptimizerKind::adam : OptimizerKind::sgd;
  return options;
}

}  // namespace breakeven::measure
