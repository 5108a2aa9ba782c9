// SPDX-License-Identifier: Apache-2.0
// `breakeven compare OLD NEW`: what became faster or slower, from two results files. Needs no GPU.
#include <cstdio>
#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/text/command_line.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/report/change_report.h"
#include "src/report/report_format.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct CompareOptions {
  std::string before;
  std::string after;
  ReportFormat format = ReportFormat::text;
  std::optional<double> gate;
  std::string output;  // "": standard output
};

std::string file_problem(const CompareOptions& options) {
  if (options.before.empty() || options.after.empty())
    return "compare needs two results files: breakeven compare OLD.h5 NEW.h5";
  for (const std::string& file : {options.before, options.after}) {
    if (is_same_file(file, options.output)) return "--output would overwrite a results file";
  }
  return "";
}

std::variant<CompareOptions, UsageError, HelpText> parse_compare_options(int argc, char** argv) {
  CompareOptions options;
  std::string format;
  std::string gate;
  po::options_description visible("breakeven compare OLD NEW [OPTION...]");
  visible.add_options()("gate", po::value(&gate)->value_name("SHARE"),
                        "end with exit code 7 where a case is proved slower, and by more than this: 5%")(
      "format", po::value(&format)->default_value("text"), "text, markdown, csv or json")(
      "output", po::value(&options.output)->value_name("FILE"), "where to write instead of standard output")(
      "help", "print this text");
  const auto read =
      read_command_line(argc, argv, visible, {{"old", &options.before}, {"new", &options.after}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  const std::string problem = file_problem(options);
  if (!problem.empty()) return UsageError{problem};
  const auto parsed = parse_format(format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return *error;
  options.format = std::get<ReportFormat>(parsed);
  double share = 0;
  if (!gate.empty() && !parse_share(gate, share))
    return UsageError{fmt::format("--gate '{}' is not a share between 0 and 1, such as 5% or 0.05", gate)};
  if (!gate.empty()) options.gate = share;
  return options;
}

}  // namespace

ExitCode compare_command(int argc, char** argv) {
  const auto parsed = parse_compare_options(argc, argv);
  if (const auto code = answered("compare", parsed)) return *code;
  const auto& options = std::get<CompareOptions>(parsed);
  const ChangeReport report = make_change_report(read_results(options.before), read_results(options.after),
                                                 options.format, options.gate);
  write_text(report.text, options.output, "the comparison");
  if (report.is_gate_met) return ExitCode::success;
  fmt::print(stderr, "breakeven compare: the gate is not met\n");
  return ExitCode::gate;
}

}  // namespace breakeven
