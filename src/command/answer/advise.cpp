// SPDX-License-Identifier: Apache-2.0
// `breakeven advise FILE...`: which way to train a model, from results files. Needs no GPU and no launcher.
#include <cmath>
#include <cstdio>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/model/model_shape.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/report/advice_report.h"
#include "src/report/report_format.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct AdviseOptions {
  std::vector<std::string> files;
  AdviceRequest request;
  Purchase purchase;  // of the request where there is one
  ReportFormat format = ReportFormat::text;
  std::string output;  // "": standard output
};

struct Words {
  std::string format, precisions, memory_limit, deadline, hardware_cost;
};

void describe_costs(AdviseOptions& o, Words& words, po::options_description_easy_init& add) {
  Job& job = o.request.costs.job;
  add("samples", po::value(&job.samples)->default_value(0),
      "that the job trains on in all, epoch after epoch");
  add("deadline", po::value(&words.deadline)->value_name("TIME"),
      "the cheapest way that is done in time, such as 30min or 2h; with --samples");
  add("price", po::value(&job.cost.a_gpu)->default_value(0), "of one GPU for an hour");
  add("hour-value", po::value(&job.cost.of_waiting)->default_value(0),
      "what an hour that the job takes costs beside");
  add("hardware-cost", po::value(&words.hardware_cost)->value_name("ONE,MORE"),
      "of the machine with one GPU and with more: is it worth buying? With --samples, --hour-value, "
      "--jobs-per-month");
  Purchase& purchase = o.purchase;
  add("jobs-per-month", po::value(&purchase.jobs_a_month)->default_value(0), "of so many samples");
  add("amortize", po::value(&purchase.amortization_months)->default_value(24),
      "months to pay the hardware in");
  add("operating-cost", po::value(&purchase.operating_a_month)->default_value(0),
      "a month, of more GPUs beyond one");
  add("power-price", po::value(&purchase.kilowatt_hour_price)->default_value(0), "of a kilowatt hour");
}

po::options_description describe(AdviseOptions& o, Words& words) {
  po::options_description visible("breakeven advise FILE... --model M --batch B [OPTION...]");
  auto add = visible.add_options();
  Query& query = o.request.query;
  add("model", po::value(&query.model), "a named model, or its widths as in 784-2048-10");
  add("batch", po::value(&query.batch), "samples a step over all GPUs");
  add("gpus", po::value(&query.most_gpus)->default_value(0), "at most so many; 0: as many as were measured");
  add("precisions", po::value(&words.precisions)->value_name("LIST"),
      "those that will do; all measured ones");
  add("lossy", po::bool_switch(&query.with_lossy),
      "strategies that do not compute what one GPU computes, too");
  add("memory-limit", po::value(&words.memory_limit)->value_name("SIZE"), "of a GPU, such as 12GB");
  describe_costs(o, words, add);
  add("map", po::bool_switch(&o.request.with_map),
      "in JSON also speed-ups over sizes of the model and batches, for a picture");
  add("format", po::value(&words.format)->default_value("text"), "text, markdown, csv or json");
  add("output", po::value(&o.output)->value_name("FILE"), "where to write instead of standard output");
  add("help", "print this text");
  return visible;
}

// What is wrong with the prices and the job, or "".
std::string cost_problem(const AdviseOptions& o, const Words& words) {
  const Job& job = o.request.costs.job;
  const Purchase& purchase = o.purchase;
  for (const auto& [option, amount] : {std::pair("samples", job.samples),
                                       {"price", job.cost.a_gpu},
                                       {"hour-value", job.cost.of_waiting},
                                       {"jobs-per-month", purchase.jobs_a_month},
                                       {"operating-cost", purchase.operating_a_month},
                                       {"power-price", purchase.kilowatt_hour_price}}) {
    if (!(amount >= 0) || !std::isfinite(amount))
      return fmt::format("--{} must be a number from 0 on", option);
  }
  if (!(purchase.amortization_months > 0) || !std::isfinite(purchase.amortization_months))
    return "--amortize must be a positive number of months";
  if (!words.deadline.empty() && job.samples == 0)
    return "--deadline needs --samples: how much is to be trained by then";
  const bool is_whole = job.samples > 0 && job.cost.of_waiting > 0 && purchase.jobs_a_month > 0;
  if (!words.hardware_cost.empty() && !is_whole)
    return "--hardware-cost needs --samples, --hour-value and --jobs-per-month: what the hours are worth "
           "that it saves";
  return "";
}

// False where the text is no two prices.
bool parse_hardware_cost(const std::string& text, Purchase& purchase) {
  const std::vector<std::string> prices = split_list(text);
  if (prices.size() != 2) return false;
  const auto one = parse_number<float>(prices[0]);
  const auto more = parse_number<float>(prices[1]);
  if (!one || !more) return false;
  purchase.hardware_of_one = *one;
  purchase.hardware_of_more = *more;
  return *one >= 0 && *more >= 0;
}

// What is wrong with the options, or "".
std::string problem(const AdviseOptions& o) {
  const Query& query = o.request.query;
  if (o.files.empty()) return "advise needs a results file: breakeven advise FILE --model M --batch B";
  if (is_one_of_files(o.output, o.files)) return "--output would overwrite the results file itself";
  if (query.model.empty()) return "--model is missing: a named model, or its widths as in 784-2048-10";
  const auto shape = parse_model(query.model);
  if (const auto* error = std::get_if<UsageError>(&shape)) return error->sentence;
  if (query.batch == 0) return "--batch is missing or 0: pass a whole number of samples from 1 on";
  if (query.most_gpus < 0) return "--gpus must not be negative; 0 means as many as were measured";
  return "";
}

std::variant<AdviseOptions, UsageError, HelpText> parse_advise_options(int argc, char** argv) {
  AdviseOptions options;
  Words words;
  const auto read = read_command_line(argc, argv, describe(options, words), {{"file", &options.files}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  std::string sentence = problem(options);
  if (sentence.empty() && !words.precisions.empty())
    sentence = add_precisions(words.precisions, options.request.query.precisions);
  if (sentence.empty()) sentence = cost_problem(options, words);
  if (!sentence.empty()) return UsageError{sentence};
  const auto parsed = parse_format(words.format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return *error;
  options.format = std::get<ReportFormat>(parsed);
  std::uint64_t& limit = options.request.query.memory_limit_bytes;
  if (!words.memory_limit.empty() && !parse_bytes(words.memory_limit, limit))
    return UsageError{
        fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB", words.memory_limit)};
  Costs& costs = options.request.costs;
  if (!words.deadline.empty()) {
    const auto deadline = parse_duration(words.deadline);
    if (!deadline)
      return UsageError{
          fmt::format("--deadline '{}' is not a time such as 90s, 30min, 2h or 1d", words.deadline)};
    costs.job.deadline_seconds = *deadline;
  }
  if (words.hardware_cost.empty()) return options;
  if (!parse_hardware_cost(words.hardware_cost, options.purchase))
    return UsageError{
        fmt::format("--hardware-cost '{}' is not two prices such as 800,1600", words.hardware_cost)};
  options.purchase.hour_value = costs.job.cost.of_waiting;
  costs.purchase = options.purchase;
  return options;
}

}  // namespace

ExitCode advise_command(int argc, char** argv) {
  const auto parsed = parse_advise_options(argc, argv);
  if (const auto code = answered("advise", parsed)) return *code;
  const auto& options = std::get<AdviseOptions>(parsed);
  write_text(make_advice_report(read_all_results(options.files), options.request, options.format),
             options.output, "the advice");
  return ExitCode::success;
}

}  // namespace breakeven
