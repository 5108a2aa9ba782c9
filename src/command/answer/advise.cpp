// SPDX-License-Identifier: Apache-2.0
// `breakeven advise FILE...`: which configuration trains a model fastest, from results files. Needs no GPU
// and no launcher.
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/prices.h"
#include "src/command/command.h"
#include "src/core/text/lists.h"
#include "src/core/text/number_value.h"
#include "src/core/text/numbers.h"
#include "src/hdf5/read_results.h"
#include "src/report/advice_report.h"
#include "src/report/machine_advice.h"

namespace breakeven::command {
namespace {

namespace po = boost::program_options;

struct AdviseOptions {
  std::vector<std::string> files;
  report::AdviceRequest request;
  predict::Purchase purchase;  // of the request where there is one
  report::ReportFormat format = report::ReportFormat::text;
};

struct AdviseWords {
  std::string precisions, memory_limit, deadline, hardware_cost;
  Prices prices;
  OutputWords output;
};

void describe_costs(AdviseOptions& o, AdviseWords& words, po::options_description& visible) {
  auto add = visible.add_options();
  predict::Job& job = o.request.costs.job;
  add("samples", number_value(&job.samples)->default_value(0), "samples of the whole job, over all epochs");
  add("deadline", po::value(&words.deadline)->value_name("TIME"),
      "find the cheapest configuration that trains --samples in this time, such as 30min or 2h");
  describe_prices(words.prices, "", visible);
  add("hour-value", number_value(&job.cost.of_waiting)->default_value(0),
      "what each hour of the job costs besides, such as the time of those who wait");
  add("hardware-cost", po::value(&words.hardware_cost)->value_name("ONE,MORE"),
      "price of the machine with one GPU and with more: is it worth buying? Needs --samples, --hour-value "
      "and "
      "--jobs-per-month");
  predict::Purchase& purchase = o.purchase;
  add("jobs-per-month", number_value(&purchase.jobs_a_month)->default_value(0), "jobs of --samples a month");
  add("amortize", number_value(&purchase.amortization_months)->default_value(24),
      "months over which the hardware is paid off");
  add("operating-cost", number_value(&purchase.operating_a_month)->default_value(0),
      "what more GPUs cost a month beyond one");
  add("power-price", number_value(&purchase.kilowatt_hour_price)->default_value(0),
      "price of a kilowatt-hour");
}

po::options_description describe(AdviseOptions& o, AdviseWords& words) {
  po::options_description visible("breakeven advise FILE... --model M --batch B [OPTION...]");
  auto add = visible.add_options();
  predict::Query& query = o.request.query;
  add("model", po::value(&query.model)->value_name("MODEL"),
      "model by name, or by its layer widths, such as 784-2048-10");
  add("batch", number_value(&query.batch), "samples a step over all GPUs");
  add("gpus", number_value(&query.most_gpus)->default_value(0),
      "most GPUs to use (0: as many as were measured)");
  add("precisions", po::value(&words.precisions)->value_name("LIST"),
      "precisions to choose from (default: all that were measured)");
  add("lossy", po::bool_switch(&query.with_lossy),
      "also consider strategies that do not compute the same as one GPU");
  add("memory-limit", po::value(&words.memory_limit)->value_name("SIZE"),
      "memory of a GPU, such as 12GB (default: as measured)");
  describe_costs(o, words, visible);
  add("map", po::bool_switch(&o.request.with_map),
      "add speed-ups over model sizes and batches to the JSON, for a picture");
  describe_output(visible, words.output);
  return visible;
}

// What is wrong with the prices and the job, or "".
std::string cost_problem(const AdviseOptions& o, const AdviseWords& words) {
  const predict::Job& job = o.request.costs.job;
  const predict::Purchase& purchase = o.purchase;
  for (const auto& [option, amount] : {std::pair("samples", job.samples),
                                       {"hour-value", job.cost.of_waiting},
                                       {"jobs-per-month", purchase.jobs_a_month},
                                       {"operating-cost", purchase.operating_a_month},
                                       {"power-price", purchase.kilowatt_hour_price}}) {
    if (!(amount >= 0) || !std::isfinite(amount))
      return fmt::format("--{} must be a number that is not negative", option);
  }
  if (!(purchase.amortization_months > 0) || !std::isfinite(purchase.amortization_months))
    return "--amortize must be a positive number of months";
  if (!words.deadline.empty() && job.samples == 0)
    return "--deadline needs --samples, the number of samples to train by then";
  const bool is_whole = job.samples > 0 && job.cost.of_waiting > 0 && purchase.jobs_a_month > 0;
  if (!words.hardware_cost.empty() && !is_whole)
    return "--hardware-cost needs --samples, --hour-value and --jobs-per-month, to value the hours that it "
           "saves";
  return "";
}

// False where the text is no two prices.
bool parse_hardware_cost(const std::string& text, predict::Purchase& purchase) {
  const std::vector<std::string> prices = split_list(text);
  if (prices.size() != 2) return false;
  const auto one = parse_number<float>(prices[0]), more = parse_number<float>(prices[1]);
  if (!one || !more) return false;
  purchase.hardware_of_one = *one;
  purchase.hardware_of_more = *more;
  return *one >= 0 && *more >= 0;
}

// What is wrong with the query, or "".
std::string query_problem(const AdviseOptions& o) {
  const predict::Query& query = o.request.query;
  if (o.files.empty()) return "advise needs a results file: breakeven advise FILE --model M --batch B";
  if (query.model.empty()) return "--model is missing: a named model, or its widths as in 784-2048-10";
  if (query.batch == 0) return "--batch is missing or 0: pass a whole number of samples from 1 on";
  return "";
}

// Fills in what the words say of the costs; what is wrong with them, or "".
std::string read_costs(const AdviseWords& words, AdviseOptions& options) {
  report::Costs& costs = options.request.costs;
  if (!words.deadline.empty()) {
    const auto deadline = parse_duration(words.deadline);
    if (!deadline)
      return fmt::format("--deadline '{}' is not a time such as 90s, 30min, 2h or 1d{}", words.deadline,
                         number_hint(words.deadline));
    costs.job.deadline_seconds = *deadline;
  }
  if (words.hardware_cost.empty()) return "";
  if (!parse_hardware_cost(words.hardware_cost, options.purchase))
    return fmt::format("--hardware-cost '{}' is not two prices such as 800,1600", words.hardware_cost);
  options.purchase.hour_value = costs.job.cost.of_waiting;
  costs.purchase = options.purchase;
  return "";
}

// Fills in what the words say; what is wrong with them, or "".
std::string read(AdviseWords& words, AdviseOptions& options) {
  predict::Query& query = options.request.query;
  std::string wrong = query_problem(options);
  if (wrong.empty() && !words.precisions.empty()) wrong = add_precisions(words.precisions, query.precisions);
  if (wrong.empty()) wrong = read_prices(words.prices);
  if (wrong.empty()) wrong = cost_problem(options, words);
  if (wrong.empty()) wrong = read_output(words.output, options.files, options.format);
  if (wrong.empty()) wrong = read_memory_limit(words.memory_limit, query.memory_limit_bytes);
  if (wrong.empty()) wrong = read_costs(words, options);
  return wrong;
}

using Machines = std::vector<hdf5::MachineResults>;

// What is wrong with what several machines are asked for, or "".
std::string problem_with_machines(const report::AdviceRequest& request, const Machines& machines) {
  if (machines.size() > 1 && request.costs.job.samples == 0)
    return "the files come from several machines: --samples is missing, the number of samples of the job "
           "that compares them";
  return problem_of_several(
      machines.size(), {{"map", request.with_map}, {"hardware-cost", request.costs.purchase.has_value()}});
}

// What is wrong with the model on every machine, or "".
std::string problem_on_all(const std::string& model, const Machines& machines) {
  std::string first;
  for (const hdf5::MachineResults& machine : machines) {
    const std::string wrong = problem_of_model(model, machine.results);
    if (wrong.empty()) return "";
    if (first.empty()) first = wrong;
  }
  return first;
}

std::string answer(const AdviseOptions& options, const Machines& machines,
                   const std::vector<double>& prices) {
  std::deque<analysis::FileAnalysis> files;  // they stay where they are
  std::vector<report::AskedMachine> asked;
  for (const hdf5::MachineResults& machine : machines) {
    report::AskedMachine& one = asked.emplace_back();
    one.name = machine.name;
    one.file = &files.emplace_back(machine.results);
    one.request = options.request;
    one.request.costs.job.cost.a_gpu = prices[asked.size() - 1];
    one.request.query.limit_to_devices(machine.results);
  }
  if (asked.size() > 1) return report::make_machine_advice(asked, options.format);
  return report::make_advice_report(files.front(), asked.front().request, options.format);
}

}  // namespace

ExitCode advise_command(int argc, char** argv) {
  AdviseOptions options;
  AdviseWords words;
  if (const auto done =
          read_words("advise", argc, argv, describe(options, words), {{"file", &options.files}}))
    return *done;
  if (const std::string wrong = read(words, options); !wrong.empty()) return refuse("advise", wrong);
  const Machines machines = hdf5::read_machines(options.files);
  std::vector<double> prices;
  std::string wrong = price_machines(words.prices, machines, prices);
  if (wrong.empty()) wrong = problem_with_machines(options.request, machines);
  if (wrong.empty()) wrong = problem_on_all(options.request.query.model, machines);
  if (!wrong.empty()) return refuse("advise", wrong);
  write_text(answer(options, machines, prices), words.output.path, "the advice");
  return ExitCode::success;
}

}  // namespace breakeven::command
