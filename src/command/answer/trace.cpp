// SPDX-License-Identifier: Apache-2.0
// `breakeven trace FILE --run N`: one run's timeline on all ranks, for Perfetto. Needs no GPU and no
// launcher. `trace --kernels` is another command (src/command/measure/trace_kernels.cpp).
#include <cstdint>
#include <optional>
#include <string>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/text/number_value.h"
#include "src/core/text/numbers.h"
#include "src/hdf5/read_results.h"
#include "src/report/run_trace.h"
#include "src/report/traceable_runs.h"

namespace breakeven::command {
namespace {

namespace po = boost::program_options;

struct TraceOptions {
  std::string file;
  std::string output;                 // "": standard output
  std::optional<std::int64_t> run{};  // none: list the runs
  std::string steps_as_given;
  bool kernels = false;
  std::optional<NumberRange> steps{};  // none: all
};

po::options_description describe(TraceOptions& options) {
  po::options_description visible("breakeven trace FILE [--run N] [OPTION...]");
  const auto set_run = [&](std::int64_t run) { options.run = run; };
  visible.add_options()("run", number_value<std::int64_t>()->notifier(set_run)->value_name("N"),
                        "number of the run in the file, from 0 (default: list the runs)")(
      "steps", po::value(&options.steps_as_given)->value_name("A-B"),
      "measured steps A to B, or one step, from 0 (default: all)")(
      "output", po::value(&options.output)->value_name("FILE"), "write to this file, not to standard output")(
      "kernels", po::bool_switch(&options.kernels),
      "instead train one case and record its kernels; 'trace --kernels --help' lists its options")(
      "help,h", "print this text");
  return visible;
}

// What is wrong with the options, or "".
std::string read(TraceOptions& options) {
  if (options.kernels) return "write --kernels in full: breakeven trace --kernels";
  if (options.file.empty()) return "trace needs the results file: breakeven trace FILE";
  if (is_same_file(options.file, options.output)) return "--output would overwrite the results file itself";
  if (!options.run && !(options.output.empty() && options.steps_as_given.empty()))
    return fmt::format("--run N is missing; breakeven trace {} lists the runs", options.file);
  if (options.steps_as_given.empty() || parse_range(options.steps_as_given, options.steps.emplace()))
    return "";
  return fmt::format("--steps '{}' is neither a range (10-19) nor a step (10)", options.steps_as_given);
}

ExitCode list_runs(const Results& results) {
  const std::string runs = report::traceable_runs(results);
  if (runs.empty()) return refuse("trace", report::untraceable(results, 0), ExitCode::file);
  write_text(runs, "", "the runs");
  return ExitCode::success;
}

}  // namespace

ExitCode trace_command(int argc, char** argv) {
  TraceOptions options;
  if (const auto done = read_words("trace", argc, argv, describe(options), {{"file", &options.file}}))
    return *done;
  if (const std::string wrong = read(options); !wrong.empty()) return refuse("trace", wrong);
  const Results results = hdf5::read_results(options.file);
  const auto runs = static_cast<std::int64_t>(results.runs.size());
  if (runs == 0) return refuse("trace", fmt::format("{} holds no run", results.path));
  if (!options.run) return list_runs(results);
  if (*options.run >= runs)
    return refuse("trace", fmt::format("--run must name a run of {}, from 0 to {}", results.path, runs - 1));
  const auto run = static_cast<std::size_t>(*options.run);
  if (const std::string reason = report::untraceable(results, run); !reason.empty())
    return refuse("trace", reason, ExitCode::file);
  const std::uint32_t made = report::traceable_steps(results.runs[run]);
  std::uint32_t first = 0, end = made;
  if (options.steps) {
    first = options.steps->first;
    end = options.steps->last + 1;
  }
  if (end > made)
    return refuse("trace", fmt::format("--steps '{}': run {} has the steps 0 to {}", options.steps_as_given,
                                       run, made - 1));
  write_text(report::run_trace(results, run, first, end), options.output, "the trace");
  return ExitCode::success;
}

}  // namespace breakeven::command
