// SPDX-License-Identifier: Apache-2.0
// `breakeven merge FILE... --output ALL`: the launches of several results files in one.
#include <string>
#include <vector>

#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/core/text/output.h"
#include "src/hdf5/merge_results.h"
#include "src/hdf5/read_results.h"

namespace breakeven::command {

ExitCode merge_command(int argc, char** argv) {
  std::vector<std::string> files;
  std::string output;
  CommandOptions options("breakeven merge FILE... --output ALL.h5");
  options.add_positional("file", files);
  options.add("output", output, "the results file to make; it must not exist", "FILE");
  if (const auto done = read_options("merge", argc, argv, options)) return *done;
  if (files.empty() || output.empty())
    return refuse("merge",
                  "merge needs results files and a new one: breakeven merge ONE.h5 TWO.h5 --output ALL.h5");
  hdf5::merge_results(files, output);
  print_out("results: {}\n", output);
  const Results results = hdf5::read_results(output);
  return tell_wrong_numbers(analysis::FileAnalysis(results));
}

}  // namespace breakeven::command
