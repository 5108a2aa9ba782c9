// SPDX-License-Identifier: Apache-2.0
// `breakeven predict FILE...`: the best configuration on numbers of GPUs that are not here, from results
// files. Needs no GPU and no launcher.
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/core/model/model_shape.h"
#include "src/core/text/number_value.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/predict/topology_file.h"
#include "src/report/scaling_report.h"

namespace breakeven::command {
namespace {

namespace po = boost::program_options;

constexpr int most_gpus = 65536;
constexpr std::uint32_t largest_batch = 1u << 31;  // global

// Failures and checkpoints.
struct GoodputWords {
  double mtbf_hours = 0;
  double checkpoint_seconds = 0;
  double restart_seconds = 300;
  double job_hours = 720;
  std::string interval = "auto";
  std::string disk_bandwidth{};
};

struct PredictOptions {
  std::vector<std::string> files;
  report::ScalingRequest request;
  int hold_out_gpus = 0;  // 0: nothing is held out
  report::ReportFormat format = report::ReportFormat::text;
};

struct PredictWords {
  std::string gpus = "2..64";
  double min_efficiency_percent = 25;
  std::string scaling{name_of(Scaling::strong)};
  std::string topology, precisions, memory_limit;
  GoodputWords goodput{};
  OutputWords output{};
};

void describe_goodput(GoodputWords& words, po::options_description_easy_init& add) {
  add("mtbf", number_value(&words.mtbf_hours)->value_name("HOURS"),
      "mean time between failures of one GPU; adds goodput");
  add("checkpoint-seconds", number_value(&words.checkpoint_seconds)->value_name("SECONDS"),
      "time that a checkpoint takes");
  add("disk-bandwidth", po::value(&words.disk_bandwidth)->value_name("RATE"),
      "instead: bandwidth at which a checkpoint writes the model's state, such as 20GB/s");
  add("checkpoint-interval", po::value(&words.interval)->default_value(words.interval)->value_name("TIME"),
      "seconds of work between checkpoints, or auto");
  add("restart-seconds", number_value(&words.restart_seconds)->default_value(words.restart_seconds),
      "time from a failure until training goes on");
  add("job-hours", number_value(&words.job_hours)->default_value(words.job_hours),
      "hours of work, without any loss");
}

po::options_description describe(PredictOptions& o, PredictWords& words) {
  po::options_description visible("breakeven predict FILE... --model M --batch B --gpus 8..4096 [OPTION...]");
  auto add = visible.add_options();
  predict::Query& query = o.request.query;
  add("model", po::value(&query.model)->value_name("MODEL"),
      "model by name, or by its layer widths, such as 784-2048-10");
  add("batch", number_value(&query.batch), "samples a step over all GPUs (with weak scaling: on each GPU)");
  add("gpus", po::value(&words.gpus)->default_value(words.gpus)->value_name("LIST"),
      "numbers of GPUs; 8..4096 means 8, 16, ... 4096, and 6..24 means 6, 8, 12, 16, 24");
  add("scaling", po::value(&words.scaling)->default_value(words.scaling)->value_name("NAME"),
      "strong: global batch fixed; weak: batch per GPU fixed");
  add("topology", po::value(&words.topology)->value_name("FILE"),
      "the machine's network, as in jobs/topologies (default: all links as measured)");
  add("precisions", po::value(&words.precisions)->value_name("LIST"),
      "precisions to choose from (default: all that were measured)");
  add("lossy", po::bool_switch(&query.with_lossy),
      "also consider strategies that do not compute the same as one GPU");
  add("memory-limit", po::value(&words.memory_limit)->value_name("SIZE"),
      "memory of a GPU, such as 12GB (default: as measured)");
  add("min-efficiency",
      number_value(&words.min_efficiency_percent)
          ->value_name("PERCENT")
          ->default_value(words.min_efficiency_percent),
      "recommend no number of GPUs whose speed-up is under this percentage of perfect scaling");
  add("price", number_value(&o.request.price_an_hour)->default_value(0), "price of one GPU for an hour");
  describe_goodput(words.goodput, add);
  add("hold-out-gpus", number_value(&o.hold_out_gpus)->value_name("N"),
      "instead: predict the file's own cases on N GPUs from those on fewer, and show the errors");
  describe_output(visible, words.output);
  return visible;
}

// The functions below fill in what the words say, and return what is wrong with them, or "".

bool is_positive(double number) { return number > 0 && std::isfinite(number); }

// What is wrong with a number by itself, with --mtbf or without.
std::string problem_of_goodput(const GoodputWords& words) {
  if (!(words.mtbf_hours >= 0)) return "--mtbf must be a positive number of hours";
  if (!(words.checkpoint_seconds >= 0)) return "--checkpoint-seconds must be a positive number";
  if (!is_positive(words.restart_seconds)) return "--restart-seconds must be a positive number";
  if (!is_positive(words.job_hours)) return "--job-hours must be a positive number";
  if (!words.disk_bandwidth.empty() && !parse_bandwidth(words.disk_bandwidth))
    return fmt::format("--disk-bandwidth '{}' is not a rate such as 20GB/s", words.disk_bandwidth);
  if (words.interval != "auto" && !(parse_number<double>(words.interval).value_or(0) > 0))
    return fmt::format("--checkpoint-interval '{}' is neither auto nor a positive number of seconds",
                       words.interval);
  return "";
}

std::string read_goodput(const GoodputWords& words, report::GoodputRequest& request) {
  if (std::string wrong = problem_of_goodput(words); !wrong.empty() || words.mtbf_hours == 0) return wrong;
  if (words.checkpoint_seconds == 0 && words.disk_bandwidth.empty())
    return "--mtbf needs --checkpoint-seconds, or --disk-bandwidth such as 20GB/s";
  request.gpu_mtbf_seconds = 3600 * words.mtbf_hours;
  request.restart_seconds = words.restart_seconds;
  request.job_seconds = 3600 * words.job_hours;
  if (words.checkpoint_seconds != 0)
    request.checkpoint_seconds = words.checkpoint_seconds;
  else
    request.disk_bytes_per_second = *parse_bandwidth(words.disk_bandwidth);
  if (words.interval != "auto") request.interval_seconds = *parse_number<double>(words.interval);
  return "";
}

std::string problem_of_query(const report::ScalingRequest& request) {
  const predict::Query& query = request.query;
  if (query.model.empty()) return "--model is missing: a named model, or its widths as in 784-2048-10";
  if (query.batch == 0) return "--batch is missing or 0: pass a whole number of samples from 1 on";
  if (!(request.price_an_hour >= 0) || !std::isfinite(request.price_an_hour))
    return "--price must be a number that is not negative";
  if (request.scaling == Scaling::weak && query.batch > largest_batch / request.gpus.back())
    return fmt::format("--batch {} a GPU is over {} samples a step on {} GPUs", query.batch, largest_batch,
                       request.gpus.back());
  if (request.gpus.back() > gpus_of(request.machine))
    return fmt::format("--gpus {} is more than the {} GPUs of the topology", request.gpus.back(),
                       predict::gpus_of(request.machine));
  return "";
}

std::string read_words(const PredictWords& words, report::ScalingRequest& request) {
  const auto gpus = parse_doublings(words.gpus, most_gpus);
  if (!gpus)
    return fmt::format(
        "--gpus '{}' is not a list of whole numbers from 1 to {}, or of ranges such as 8..4096", words.gpus,
        most_gpus);
  request.gpus = *gpus;
  if (request.gpus.front() > 1) request.gpus.insert(request.gpus.begin(), 1);
  if (!(words.min_efficiency_percent >= 0 && words.min_efficiency_percent <= 100))
    return "--min-efficiency must be a percentage from 0 to 100";
  request.least_efficiency = words.min_efficiency_percent / 100;
  const auto scaling = find_value<Scaling>(words.scaling);
  if (!scaling) return problem_of_word("scaling", words.scaling, all_words<Scaling>());
  request.scaling = *scaling;
  if (!words.precisions.empty()) {
    const std::string wrong = add_precisions(words.precisions, request.query.precisions);
    if (!wrong.empty()) return wrong;
  }
  if (const std::string wrong = read_memory_limit(words.memory_limit, request.query.memory_limit_bytes);
      !wrong.empty())
    return wrong;
  if (const std::string wrong = read_goodput(words.goodput, request.goodput); !wrong.empty()) return wrong;
  request.machine = predict::machine_as_measured();
  if (words.topology.empty()) return "";
  const auto machine = predict::read_topology(words.topology);
  if (const auto* error = std::get_if<UsageError>(&machine)) return error->sentence;
  request.machine = std::get<predict::Machine>(machine);
  return "";
}

std::string read(const PredictWords& words, PredictOptions& options) {
  if (options.files.empty())
    return "predict needs a results file: breakeven predict FILE --model M --batch B --gpus 8..4096";
  if (options.hold_out_gpus == 1) return "--hold-out-gpus must be a number of GPUs from 2 on";
  std::string wrong = read_output(words.output, options.files, options.format);
  if (wrong.empty()) wrong = read_words(words, options.request);
  if (wrong.empty() && options.hold_out_gpus == 0) wrong = problem_of_query(options.request);
  return wrong;
}

// Other numbers of GPUs are predicted from the model's layers.
std::string problem_of_layers(const PredictOptions& options, const Results& results) {
  const predict::Query& query = options.request.query;
  if (options.hold_out_gpus > 0 || CaseModel(query.model).known() != nullptr) return "";
  if (std::string wrong = problem_of_model(query.model, results); !wrong.empty()) return wrong;
  return fmt::format(
      "predict computes with a model's layers, and breakeven does not know those of '{}', which its own "
      "program recorded. For the numbers of GPUs that were measured, "
      "run: breakeven advise {} --model {} --batch {}",
      query.model, results.path, query.model, query.batch);
}

}  // namespace

ExitCode predict_command(int argc, char** argv) {
  PredictOptions options;
  PredictWords words;
  if (const auto done =
          read_words("predict", argc, argv, describe(options, words), {{"file", &options.files}}))
    return *done;
  if (const std::string wrong = read(words, options); !wrong.empty()) return refuse("predict", wrong);
  const Results results = hdf5::read_all_results(options.files);
  if (const std::string wrong = problem_of_layers(options, results); !wrong.empty())
    return refuse("predict", wrong);
  options.request.query.limit_to_devices(results);
  const analysis::FileAnalysis analysis(results);
  write_text(options.hold_out_gpus > 0
                 ? report::make_hold_out_report(analysis, options.hold_out_gpus, options.format)
                 : report::make_scaling_report(analysis, options.request, options.format),
             words.output.path, "the prediction");
  return ExitCode::success;
}

}  // namespace breakeven::command
