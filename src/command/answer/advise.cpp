// SPDX-License-Identifier: Apache-2.0
// `breakeven advise FILE...`: which configuration trains a model fastest, from results files. Needs no GPU
// and no launcher.
#include <cmath>
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "src/command/answer/file_command.h"
#include "src/command/answer/prices.h"
#include "src/command/answer/shared_options.h"
#include "src/command/command.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/hdf5/read_results.h"
#include "src/report/advice/advice_report.h"
#include "src/report/machines/machine_advice.h"

namespace breakeven::command {
namespace {

struct AdviseOptions {
  std::vector<std::string> files;
  report::AdviceRequest request;
  predict::Purchase purchase;  // of the request where there is one
  Prices prices;
  AnswerPlace place;
};

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

std::string read_deadline(const std::string& text, predict::Job& job) {
  const auto deadline = parse_duration(text);
  job.deadline_seconds = deadline.value_or(0);
  if (deadline) return "";
  return fmt::format("--deadline '{}' is not a time such as 90s, 30min, 2h or 1d{}", text, number_hint(text));
}

std::string read_hardware_cost(const std::string& text, AdviseOptions& o) {
  if (!parse_hardware_cost(text, o.purchase))
    return fmt::format("--hardware-cost '{}' is not two prices such as 800,1600", text);
  o.request.costs.purchase = o.purchase;
  return "";
}

// Completes the purchase. What is wrong with the prices and the job, or "".
std::string check_costs(AdviseOptions& o) {
  const predict::Job& job = o.request.costs.job;
  predict::Purchase& purchase = o.purchase;
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
  if (job.deadline_seconds > 0 && job.samples == 0)
    return "--deadline needs --samples, the number of samples to train by then";
  if (!o.request.costs.purchase) return "";
  if (!(job.samples > 0 && job.cost.of_waiting > 0 && purchase.jobs_a_month > 0))
    return "--hardware-cost needs --samples, --hour-value and --jobs-per-month, to value the hours that it "
           "saves";
  purchase.hour_value = job.cost.of_waiting;
  o.request.costs.purchase = purchase;
  return "";
}

void add_costs(CommandOptions& options, AdviseOptions& o) {
  predict::Job& job = o.request.costs.job;
  predict::Purchase& purchase = o.purchase;
  options.add("samples", job.samples, "samples of the whole job, over all epochs");
  options.add(
      "deadline", "",
      "find the cheapest configuration that trains --samples in this time, such as 30min or 2h",
      [&job](const std::string& text) { return read_deadline(text, job); }, "TIME");
  add_price(options, "", o.prices);
  options.add("hour-value", job.cost.of_waiting,
              "what each hour of the job costs besides, such as the time of those who wait");
  options.add(
      "hardware-cost", "",
      "price of the machine with one GPU and with more: is it worth buying? Needs --samples, --hour-value "
      "and --jobs-per-month",
      [&o](const std::string& text) { return read_hardware_cost(text, o); }, "ONE,MORE");
  options.add("jobs-per-month", purchase.jobs_a_month, "jobs of --samples a month");
  options.add("amortize", purchase.amortization_months, "months over which the hardware is paid off");
  options.add("operating-cost", purchase.operating_a_month, "what more GPUs cost a month beyond one");
  options.add("power-price", purchase.kilowatt_hour_price, "price of a kilowatt-hour");
  options.check([&o] { return check_costs(o); });
}

void add_options(CommandOptions& options, AdviseOptions& o) {
  predict::Query& query = o.request.query;
  options.add_positional("file", o.files);
  options.check([&o, &query]() -> std::string {
    if (o.files.empty()) return "advise needs a results file: breakeven advise FILE --model M --batch B";
    return problem_of_case(query);
  });
  add_model_and_batch(options, "samples a step over all GPUs", query);
  options.add("gpus", query.most_gpus, "most GPUs to use (0: as many as were measured)");
  add_limits(options, query);
  add_costs(options, o);
  options.add_switch("map", o.request.with_map,
                     "add speed-ups over model sizes and batches to the JSON, for a picture");
  add_sections(options, report::described_advice_sections(), o.request.sections);
  add_format_and_output(options, o.place);
  add_docs(options, o.place, o.request.docs);
  options.check([&o]() -> std::string {
    if (!o.request.sections.empty() && is_for_programs(o.place.format))
      return "--sections applies to text and markdown only; csv and json are always whole";
    return problem_of_sections(o.request.sections, report::advice_section_names());
  });
}

using Machines = std::vector<hdf5::MachineResults>;

// What is wrong with what several machines are asked for, or "".
std::string problem_with_machines(const report::AdviceRequest& request, const Machines& machines) {
  if (machines.size() > 1 && request.costs.job.samples == 0)
    return "the files come from several machines: --samples is missing, the number of samples of the job "
           "that compares them";
  return problem_of_several(machines.size(), {{"map", request.with_map},
                                              {"sections", !request.sections.empty()},
                                              {"hardware-cost", request.costs.purchase.has_value()}});
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
  if (asked.size() > 1) return report::make_machine_advice(asked, options.place.format);
  return report::make_advice_report(files.front(), asked.front().request, options.place.format);
}

}  // namespace

ExitCode advise_command(int argc, char** argv) {
  AdviseOptions o;
  CommandOptions options("breakeven advise FILE... --model M --batch B [OPTION...]");
  add_options(options, o);
  if (const auto done = read_options("advise", argc, argv, options)) return *done;
  const Machines machines = hdf5::read_machines(o.files);
  std::vector<double> prices;
  std::string wrong = price_machines(o.prices, machines, prices);
  if (wrong.empty()) wrong = problem_with_machines(o.request, machines);
  if (wrong.empty()) wrong = problem_on_all(o.request.query.model, machines);
  if (!wrong.empty()) return refuse("advise", wrong);
  write_text(answer(o, machines, prices), o.place.path, "the advice");
  return ExitCode::success;
}

}  // namespace breakeven::command
