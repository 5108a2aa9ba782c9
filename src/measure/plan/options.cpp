// SPDX-License-Identifier: Apache-2.0
// All options of `run` and `verify` (Boost.ProgramOptions).
#include "src/measure/plan/options.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/strategy/description.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/number_value.h"
#include "src/core/text/text_file.h"
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

void describe_training(RunOptions& o, Spelled& s, const RunOptions& preset, po::options_description& text) {
  auto add = text.add_options();
  add("seed", number_value(&o.seed)->default_value(preset.seed),
      "seed of parameters, data, dropout and order");
  add("dataset", po::value(&o.dataset)->value_name("FILE"),
      "HDF5 file with 'features' and 'targets' instead of synthetic data");
  add("samples", number_value(&o.samples)->default_value(preset.samples), "size of the synthetic data set");
  add("optimizer", po::value(&s.optimizer)->default_value("adam")->value_name("NAME"), "adam or sgd");
  add("learning-rate", number_value(&o.learning_rate)->default_value(preset.learning_rate, "0.001"),
      "learning rate of the optimizer");
}

po::options_description describe_protocol(RunOptions& o, Spelled& s, const RunOptions& preset) {
  po::options_description text("Protocol");
  auto add = text.add_options();
  add("warmup", number_value(&o.warmup)->default_value(preset.warmup),
      "steps before the measured ones, at least 2");
  add("settle",
      po::value(&s.settle)->default_value(duration_word(preset.settle.most_seconds))->value_name("TIME"),
      "train at most this long before the measured steps, until step time and clock are steady; 0: not at "
      "all (bursts)");
  add("settle-tolerance", po::value(&s.settle_tolerance)->default_value("0.5%")->value_name("SHARE"),
      "successive windows of at least 0.2 s that differ by at most this are steady");
  add("steps", number_value(&o.steps)->default_value(preset.steps),
      "recorded steps of a run; with --until the largest number of them");
  add("seconds", po::value(&s.seconds)->default_value(duration_word(preset.seconds))->value_name("TIME"),
      "time of the measured steps at least; then a recorded step stands for several. Not with --settle 0 or "
      "--until");
  add("until", po::value(&s.until)->value_name("loss=X"),
      "train until the loss is X, or accuracy=X on the data set's test part");
  add("eval-every", number_value(&o.eval_every)->default_value(preset.eval_every),
      "steps between two evaluations of the --until target");
  add("smooth", number_value(&o.smooth)->default_value(preset.smooth),
      "steps over which --until averages the loss");
  add("repeats", number_value(&o.repeats)->default_value(preset.repeats), "runs of each case, interleaved");
  add("target-ci", po::value(&s.target_ci)->value_name("SHARE"),
      "stop repeating a case once its 95 % intervals are within this of their centre, such as 1%; at most "
      "--repeats runs");
  add("order", po::value(&s.order)->default_value("random")->value_name("ORDER"),
      "order of the cases in each repeat: random, random:N (another one for each N), or listed");
  add("loss-budget", po::bool_switch(&o.loss_budget),
      "also measure each GPU's share of the work on a single GPU, so that every part of the loss budget is "
      "measured");
  describe_training(o, s, preset, text);
  return text;
}

po::options_description describe_autotuning(RunOptions& o, Spelled& s, const RunOptions& preset) {
  po::options_description text("Autotuning, for --strategies auto");
  auto add = text.add_options();
  add("candidates",
      po::value(&s.candidates)->default_value(join_list(preset.axes.candidates))->value_name("LIST"),
      "candidates of 'auto', on every number of --gpus: exact, lossy, or strategies by name");
  add("probe-steps", number_value(&o.probe_steps)->default_value(preset.probe_steps),
      "steps of each candidate in the first round; each further round keeps half of them and doubles the "
      "steps");
  add("evidence", po::value(&o.evidence)->value_name("FILE"),
      "results file of this machine, from which 'auto' predicts which candidates need no probe");
  return text;
}

constexpr std::array drawn_options{"cases",   "dataset",       "warmup",   "steps",
                                   "samples", "learning-rate", "optimizer"};

po::options_description describe_random(RunOptions& o) {
  po::options_description text("Random cases, in place of axes and protocol");
  text.add_options()("random", number_value(&o.random_cases), "verify N random cases; --seed names them");
  text.add_options()("random-case", number_value<std::uint32_t>(), "only case N of them");
  return text;
}

// What --random draws cannot be given too. Returns what is wrong, or "".
std::string read_random(const po::variables_map& given, RunOptions& o) {
  if (given.count("random-case") != 0) o.random_case = given["random-case"].as<std::uint32_t>();
  if (o.random_case && !(*o.random_case < o.random_cases))
    return fmt::format("--random-case {} is not below --random {}", *o.random_case, o.random_cases);
  if (o.random_cases == 0) return "";
  std::vector<std::string> drawn(drawn_options.begin(), drawn_options.end());
  for (const AxisInfo& info : axes()) drawn.emplace_back(info.option);
  for (const std::string& option : drawn) {
    if (!option.empty() && given.count(option) != 0 && !given[option].defaulted())
      return fmt::format("--random draws --{} itself. Leave one of the two out", option);
  }
  return "";
}

po::options_description describe_launch_options(RunOptions& o, Spelled& s, const RunOptions& preset) {
  po::options_description text("Launch and output");
  auto add = text.add_options();
  add("backend", po::value(&o.backend)->default_value("auto")->value_name("NAME"), "cuda, host, or auto");
  add("gemm-table", po::value(&o.gemm_table)->value_name("FILE"), gemm_table_meaning);
  add("share-gpus", po::bool_switch(&o.share_gpus), share_gpus_meaning);
  add("timeout", number_value(&o.timeout_seconds)->default_value(preset.timeout_seconds),
      "time limit in seconds for one run, and for each part of a launch around the runs");
  add("memory-limit", po::value(&s.memory_limit)->value_name("SIZE"),
      "refuse a case that needs more memory per rank than this, such as 12GB");
  add("nccl", po::value(&s.nccl)->composing()->value_name("NAME=VALUE"), "NCCL variable to set; repeatable");
  add("output", po::value(&o.output)->default_value(preset.output)->value_name("FILE"), "results file");
  add("append", po::bool_switch(&o.append), "add a launch to the results file");
  add("resume", po::bool_switch(&o.resume), "finish the interrupted launch in the results file");
  add("dry-run", po::bool_switch(&o.dry_run), "print the plan and stop");
  add("config", po::value(&s.config)->value_name("FILE"),
      "file with these options, one 'name = value' per line");
  text.add_options()("help,h", "print this help");
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
  const auto text = read_text_file(path);
  if (const auto* error = std::get_if<UsageError>(&text))
    throw po::error(fmt::format("--config '{}' {}", path, error->sentence));
  std::istringstream lines(std::get<std::string>(text));
  po::parsed_options of_file = po::parse_config_file(lines, all);
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
  const bool verifies = defaults.axes.candidates.empty();
  if (!verifies) all.add(describe_autotuning(options, spelled, defaults));
  if (verifies) all.add(describe_random(options));
  all.add(describe_launch_options(options, spelled, defaults));
  try {  // a wrong option is returned as a value: no rank may end alone
    po::variables_map given;
    store_options(argc, argv, all, given, options.warnings);
    if (given.count("help") != 0) {
      std::ostringstream text;
      text << help_head(fmt::format("mpirun -np N breakeven {} [OPTION...]", argv[0])) << all;
      return HelpText{text.str()};
    }
    po::notify(given);
    const std::string wrong = verifies ? read_random(given, options) : "";
    if (!wrong.empty()) return UsageError{wrong};
  } catch (po::error& error) {
    return refuse_words(error, all);
  }
  const std::string wrong = read_values(spelled, options);
  if (!wrong.empty()) return UsageError{wrong};
  options.axes = split_axes(spelled);
  if (!verifies) options.axes.candidates = split_list(spelled.candidates);
  options.optimizer = spelled.optimizer == "adam" ? OptimizerKind::adam : OptimizerKind::sgd;
  return options;
}

}  // namespace breakeven::measure
