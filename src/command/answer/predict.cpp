// SPDX-License-Identifier: Apache-2.0
// `breakeven predict FILE...`: the best way on numbers of GPUs that are not here, from results files. Needs
// no GPU and no launcher.
#include <cmath>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/goodput_options.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/model/model_shape.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/predict/topology_file.h"
#include "src/report/hold_out_report.h"
#include "src/report/report_format.h"
#include "src/report/scaling_report.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

constexpr int most_gpus = 65536;
constexpr std::uint32_t largest_batch = 1u << 31;  // global

struct PredictOptions {
  std::vector<std::string> files;
  ScalingRequest request;
  int hold_out_gpus = 0;  // 0: nothing is held out
  ReportFormat format = ReportFormat::text;
  std::string output;  // "": standard output
};

struct Words {
  std::string gpus, scaling, topology, format, precisions, memory_limit;
  GoodputWords goodput;
};

po::options_description describe(PredictOptions& o, Words& words) {
  po::options_description visible("breakeven predict FILE... --model M --batch B --gpus 8..4096 [OPTION...]");
  auto add = visible.add_options();
  Query& query = o.request.query;
  add("model", po::value(&query.model), "a named model, or its widths as in 784-2048-10");
  add("batch", po::value(&query.batch), "samples a step over all GPUs (weak scaling: on each)");
  add("gpus", po::value(&words.gpus)->default_value("2..64"),
      "numbers and ranges: 8..4096 is 8, 16, ... 4096");
  add("scaling", po::value(&words.scaling)->default_value(std::string(name_of(Scaling::strong))),
      "strong: global batch fixed; weak: batch per GPU fixed");
  add("topology", po::value(&words.topology)->value_name("FILE"),
      "the machine's levels, as in jobs/topologies; without it all links are as measured");
  add("precisions", po::value(&words.precisions)->value_name("LIST"),
      "those that will do; all measured ones");
  add("lossy", po::bool_switch(&query.with_lossy),
      "strategies that do not compute what one GPU computes, too");
  add("memory-limit", po::value(&words.memory_limit)->value_name("SIZE"), "of a GPU, such as 12GB");
  add("price", po::value(&o.request.price_an_hour)->default_value(0), "of one GPU for an hour");
  describe_goodput(visible, words.goodput);
  add("hold-out-gpus", po::value(&o.hold_out_gpus)->value_name("N"),
      "predict the file's own cases on N GPUs from those on fewer, and show the errors");
  add("format", po::value(&words.format)->default_value("text"), "text, markdown, csv or json");
  add("output", po::value(&o.output)->value_name("FILE"), "where to write instead of standard output");
  add("help", "print this text");
  return visible;
}

// What is wrong with the question, or "".
std::string problem_of_question(const ScalingRequest& request) {
  const Query& query = request.query;
  if (query.model.empty()) return "--model is missing: a named model, or its widths as in 784-2048-10";
  const auto shape = parse_model(query.model);
  if (const auto* error = std::get_if<UsageError>(&shape)) return error->sentence;
  if (query.batch == 0) return "--batch is missing or 0: pass a whole number of samples from 1 on";
  if (!(request.price_an_hour >= 0) || !std::isfinite(request.price_an_hour))
    return "--price must be a number from 0 on";
  if (request.scaling == Scaling::weak && query.batch > largest_batch / request.gpus.back())
    return fmt::format("--batch {} a GPU is over {} samples a step on {} GPUs", query.batch, largest_batch,
                       request.gpus.back());
  if (request.gpus.back() > gpus_of(request.machine))
    return fmt::format("--gpus {} is more than the {} GPUs of the topology", request.gpus.back(),
                       gpus_of(request.machine));
  return "";
}

// Fills in what the words say; what is wrong with them, or "".
std::string read_words(const Words& words, ScalingRequest& request) {
  const auto gpus = parse_doublings(words.gpus, most_gpus);
  if (!gpus)
    return fmt::format(
        "--gpus '{}' is not a list of whole numbers from 1 to {}, or of ranges such as 8..4096", words.gpus,
        most_gpus);
  request.gpus = *gpus;
  if (request.gpus.front() > 1) request.gpus.insert(request.gpus.begin(), 1);
  const auto scaling = find_value<Scaling>(words.scaling);
  if (!scaling) return problem_of_word("scaling", words.scaling, all_words<Scaling>());
  request.scaling = *scaling;
  if (!words.precisions.empty()) {
    const std::string wrong = add_precisions(words.precisions, request.query.precisions);
    if (!wrong.empty()) return wrong;
  }
  if (!words.memory_limit.empty() && !parse_bytes(words.memory_limit, request.query.memory_limit_bytes))
    return fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB", words.memory_limit);
  if (const std::string wrong = read_goodput(words.goodput, request.goodput); !wrong.empty()) return wrong;
  request.machine = machine_as_measured();
  if (words.topology.empty()) return "";
  const auto machine = read_topology(words.topology);
  if (const auto* error = std::get_if<UsageError>(&machine)) return error->sentence;
  request.machine = std::get<Machine>(machine);
  return "";
}

std::variant<PredictOptions, UsageError, HelpText> parse_predict_options(int argc, char** argv) {
  PredictOptions options;
  Words words;
  const auto read = read_command_line(argc, argv, describe(options, words), {{"file", &options.files}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  if (options.files.empty())
    return UsageError{
        "predict needs a results file: breakeven predict FILE --model M --batch B --gpus 8..4096"};
  if (is_one_of_files(options.output, options.files))
    return UsageError{"--output would overwrite the results file itself"};
  const auto parsed = parse_format(words.format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return *error;
  options.format = std::get<ReportFormat>(parsed);
  if (options.hold_out_gpus == 1 || options.hold_out_gpus < 0)
    return UsageError{"--hold-out-gpus is a number of GPUs from 2 on"};
  std::string sentence = read_words(words, options.request);
  if (sentence.empty() && options.hold_out_gpus == 0) sentence = problem_of_question(options.request);
  if (!sentence.empty()) return UsageError{sentence};
  return options;
}

}  // namespace

ExitCode predict_command(int argc, char** argv) {
  const auto parsed = parse_predict_options(argc, argv);
  if (const auto code = answered("predict", parsed)) return *code;
  const auto& options = std::get<PredictOptions>(parsed);
  const Results results = read_all_results(options.files);
  const std::string text = options.hold_out_gpus > 0
                               ? make_hold_out_report(results, options.hold_out_gpus, options.format)
                               : make_scaling_report(results, options.request, options.format);
  write_text(text, options.output, "the prediction");
  return ExitCode::success;
}

}  // namespace breakeven
