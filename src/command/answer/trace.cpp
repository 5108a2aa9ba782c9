// SPDX-License-Identifier: Apache-2.0
// `breakeven trace FILE --run N`: one run's timeline on all ranks, for Perfetto. Needs no GPU and no
// launcher. `trace --kernels` is another command (src/command/measure/trace_kernels.cpp).
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "src/command/answer/file_command.h"
#include "src/command/answer/shared_options.h"
#include "src/command/command.h"
#include "src/core/text/numbers.h"
#include "src/hdf5/read_results.h"
#include "src/report/trace/run_trace.h"
#include "src/report/trace/traceable_runs.h"

namespace breakeven::command {
namespace {

struct TraceOptions {
  std::string file;
  std::string output;     // "": standard output
  std::int64_t run = -1;  // below 0: list the runs
  bool kernels = false;
  std::string steps_as_given;
  std::optional<NumberRange> steps{};  // none: all
};

std::string read_steps(const std::string& text, TraceOptions& o) {
  o.steps_as_given = text;
  if (parse_range(text, o.steps.emplace())) return "";
  return fmt::format("--steps '{}' is neither a range (10-19) nor a step (10)", text);
}

std::string problem_of(const TraceOptions& o) {
  if (o.kernels) return "write --kernels in full: breakeven trace --kernels";
  if (o.file.empty()) return "trace needs the results file: breakeven trace FILE";
  return "";
}

void add_options(CommandOptions& options, TraceOptions& o) {
  options.add_positional("file", o.file);
  options.check([&o] { return problem_of(o); });
  options.add_without_default("run", o.run, "number of the run in the file, from 0 (default: list the runs)",
                              "N");
  options.add(
      "steps", "", "measured steps A to B, or one step, from 0 (default: all)",
      [&o](const std::string& text) { return read_steps(text, o); }, "A-B");
  add_output(options, o.output);
  options.add_switch(
      "kernels", o.kernels,
      "instead train one case and record its kernels; 'trace --kernels --help' lists its options");
  options.check([&o] {
    return o.run >= 0 || (o.output.empty() && !o.steps)
               ? ""
               : fmt::format("--run N is missing; breakeven trace {} lists the runs", o.file);
  });
}

ExitCode list_runs(const Results& results) {
  const std::string runs = report::traceable_runs(results);
  if (runs.empty()) return refuse("trace", report::untraceable(results, 0), ExitCode::file);
  write_text(runs, "", "the runs");
  return ExitCode::success;
}

}  // namespace

ExitCode trace_command(int argc, char** argv) {
  TraceOptions o;
  CommandOptions options("breakeven trace FILE [--run N] [OPTION...]");
  add_options(options, o);
  if (const auto done = read_options("trace", argc, argv, options)) return *done;
  const Results results = hdf5::read_results(o.file);
  const auto runs = static_cast<std::int64_t>(results.runs.size());
  if (runs == 0) return refuse("trace", fmt::format("{} holds no run", results.path));
  if (o.run < 0) return list_runs(results);
  if (o.run >= runs)
    return refuse("trace", fmt::format("--run must name a run of {}, from 0 to {}", results.path, runs - 1));
  const auto run = static_cast<std::size_t>(o.run);
  if (const std::string reason = report::untraceable(results, run); !reason.empty())
    return refuse("trace", reason, ExitCode::file);
  const std::uint32_t made = report::traceable_steps(results.runs[run]);
  std::uint32_t first = 0, end = made;
  if (o.steps) {
    first = o.steps->first;
    end = o.steps->last + 1;
  }
  if (end > made)
    return refuse("trace",
                  fmt::format("--steps '{}': run {} has the steps 0 to {}", o.steps_as_given, run, made - 1));
  write_text(report::run_trace(results, run, first, end), o.output, "the trace");
  return ExitCode::success;
}

}  // namespace breakeven::command
