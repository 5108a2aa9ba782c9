// SPDX-License-Identifier: Apache-2.0
// `breakeven repair FILE NEW`: copies everything that is intact in a damaged results file.
#include <algorithm>
#include <string>
#include <vector>

#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/hdf5/merge_results.h"

namespace breakeven::command {

ExitCode repair_command(int argc, char** argv) {
  std::vector<std::string> files;
  CommandOptions options("breakeven repair FILE NEW");
  options.add_positional("file", files);
  if (const auto done = read_options("repair", argc, argv, options)) return *done;
  if (files.size() != 2 || files[1].empty())
    return refuse("repair",
                  "repair needs the damaged results file and a new one: breakeven repair DAMAGED.h5 NEW.h5");
  std::vector<std::string> left_out;
  const Results whole = hdf5::repair_results(files[0], files[1], left_out);
  for (const std::string& damage : left_out) print_out("not copied: {}\n", printable_line(damage));
  const auto measured = std::ranges::count_if(
      whole.runs, [](const RecordedRun& run) { return run.status != RunStatus::planned; });
  print_out("results: {}, {} measured runs; not copied: {}\n", files[1], measured, left_out.size());
  return ExitCode::success;
}

}  // namespace breakeven::command
