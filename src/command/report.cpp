// SPDX-License-Identifier: Apache-2.0
// `breakeven report FILE`: what happened, from a results file alone. Needs no GPU and no launcher.
#include <cstdio>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/command.h"
#include "src/command/file_command.h"
#include "src/command/write_text.h"
#include "src/file/read_results.h"
#include "src/report/report.h"
#include "src/report/report_format.h"
#include "src/text/command_line.h"
#include "src/text/numbers.h"
#include "src/text/usage.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct ReportOptions {
  std::string file;
  ReportFormat format = ReportFormat::text;
  ReportExtent extent = ReportExtent::full;
  std::string output;                    // "": standard output
  std::uint64_t memory_limit_bytes = 0;  // 0: none
};

std::variant<ReportOptions, UsageError, HelpText> parse_report_options(int argc, char** argv) {
  ReportOptions options;
  std::string format;
  std::string memory_limit;
  bool summary = false;
  po::options_description visible("breakeven report FILE [OPTION...]");
  visible.add_options()("format", po::value(&format)->default_value("text"), "text, markdown, csv or json")(
      "output", po::value(&options.output)->value_name("FILE"), "where to write instead of standard output")(
      "summary", po::bool_switch(&summary),
      "of text and markdown only the answers, the tables of speed and the provenance")(
      "memory-limit", po::value(&memory_limit)->value_name("SIZE"),
      "say which cases fit into so much on a rank, such as 12GB, and up to which batch")("help",
                                                                                         "print this text");
  const auto read = read_command_line(argc, argv, visible, {{"file", &options.file}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  if (options.file.empty())
    return UsageError{"report needs the results file to report on: breakeven report FILE"};
  if (is_same_file(options.file, options.output))
    return UsageError{"--output would overwrite the results file itself"};
  const auto parsed = parse_format(format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return *error;
  options.format = std::get<ReportFormat>(parsed);
  options.extent = summary ? ReportExtent::summary : ReportExtent::full;
  if (!memory_limit.empty() && !parse_bytes(memory_limit, options.memory_limit_bytes))
    return UsageError{fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB", memory_limit)};
  return options;
}

}  // namespace

ExitCode report_command(int argc, char** argv) {
  const auto parsed = parse_report_options(argc, argv);
  if (const auto code = answered("report", parsed)) return *code;
  const auto& options = std::get<ReportOptions>(parsed);
  write_text(
      make_report(read_results(options.file), options.format, options.extent, options.memory_limit_bytes),
      options.output, "the report");
  return ExitCode::success;
}

}  // namespace breakeven
