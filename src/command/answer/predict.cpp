// SPDX-License-Identifier: Apache-2.0
// `breakeven predict FILE...`: the best configuration on numbers of GPUs that are not here, from results
// files. Needs no GPU and no launcher.
#include <cmath>
#include <limits>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "src/command/answer/file_command.h"
#include "src/command/answer/shared_options.h"
#include "src/command/command.h"
#include "src/core/model/model_shape.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/predict/topology_file.h"
#include "src/report/predict/scaling_report.h"

namespace breakeven::command {
namespace {

constexpr int most_gpus = 65536;
constexpr std::uint32_t largest_batch = 1u << 31;  // global

constexpr double not_given = std::numeric_limits<double>::infinity();  // which no option may be

struct PredictOptions {
  std::vector<std::string> files;
  report::ScalingRequest request;
  double mtbf_hours = not_given;
  double checkpoint_seconds = not_given;
  double job_hours = 720;
  int hold_out_gpus = 0;  // 0: nothing is held out
  AnswerPlace place;
};

// The functions below store what a text or several numbers mean, and return what is wrong with them, or "".

std::string read_gpus(const std::string& list, report::ScalingRequest& request) {
  const auto gpus = parse_doublings(list, most_gpus);
  if (!gpus)
    return fmt::format(
        "--gpus '{}' is not a list of whole numbers from 1 to {}, or of ranges such as 8..4096", list,
        most_gpus);
  request.gpus = *gpus;
  if (request.gpus.front() > 1) request.gpus.insert(request.gpus.begin(), 1);
  return "";
}

std::string read_scaling(const std::string& word, Scaling& scaling) {
  const auto known = find_value<Scaling>(word);
  if (!known) return problem_of_word("scaling", word, all_words<Scaling>());
  scaling = *known;
  return "";
}

std::string read_machine(const std::string& path, predict::Machine& machine) {
  const auto read = predict::read_topology(path);
  if (const auto* error = std::get_if<UsageError>(&read)) return error->sentence;
  machine = std::get<predict::Machine>(read);
  return "";
}

std::string read_disk(const std::string& text, report::GoodputRequest& request) {
  const auto bandwidth = parse_bandwidth(text);
  if (!bandwidth) return fmt::format("--disk-bandwidth '{}' is not a rate such as 20GB/s", text);
  request.disk_bytes_per_second = *bandwidth;
  return "";
}

std::string read_interval(const std::string& text, report::GoodputRequest& request) {
  if (text == "auto") return "";
  request.interval_seconds = parse_number<double>(text);
  if (request.interval_seconds.value_or(0) > 0) return "";
  return fmt::format("--checkpoint-interval '{}' is neither auto nor a positive number of seconds", text);
}

std::string read_least_efficiency(const std::string& text, double& share) {
  if (parse_share(text, share)) return "";
  if (text != "0")
    return fmt::format("--min-efficiency '{}' is neither 0 nor a share such as 25% or 0.25", text);
  share = 0;
  return "";
}

bool is_positive(double number) { return number > 0 && std::isfinite(number); }

std::string check_goodput(PredictOptions& o) {
  report::GoodputRequest& request = o.request.goodput;
  if (!(o.mtbf_hours > 0)) return "--mtbf must be a positive number of hours";
  if (!(o.checkpoint_seconds > 0)) return "--checkpoint-seconds must be a positive number";
  if (!is_positive(request.restart_seconds)) return "--restart-seconds must be a positive number";
  if (!is_positive(o.job_hours)) return "--job-hours must be a positive number";
  if (o.mtbf_hours == not_given) return "";
  if (o.checkpoint_seconds == not_given && request.disk_bytes_per_second == 0)
    return "--mtbf needs --checkpoint-seconds, or --disk-bandwidth such as 20GB/s";
  request.gpu_mtbf_seconds = 3600 * o.mtbf_hours;
  request.job_seconds = 3600 * o.job_hours;
  if (o.checkpoint_seconds != not_given) request.checkpoint_seconds = o.checkpoint_seconds;
  return "";
}

std::string check_query(const report::ScalingRequest& request) {
  const predict::Query& query = request.query;
  if (std::string wrong = problem_of_case(query); !wrong.empty()) return wrong;
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

std::string check_all(PredictOptions& o) {
  if (o.hold_out_gpus == 1) return "--hold-out-gpus must be a number of GPUs from 2 on";
  if (std::string wrong = check_goodput(o); !wrong.empty()) return wrong;
  return o.hold_out_gpus == 0 ? check_query(o.request) : "";
}

void add_goodput(CommandOptions& options, PredictOptions& o) {
  report::GoodputRequest& request = o.request.goodput;
  options.add_without_default("mtbf", o.mtbf_hours, "mean time between failures of one GPU; adds goodput",
                              "HOURS");
  options.add_without_default("checkpoint-seconds", o.checkpoint_seconds, "time that a checkpoint takes",
                              "SECONDS");
  options.add(
      "disk-bandwidth", "",
      "instead: bandwidth at which a checkpoint writes the model's state, such as 20GB/s",
      [&request](const std::string& text) { return read_disk(text, request); }, "RATE");
  options.add(
      "checkpoint-interval", "auto", "seconds of work between checkpoints, or auto",
      [&request](const std::string& text) { return read_interval(text, request); }, "TIME");
  options.add("restart-seconds", request.restart_seconds, "time from a failure until training goes on");
  options.add("job-hours", o.job_hours, "hours of work, without any loss");
}

void add_scaling(CommandOptions& options, report::ScalingRequest& request) {
  request.machine = predict::machine_as_measured();
  options.add_list("gpus", "2..64",
                   "numbers of GPUs; 8..4096 means 8, 16, ... 4096, and 6..24 means 6, 8, 12, 16, 24",
                   [&request](const std::string& list) { return read_gpus(list, request); });
  options.add("scaling", std::string(name_of(Scaling::strong)),
              "strong: global batch fixed; weak: batch per GPU fixed",
              [&request](const std::string& word) { return read_scaling(word, request.scaling); });
  options.add(
      "topology", "", "the machine's network, as in jobs/topologies (default: all links as measured)",
      [&request](const std::string& path) { return read_machine(path, request.machine); }, "FILE");
}

void add_options(CommandOptions& options, PredictOptions& o) {
  options.add_positional("file", o.files);
  options.check([&o] {
    return o.files.empty()
               ? "predict needs a results file: breakeven predict FILE --model M --batch B --gpus 8..4096"
               : "";
  });
  add_model_and_batch(options, "samples a step over all GPUs (with weak scaling: on each GPU)",
                      o.request.query);
  add_scaling(options, o.request);
  add_limits(options, o.request.query);
  options.add(
      "min-efficiency", "25%",
      "recommend no number of GPUs whose speed-up is under this share of perfect scaling",
      [&o](const std::string& text) { return read_least_efficiency(text, o.request.least_efficiency); },
      "SHARE");
  options.add("price", o.request.price_an_hour, "price of one GPU for an hour");
  add_goodput(options, o);
  options.add_without_default(
      "hold-out-gpus", o.hold_out_gpus,
      "instead: predict the file's own cases on N GPUs from those on fewer, and show the errors");
  add_format_and_output(options, o.place);
  options.check([&o] { return check_all(o); });
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
  PredictOptions o;
  CommandOptions options("breakeven predict FILE... --model M --batch B --gpus 8..4096 [OPTION...]");
  add_options(options, o);
  if (const auto done = read_options("predict", argc, argv, options)) return *done;
  const Results results = hdf5::read_all_results(o.files);
  if (const std::string wrong = problem_of_layers(o, results); !wrong.empty())
    return refuse("predict", wrong);
  o.request.query.limit_to_devices(results);
  const analysis::FileAnalysis analysis(results);
  write_text(o.hold_out_gpus > 0 ? report::make_hold_out_report(analysis, o.hold_out_gpus, o.place.format)
                                 : report::make_scaling_report(analysis, o.request, o.place.format),
             o.place.path, "the prediction");
  return ExitCode::success;
}

}  // namespace breakeven::command
