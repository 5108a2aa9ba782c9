// SPDX-License-Identifier: Apache-2.0
// `breakeven trace FILE --run N`: one run's timeline on all ranks, for Perfetto. Needs no GPU and no
// launcher.
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <variant>

#include <fmt/format.h>
#include <boost/program_options.hpp>

#include "src/command/answer/file_command.h"
#include "src/command/answer/write_text.h"
#include "src/command/command.h"
#include "src/core/text/command_line.h"
#include "src/core/text/numbers.h"
#include "src/core/text/usage.h"
#include "src/hdf5/read_results.h"
#include "src/report/run_trace.h"

namespace breakeven {
namespace {

namespace po = boost::program_options;

struct TraceOptions {
  std::string file;
  std::string output;  // "": standard output
  std::optional<std::size_t> run;
  std::string steps_as_given;
  std::optional<NumberRange> steps;  // none: all
};

std::variant<TraceOptions, UsageError, HelpText> parse_trace_options(int argc, char** argv) {
  TraceOptions options;
  std::int64_t run = -1;
  po::options_description visible("breakeven trace FILE --run N [OPTION...]");
  visible.add_options()("run", po::value(&run)->value_name("N"),
                        "the run's place in the file, from 0: what stands behind # in its label")(
      "steps", po::value(&options.steps_as_given)->value_name("A-B"),
      "the measured steps from A to B, from 0, or one of them; all without it")(
      "output", po::value(&options.output)->value_name("FILE"), "where to write instead of standard output")(
      "help", "print this text");
  const auto read = read_command_line(argc, argv, visible, {{"file", &options.file}});
  if (const auto* error = std::get_if<UsageError>(&read)) return *error;
  if (const auto* help = std::get_if<HelpText>(&read)) return *help;
  if (options.file.empty()) return UsageError{"trace needs the results file: breakeven trace FILE --run N"};
  if (is_same_file(options.file, options.output))
    return UsageError{"--output would overwrite the results file itself"};
  if (run >= 0) options.run = static_cast<std::size_t>(run);
  if (options.steps_as_given.empty()) return options;
  if (!parse_range(options.steps_as_given, options.steps.emplace()))
    return UsageError{
        fmt::format("--steps '{}' is no range such as 10-19, nor a step such as 10", options.steps_as_given)};
  return options;
}

// "" where the file has the run that was asked for, or the steps of it.
std::string run_problem(const TraceOptions& options, const Results& results) {
  const std::size_t runs = results.runs.size();
  if (runs == 0) return fmt::format("{} holds no run", results.path);
  if (!options.run || *options.run >= runs)
    return fmt::format("--run must name a run of {}, from 0 to {}", results.path, runs - 1);
  return "";
}

std::string steps_problem(const TraceOptions& options, const Results& results) {
  const std::uint32_t steps = traceable_steps(results.runs[*options.run]);
  if (options.steps && options.steps->last >= steps)
    return fmt::format("--steps '{}': run {} has the steps 0 to {}", options.steps_as_given, *options.run,
                       steps - 1);
  return "";
}

ExitCode refuse(ExitCode code, const std::string& sentence) {
  fmt::print(stderr, "breakeven trace: {}\n", sentence);
  return code;
}

}  // namespace

ExitCode trace_command(int argc, char** argv) {
  const auto parsed = parse_trace_options(argc, argv);
  if (const auto code = answered("trace", parsed)) return *code;
  const auto& options = std::get<TraceOptions>(parsed);
  const Results results = read_results(options.file);
  const std::string no_run = run_problem(options, results);
  if (!no_run.empty()) return refuse(ExitCode::usage, no_run);
  const std::string no_trace = untraceable(results, *options.run);
  if (!no_trace.empty()) return refuse(ExitCode::file, no_trace);
  const std::string no_steps = steps_problem(options, results);
  if (!no_steps.empty()) return refuse(ExitCode::usage, no_steps);
  const std::uint32_t first = options.steps ? options.steps->first : 0;
  const std::uint32_t end =
      options.steps ? options.steps->last + 1 : traceable_steps(results.runs[*options.run]);
  write_text(run_trace(results, *options.run, first, end), options.output, "the trace");
  return ExitCode::success;
}

}  // namespace breakeven
