// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/traceable_runs.h"

#include <algorithm>
#include <map>
#include <vector>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/document.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/trace/run_trace.h"

namespace breakeven::report {
namespace {

const DeclaredTable declared_traceable_runs{
    {.command = "trace",
     .title = "The runs that can be shown: choose one with --run N",
     .page = "trace.md",
     .columns = {words("runs", "N", "numbers of the runs, from 0"), words("case", "Case", "all its axes"),
                 columns::timing, number("traceable_steps", "Steps", "steps", "of the shortest run")}}};

struct TraceableCase {
  Case what;
  std::vector<std::size_t> runs;
  std::uint32_t steps;  // of the shortest
};

// In the order of the file.
std::vector<TraceableCase> traceable_cases(const Results& results) {
  std::vector<TraceableCase> cases;
  std::map<std::string, std::size_t> places;
  for (std::size_t run = 0; run < results.runs.size(); ++run) {
    if (!untraceable(results, run).empty()) continue;
    const Case& what = results.runs[run].planned.what;
    const std::uint32_t steps = traceable_steps(results.runs[run]);
    const auto [known, is_new] =
        places.emplace(path_of(what) + ' ' + word_of(Axis::timing, what), cases.size());
    if (is_new) cases.push_back({what, {}, steps});
    TraceableCase& one = cases[known->second];
    one.runs.push_back(run);
    one.steps = std::min(one.steps, steps);
  }
  return cases;
}

}  // namespace

std::string traceable_runs(const Results& results) {
  ReportTable table = declared_traceable_runs.empty();
  for (const TraceableCase& one : traceable_cases(results)) {
    table.rows.push_back({format_numbers(one.runs), path_of(one.what), axis_cell(Axis::timing, one.what),
                          count_cell(one.steps)});
  }
  Document document;
  document.table(std::move(table));
  return document.text();
}

}  // namespace breakeven::report
