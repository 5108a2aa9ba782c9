// SPDX-License-Identifier: Apache-2.0
// `breakeven report FILE...`: what happened, from results files alone. Needs no GPU and no launcher.
#include <algorithm>
#include <deque>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/prices.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/text/lists.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/report/declared_table.h"
#include "src/report/machine_report.h"
#include "src/report/report.h"
#include "src/report/report_sections.h"

namespace breakeven::command {
namespace {

namespace po = boost::program_options;

struct ReportOptions {
  std::vector<std::string> files;
  report::ReportRequest request;
  bool dictionary = false;
  bool skip_damaged = false;
};

// As the user spells them.
struct ReportWords {
  std::string sections, memory_limit;
  OutputWords output;
  Prices prices;
  std::map<Axis, std::string> shown;
};

po::options_description describe(ReportOptions& o, ReportWords& words) {
  po::options_description visible("breakeven report FILE... [OPTION...]");
  const auto add = [&](const char* name, std::string& place, const char* value, const std::string& meaning) {
    visible.add_options()(name, po::value(&place)->value_name(value), meaning.c_str());
  };
  add("sections", words.sections, "LIST",
      fmt::format(
          "print only these sections, in full, as text or markdown: {}, or {}; default: a brief report",
          join_list(report::described_sections()), report::every_section));
  for (const Axis axis : analysis::shown_axes) {
    add(std::string(info_of(axis).option).c_str(), words.shown[axis], "LIST",
        axis == Axis::strategy ? "print only these cases, and single on one GPU, as text or markdown"
                               : "print only these cases, as text or markdown");
  }
  add("memory-limit", words.memory_limit, "SIZE",
      "memory of a rank, such as 12GB: say which cases fit, and up to which batch");
  describe_prices(words.prices, ": say what a million samples cost", visible);
  visible.add_options()("columns", po::bool_switch(&o.dictionary),
                        "instead of a file: all tables that breakeven prints, with the unit and meaning of "
                        "each column, as markdown or json")(
      "skip-damaged", po::bool_switch(&o.skip_damaged),
      "leave out damaged runs, and name them, instead of refusing their file");
  describe_output(visible, words.output);
  return visible;
}

std::vector<std::string> list_of(const std::string& text) {
  return text.empty() ? std::vector<std::string>{} : split_list(text);
}

// What is wrong with the sections and the shown cases, or "".
std::string problem_of_selection(const report::ReportRequest& request) {
  std::vector<std::string> names = report::section_names();
  names.emplace_back(report::every_section);
  for (const std::string& section : request.sections) {
    if (std::string problem = problem_of_word("sections", section, names); !problem.empty()) return problem;
  }
  const bool for_machines =
      request.format == report::ReportFormat::csv || request.format == report::ReportFormat::json;
  const bool selects = !request.sections.empty() || !request.shown.are_all();
  if (for_machines && selects)
    return "--sections, --models, --batches, --strategies and --precisions apply to text and markdown only; "
           "csv and json are always whole";
  return "";
}

// Fills in what the words say; what is wrong with them, or "".
std::string read(ReportWords& words, ReportOptions& options) {
  if (options.files.empty() && !options.dictionary)
    return "report needs the results file to report on: breakeven report FILE";
  report::ReportRequest& request = options.request;
  std::string wrong = read_output(words.output, options.files, request.format);
  if (!wrong.empty()) return wrong;
  request.sections = list_of(words.sections);
  for (const auto& [axis, list] : words.shown) {
    if (!list.empty()) request.shown.words[axis] = split_list(list);
  }
  wrong = problem_of_selection(request);
  if (wrong.empty()) wrong = read_memory_limit(words.memory_limit, request.memory_limit_bytes);
  if (wrong.empty()) wrong = read_prices(words.prices);
  return wrong;
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
  return report::make_machine_report(named, request.format);
}

}  // namespace

ExitCode report_command(int argc, char** argv) {
  ReportOptions options;
  ReportWords words;
  if (const auto done =
          read_words("report", argc, argv, describe(options, words), {{"file", &options.files}}))
    return *done;
  if (const std::string wrong = read(words, options); !wrong.empty()) return refuse("report", wrong);
  if (options.dictionary) {
    const bool as_json = options.request.format == report::ReportFormat::json;
    write_text(as_json ? report::dictionary_as_json() : report::dictionary_as_markdown(), words.output.path,
               "the columns");
    return ExitCode::success;
  }
  std::vector<std::string> left_out;
  Machines machines = hdf5::read_machines(options.files, options.skip_damaged ? &left_out : nullptr);
  for (const std::string& damage : left_out)
    print_error("breakeven report: warning: {}\n", printable_line(damage));
  std::vector<double> prices;
  std::string wrong = price_machines(words.prices, machines, prices);
  if (wrong.empty())
    wrong = problem_of_several(machines.size(), {{"sections", !options.request.sections.empty()},
                                                 {"memory-limit", options.request.memory_limit_bytes > 0}});
  for (const hdf5::MachineResults& machine : machines) {
    if (options.skip_damaged && machine.results.runs.empty())
      return refuse("report", "no run is whole", ExitCode::file);
    if (wrong.empty()) wrong = analysis::problem_of(options.request.shown, machine.results);
  }
  if (!wrong.empty()) return refuse("report", wrong);
  write_text(answer(options.request, machines, prices), words.output.path, "the report");
  return ExitCode::success;
}

}  // namespace breakeven::command
