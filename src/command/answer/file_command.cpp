// SPDX-License-Identifier: Apache-2.0
#include "src/command/answer/file_command.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <variant>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/core/text/numbers.h"

namespace breakeven::command {

namespace po = boost::program_options;

bool is_same_file(const std::string& one, const std::string& other) {
  std::error_code ignored;
  return one == other || std::filesystem::equivalent(one, other, ignored);
}

void describe_output(po::options_description& options, OutputWords& words) {
  options.add_options()("format", po::value(&words.format)->default_value(words.format),
                        "text, markdown, csv or json")("output", po::value(&words.path)->value_name("FILE"),
                                                       "write to this file, not to standard output")(
      "help", "print this text");
}

std::string read_output(const OutputWords& words, const std::vector<std::string>& files,
                        report::ReportFormat& format) {
  if (std::ranges::any_of(files, [&](const std::string& file) { return is_same_file(file, words.path); }))
    return "--output would overwrite the results file itself";
  const auto parsed = report::parse_format(words.format);
  if (const auto* error = std::get_if<UsageError>(&parsed)) return error->sentence;
  format = std::get<report::ReportFormat>(parsed);
  return "";
}

std::string read_memory_limit(const std::string& words, std::uint64_t& bytes) {
  if (words.empty() || parse_bytes(words, bytes)) return "";
  return fmt::format("--memory-limit '{}' is not a size such as 12GB or 80GiB", words);
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
    fmt::print(stderr, "breakeven {}: warning: {}\n", command, warning);
  return {};
}

ExitCode refuse(std::string_view command, const std::string& sentence, ExitCode code) {
  fmt::print(stderr, "breakeven {}: {}\n", command, sentence);
  return code;
}

}  // namespace breakeven::command
