// SPDX-License-Identifier: Apache-2.0
// `breakeven check FILE`: what a file that another program wrote lacks to be a results file.
#include <algorithm>
#include <iterator>
#include <string>
#include <vector>

#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/hdf5/file_faults.h"
#include "src/hdf5/read_contents.h"
#include "src/hdf5/read_results.h"

namespace breakeven::command {
namespace {

// The shape of the file first; what its cells hold can be judged only then.
std::vector<std::string> lacks_of(const std::string& file, std::size_t& runs) {
  std::vector<std::string> lacks = hdf5::find_schema_faults(hdf5::open_to_read(file), file);
  if (!lacks.empty()) return lacks;
  const Results results = hdf5::read_any_values(file, lacks);
  runs = results.runs.size();
  std::ranges::move(hdf5::value_faults_in(results), std::back_inserter(lacks));
  return lacks;
}

}  // namespace

ExitCode check_command(int argc, char** argv) {
  std::string file;
  CommandOptions options("breakeven check FILE");
  options.add_positional("file", file);
  if (const auto done = read_options("check", argc, argv, options)) return *done;
  if (file.empty()) return refuse("check", "check needs a file: breakeven check FILE.h5");
  std::size_t runs = 0;
  const std::vector<std::string> lacks = lacks_of(file, runs);
  for (const std::string& lack : lacks) print_out("{}\n", printable_line(lack));
  if (!lacks.empty()) return ExitCode::file;
  print_out("{} is a results file: it lacks nothing, and its checksums of {} runs are right.\n",
            printable_line(file), runs);
  return ExitCode::success;
}

}  // namespace breakeven::command
