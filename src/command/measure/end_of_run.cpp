// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/end_of_run.h"

#include <algorithm>
#include <cstddef>

#include <fmt/format.h>

#include "src/analysis/file_analysis.h"
#include "src/command/answer/file_command.h"
#include "src/core/text/display_width.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/terminal.h"
#include "src/hdf5/read_results.h"
#include "src/report/format/table.h"
#include "src/report/sections/sections.h"
#include "src/report/words/verdicts.h"

namespace breakeven::command {

ExitCode tell_answer(const std::string& path) {
  const Results results = hdf5::read_results(path);
  const analysis::FileAnalysis analysis(results);
  print_out("results: {}\n", path);
  for (const std::string& line : report::verdicts_in_brief(analysis, report::verdicts_of(analysis)))
    print_out("{}\n", wrapped_to_terminal(line));
  if (const std::size_t count = report::warnings(analysis).size(); count > 0)
    print_out("{}\n", wrapped_to_terminal(fmt::format("{} warning{}: breakeven report {} --sections warnings",
                                                      count, count == 1 ? "" : "s", path)));
  return tell_wrong_numbers(analysis);
}

std::string wrapped_to_terminal(const std::string& text) {
  const std::size_t terminal = terminal_size().columns;
  return wrap(printable(text),
              terminal > 0 ? std::min(terminal, report::text_columns) : report::text_columns);
}

}  // namespace breakeven::command
