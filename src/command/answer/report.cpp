// SPDX-License-Identifier: Apache-2.0
// `breakeven report FILE...`: what happened, from results files alone. Needs no GPU and no launcher.
#include <deque>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "src/command/answer/file_command.h"
#include "src/command/answer/prices.h"
#include "src/command/answer/shared_options.h"
#include "src/command/command.h"
#include "src/core/text/lists.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/report/format/declared_table.h"
#include "src/report/machines/machine_report.h"
#include "src/report/report.h"
#include "src/report/sections/report_sections.h"

namespace breakeven::command {
namespace {

struct ReportOptions {
  std::vector<std::string> files;
  report::ReportRequest request;
  bool dictionary = false;
  bool skip_damaged = false;
  Prices prices;
  AnswerPlace place;
};

// What is wrong with the sections and the shown cases, or "".
std::string problem_of_selection(const report::ReportRequest& request) {
  if (std::string problem = problem_of_sections(request.sections, report::section_names()); !problem.empty())
    return problem;
  const bool selects = !request.sections.empty() || !request.shown.are_all();
  if (is_for_programs(request.format) && selects)
    return "--sections, --models, --batches, --strategies and --precisions apply to text and markdown only; "
           "csv and json are always whole";
  return "";
}

void add_selection(CommandOptions& options, report::ReportRequest& request) {
  add_sections(options, report::described_sections(), request.sections);
  for (const Axis axis : analysis::shown_axes) {
    options.add_list(std::string(info_of(axis).option).c_str(), "",
                     axis == Axis::strategy
                         ? "print only these cases, and single on one GPU, as text or markdown"
                         : "print only these cases, as text or markdown",
                     [&request, axis](const std::string& list) {
                       return request.shown.words[axis] = split_list(list), std::string();
                     });
  }
}

void add_options(CommandOptions& options, ReportOptions& o) {
  report::ReportRequest& request = o.request;
  options.add_positional("file", o.files);
  options.check([&o] {
    return o.files.empty() && !o.dictionary
               ? "report needs the results file to report on: breakeven report FILE"
               : "";
  });
  add_selection(options, request);
  add_memory_limit(options, "memory of a rank, such as 12GB: say which cases fit, and up to which batch",
                   request.memory_limit_bytes);
  add_price(options, ": say what a million samples cost", o.prices);
  options.add_switch("columns", o.dictionary,
                     "instead of a file: all tables that breakeven prints, with the unit and meaning of "
                     "each column, as markdown or json");
  options.add_switch("skip-damaged", o.skip_damaged,
                     "leave out damaged runs, and name them, instead of refusing their file");
  add_format_and_output(options, o.place);
  add_docs(options, o.place, request.docs);
  options.check([&o, &request] {
    request.format = o.place.format;
    return problem_of_selection(request);
  });
}

using Machines = std::vector<hdf5::MachineResults>;

std::string answer(const report::ReportRequest& request, const Machines& machines,
                   const std::vector<double>& prices) {
  if (machines.size() == 1) {
    report::ReportRequest priced = request;
    priced.price_an_hour = prices.front();
    return report::make_report(machines.front().results, priced);
  }
  std::deque<analysis::FileAnalysis> files;  // they stay where they are
  std::vector<report::NamedMachine> named;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    files.emplace_back(machines[i].results,
                       analysis::AnalysisScope{.shown = request.shown, .price_an_hour = prices[i]});
    named.push_back({machines[i].name, &files.back()});
  }
  return report::make_machine_report(named, request.format, request.docs);
}

}  // namespace

ExitCode report_command(int argc, char** argv) {
  ReportOptions o;
  CommandOptions options("breakeven report FILE... [OPTION...]");
  add_options(options, o);
  if (const auto done = read_options("report", argc, argv, options)) return *done;
  if (o.dictionary) {
    const bool as_json = o.request.format == report::ReportFormat::json;
    write_text(as_json ? report::dictionary_as_json() : report::dictionary_as_markdown(), o.place.path,
               "the columns");
    return ExitCode::success;
  }
  std::vector<std::string> left_out;
  Machines machines = hdf5::read_machines(o.files, o.skip_damaged ? &left_out : nullptr);
  for (const std::string& damage : left_out)
    print_error("breakeven report: warning: {}\n", printable_line(damage));
  std::vector<double> prices;
  std::string wrong = price_machines(o.prices, machines, prices);
  if (wrong.empty())
    wrong = problem_of_several(machines.size(), {{"sections", !o.request.sections.empty()},
                                                 {"memory-limit", o.request.memory_limit_bytes > 0}});
  for (const hdf5::MachineResults& machine : machines) {
    if (o.skip_damaged && machine.results.runs.empty())
      return refuse("report", "no run is whole", ExitCode::file);
    if (wrong.empty()) wrong = analysis::problem_of(o.request.shown, machine.results);
  }
  if (!wrong.empty()) return refuse("report", wrong);
  write_text(answer(o.request, machines, prices), o.place.path, "the report");
  return ExitCode::success;
}

}  // namespace breakeven::command
