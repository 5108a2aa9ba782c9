// SPDX-License-Identifier: Apache-2.0
// `breakeven report FILE...`: what happened, from results files alone. Needs no GPU and no launcher.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/text/command_line.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_all_results.h"
#include "src/report/declared_table.h"
#include "src/report/report.h"
#include "src/report/report_sections.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct ReportOptions {
  std::vector<std::string> files;
  ReportRequest request;
  std::string output;  // "": standard output
  bool dictionary = false;
  std::vector<std::string> warnings;  // of renamed options
};

// As the user spells them.
struct Words {
  std::string format, sections, memory_limit;
  std::map<Axis, std::string> shown;
};

po::options_description describe(ReportOptions& o, Words& words) {
  po::options_description visible("breakeven report FILE... [OPTION...]");
  const auto add = [&](const char* name, std::string& place, const char* value, const std::string& meaning) {
    visible.add_options()(name, po::value(&place)->value_name(value), meaning.c_str());
  };
  visible.add_options()("format", po::value(&words.format)->default_value("text"),
                        "text, markdown, csv or json");
  add("output", o.output, "FILE", "where to write instead of standard output");
  add("sections", words.sections, "LIST",
      fmt::format(
          "print only these sections, in full, as text or markdown: {}, or {}; default: a brief report",
          join_list(section_names()), every_section));
  for (const Axis axis : analysis::shown_axes) {
    add(std::string(info_of(axis).option).c_str(), words.shown[axis], "LIST",
        axis == Axis::strategy ? "print only these cases, and single on one GPU, as text or markdown"
                               : "print only these cases, as text or markdown");
  }
  add("memory-limit", words.memory_limit, "SIZE",
      "memory of a rank, such as 12GB: say which cases fit, and up to which batch");
  visible.add_options()("price", po::value(&o.request.price_an_hour)->value_name("X"),
                        "price of one GPU for an hour: say what a million samples cost");
  visible.add_options()("columns", po::bool_switch(&o.dictionary),
                        "instead of a file: all tables that breakeven prints, with the unit and meaning of "
                        "each column, as markdown or json");
  visible.add_options()("help", "print this text");
  return visible;
}

std::vector<std::string> list_of(const std::string& text) {
  return text.empty() ? std::vector<std::string>{} : split_list(text);
}

// What is wrong with the sections and the shown cases, or "".
std::string problem_of_selection(const ReportRequest& request) {
  std::vector<std::string> names = section_names();
  names.emplace_back(every_section);
  for (const std::string& section : request.sections) {
    if (std::ranges::find(names, section) == names.end())
      return fmt::format("--sections '{}' is not one of {}", section, join_list(names));
  }
  const bool for_machines = request.format == ReportFormat::csv || request.format == ReportFormat::json;
  const bool selects = !request.sections.empty() || !request.shown.are_all();
  if (for_machines && selects)
    return "--sections, --models, --batches, --strategies and --precisions apply to text and markdown only; "
           "csv "
           "and json are always whole";
  return "";
}

std::variant<ReportOptions, UsageError, HelpText> parse_report_options(int argc, char** argv) {
  ReportOptions options;
  Words words;
  const auto read =
      read_command_line(argc, argv, describe(options, words), {{"file", &options.files}}, &options.warnings);
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  if (options.files.empty() && !options.dictionary)
    return UsageError{"report needs the results file to report on: breakeven report FILE"};
  if (is_one_of_files(options.output, options.files))
    return UsageError{"--output would overwrite the results file itself"};
  const auto parsed = parse_format(words.format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return *error;
  ReportRequest& request = options.request;
  request.format = std::get<ReportFormat>(parsed);
  request.sections = list_of(words.sections);
  for (const auto& [axis, list] : words.shown) {
    if (!list.empty()) request.shown.words[axis] = split_list(list);
  }
  const std::string sentence = problem_of_selection(request);
  if (!sentence.empty()) return UsageError{sentence};
  if (!words.memory_limit.empty() && !parse_bytes(words.memory_limit, request.memory_limit_bytes))
    return UsageError{
        fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB", words.memory_limit)};
  if (!(request.price_an_hour >= 0) || !std::isfinite(request.price_an_hour))
    return UsageError{"--price must be a number from 0 on"};
  return options;
}

}  // namespace

ExitCode report_command(int argc, char** argv) {
  const auto parsed = parse_report_options(argc, argv);
  if (const auto code = answered("report", parsed)) return *code;
  const auto& options = std::get<ReportOptions>(parsed);
  for (const std::string& warning : options.warnings)
    fmt::print(stderr, "breakeven report: warning: {}\n", warning);
  if (options.dictionary) {
    const bool as_json = options.request.format == ReportFormat::json;
    write_text(as_json ? dictionary_as_json() : dictionary_as_markdown(), options.output, "the columns");
    return ExitCode::success;
  }
  const Results results = read_all_results(options.files);
  const std::string sentence = problem_of(options.request.shown, results);
  if (!sentence.empty()) return *answered<ReportOptions>("report", UsageError{sentence});
  write_text(make_report(results, options.request), options.output, "the report");
  return ExitCode::success;
}

}  // namespace breakeven
