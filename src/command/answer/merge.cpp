// SPDX-License-Identifier: Apache-2.0
// `breakeven merge FILE... --output ALL`: the launches of several results files in one.
#include <string>
#include <variant>
#include <vector>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/core/text/command_line.h"
#include "src/core/text/usage.h"
#include "src/hdf5/merge_results.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct MergeOptions {
  std::vector<std::string> files;
  std::string output;
};

std::variant<MergeOptions, UsageError, HelpText> parse_merge_options(int argc, char** argv) {
  MergeOptions options;
  po::options_description visible("breakeven merge FILE... --output ALL.h5");
  visible.add_options()("output", po::value(&options.output)->value_name("FILE"),
                        "the results file to make; it must not exist")("help", "print this text");
  const auto read = read_command_line(argc, argv, visible, {{"file", &options.files}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  if (options.files.empty() || options.output.empty())
    return UsageError{
        "merge needs results files and a new one: breakeven merge ONE.h5 TWO.h5 --output ALL.h5"};
  return options;
}

}  // namespace

ExitCode merge_command(int argc, char** argv) {
  const auto parsed = parse_merge_options(argc, argv);
  if (const auto code = answered("merge", parsed)) return *code;
  const auto& options = std::get<MergeOptions>(parsed);
  merge_results(options.files, options.output);
  fmt::print("results: {}\n", options.output);
  return ExitCode::success;
}

}  // namespace breakeven
