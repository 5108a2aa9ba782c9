// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/file_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <set>
#include <variant>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <boost/program_options.hpp>

#include "src/core/model/model_shape.h"
#include "src/core/terminate.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/terminal.h"

namespace breakeven::command {

namespace po = boost::program_options;

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return one == other || std::filesystem::equivalent(one, other, ignored);
}

void describe_output(po::options_description& options, OutputWords& words) {
  options.add_options()("format", po::value(&words.format)->default_value(words.format)->value_name("NAME"),
                        "text, markdown, csv or json")("output", po::value(&words.path)->value_name("FILE"),
                                                       "write to this file, not to standard output")(
      "help,h", "print this text");
}

std::string read_output(const OutputWords& words, const std::vector<std::string>& files,
                        report::ReportFormat& format) {
  if (std::ranges::any_of(files, [&](const std::string& file) { return is_same_file(file, words.path); }))
    return "--output would overwrite the results file itself";
  const auto parsed = report::parse_format(words.format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return error->sentence;
  format = std::get<report::ReportFormat>(parsed);
  if (format == report::ReportFormat::text && words.path.empty() && shows_colour())
    format = report::ReportFormat::terminal;
  return "";
}

std::string problem_of_model(const std::string& model, const Results& results) {
  const auto shape = parse_model(model);
  const auto* unknown = std::get_if<UsageError>(&shape);
  if (unknown == nullptr) return "";
  std::set<std::string> recorded;
  for (const RecordedRun& run : results.runs)
    if (run.planned.what.model.known() == nullptr) recorded.insert(run.planned.what.model);
  if (recorded.contains(model)) return "";
  return unknown->sentence +
         (recorded.empty() ? "" : fmt::format(". {} holds {}", results.path, fmt::join(recorded, ", ")));
}

std::string problem_of_several(std::size_t machines,
                               std::initializer_list<std::pair<std::string_view, bool>> asked) {
  for (const auto& [option, is_asked] : asked)
    if (machines > 1 && is_asked)
      return fmt::format("--{} is of one machine, but the files come from {}. Pass the files of one", option,
                         machines);
  return "";
}

std::string read_memory_limit(const std::string& words, std::uint64_t& bytes) {
  if (words.empty() || parse_bytes(words, bytes)) return "";
  return fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB{}", words, number_hint(words));
}

std::optional<ExitCode> read_words(std::string_view command, int argc, char** argv,
                                   const po::options_description& options,
                                   const std::vector<Positional>& positionals) {
  std::vector<std::string> warnings;
  const auto read = read_command_line(argc, argv, options, positionals, &warnings);
  if (const auto* error = std::get_if<UsageError>(&read)) return refuse(command, error->sentence);
  if (const auto* help = std::get_if<HelpText>(&read)) {
    write_text(help->text, "", "the help");
    return ExitCode::success;
  }
  for (const std::string& warning : warnings)
    print_error("breakeven {}: warning: {}\n", command, printable_line(warning));
  std::vector<std::string> files;
  for (const Positional& one : positionals) {
    if (const auto* const* name = std::get_if<std::string*>(&one.second)) files.push_back(**name);
    if (const auto* const* names = std::get_if<std::vector<std::string>*>(&one.second))
      files.insert(files.end(), (*names)->begin(), (*names)->end());
  }
  if (!files.empty()) report_input_as(join_list(files));
  return {};
}

ExitCode refuse(std::string_view command, const std::string& sentence, ExitCode code) {
  print_error("breakeven {}: {}\n", command, printable_line(sentence));
  return code;
}

}  // namespace breakeven::command
