// SPDX-License-Identifier: Apache-2.0
// `breakeven run`: plan, set up, measure, record.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "kernels/telemetry.h"
#include "mpi/interrupt.h"
#include "mpi/mpi_call.h"
#include "mpi/watchdog.h"
#include "src/command/command.h"
#include "src/command/measure/auto_cases.h"
#include "src/command/measure/launch.h"
#include "src/command/measure/live_status.h"
#include "src/command/measure/lost_losses.h"
#include "src/command/measure/memory_limit.h"
#include "src/command/measure/planned_launch.h"
#include "src/command/measure/target_ci.h"
#include "src/core/terminate.h"
#include "src/core/text/lists.h"
#include "src/hdf5/launch_plan.h"
#include "src/hdf5/parallel/results_writer.h"
#include "src/hdf5/read_results.h"
#include "src/measure/run_case.h"
#include "src/measure/run_context.h"
#include "src/report/declared_table.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

// One run, on the ranks that take part. The others sleep until it is over.
std::optional<RunRecord> measure_run(const RecordedRun& run, const Session& session, RunContext& bench) {
  std::optional<RunRecord> record;
  if (session.rank() < run.planned.what.gpus) record = run_case(run.planned.what, bench, run.planned.repeat);
  session.sleepy_barrier();
  return record;
}

// `earlier` has what an earlier launch made of the plan, on rank 0.
ExitCode measure_runs(const LaunchSetup& setup, const LaunchPlan& plan,
                      const std::vector<RecordedRun>& earlier, RunContext& bench, ResultsWriter& writer) {
  const Session& session = *setup.session;
  Watchdog watchdog(setup.options.timeout_seconds);
  LiveStatusScreen live(session, setup.cases, plan.runs, setup.options.target_ci > 0);
  LostLosses lost_losses(session);
  TargetCi target_ci(session, setup.cases, plan.runs, setup.options.target_ci, writer);
  for (std::size_t run = 0; run < plan.runs.size(); ++run) {
    if (!writer.is_left(run)) {
      target_ci.recall(run, earlier);
      continue;
    }
    if (!target_ci.is_needed(run)) {
      live.case_ended(run);
      continue;
    }
    report_activity_as(fmt::format("run {}: {}", run, label_of(plan.runs[run].planned.what)));
    live.begins(run);
    watchdog.arm("");  // the activity says enough
    const std::optional<RunRecord> record = measure_run(plan.runs[run], session, bench);
    const RunRecord* const mine = record ? &*record : nullptr;
    writer.write(run, mine);
    target_ci.made(run, mine);
    live.made(run, mine);
    lost_losses.made(plan.runs[run], mine);
    watchdog.disarm();
    const ExitCode asked = interrupted() ? ExitCode::interrupted : ExitCode::success;
    if (session.agree(asked) == ExitCode::interrupted) {
      if (session.is_root()) fmt::print(stderr, "\nstopped after run {} of {}\n", run + 1, plan.runs.size());
      return ExitCode::interrupted;
    }
  }
  target_ci.finish();
  live.finish();
  return lost_losses.tell();
}

const DeclaredTable declared_plan{
    {.command = "run",
     .title = "The plan",
     .page = "measuring.md#memory",
     .columns = {
         words("", "N cases x N repeats = N runs of N + N steps", "warm-up and measured steps of a run"),
         words("", "or fewer: a case ends once the half-width of its 95 % intervals is at most P",
               "with `--target-ci`"),
         words("", "SIZE per rank", "predicted memory of a case on each GPU"),
         words("", "probed T a step", "by which `auto` chose").elsewhere()}}};

void print_plan(const LaunchSetup& setup, const std::vector<AskedChoice>& choices, const RunContext& bench) {
  const RunOptions& options = setup.options;
  fmt::print("{} cases x {} repeats = {} runs of {} + {} steps{}\n", setup.cases.size(), options.repeats,
             setup.cases.size() * options.repeats, options.warmup, options.steps,
             options.until ? fmt::format(" at most, until {}", in_words(*options.until)) : "");
  if (options.target_ci > 0)
    fmt::print("  or fewer: a case ends once the half-width of its 95 % intervals is at most {}\n",
               format_percent(options.target_ci));
  for (const Case& what : setup.cases) {
    if (is_auto(what)) continue;
    const auto bytes = static_cast<double>(largest_memory_need(what, bench).total());
    fmt::print("  {}: {} per rank\n", label_of(what), format_bytes(bytes));
  }
  for (const AskedChoice& choice : choices) {
    std::vector<std::string> words;
    for (const Case& candidate : choice.candidates)
      words.push_back(fmt::format("{} on {}", candidate.strategy, candidate.gpus));
    fmt::print("  {}: chooses among {}\n", label_of(choice.asked), join_list(words));
  }
}

// Refused before minutes of measuring are spent, and by value: every rank sees the same file system.
std::string output_problem(const RunOptions& options) {
  std::error_code ignored;
  const std::filesystem::path path(options.output);
  if (options.output.empty()) return "--output is missing. Name the results file: --output results.h5";
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), ignored)) {
    return fmt::format("--output '{0}': the folder '{1}' does not exist. Run: mkdir -p '{1}'", options.output,
                       path.parent_path().string());
  }
  if (!options.append && !options.resume && std::filesystem::exists(path, ignored)) {
    return fmt::format(
        "--output '{}' exists. Pass --append to add a launch to it, --resume to finish an interrupted "
        "launch, or another name",
        options.output);
  }
  return "";
}

OpenMode mode_of(const RunOptions& options) {
  if (options.resume) return OpenMode::resume;
  return options.append ? OpenMode::append : OpenMode::create;
}

// What the file of --resume has of the plan: nothing, where there is none.
std::variant<std::vector<RecordedRun>, UsageError> earlier_runs(const RunOptions& options,
                                                                const LaunchPlan& plan) {
  const std::string problem = output_problem(options);
  if (!problem.empty()) return UsageError{problem};
  if (!options.resume || !std::filesystem::exists(options.output)) return std::vector<RecordedRun>{};
  if (std::ranges::any_of(plan.runs, [](const RecordedRun& run) { return is_auto(run.planned.what); }))
    return UsageError{
        fmt::format("--resume cannot finish '{}': --strategies auto might choose differently. Pass --append",
                    options.output)};
  const auto found = find_plan(options.output, plan);
  if (const auto* error = std::get_if<UsageError>(&found)) return *error;
  std::vector<RecordedRun> runs = read_results(options.output).runs;
  runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(plan.runs.size()));
  return runs;
}

// Rank 0 looks and says what is in the way, or that there is nothing left to do; the others are told.
struct OutputLook {
  std::vector<RecordedRun> earlier;  // on rank 0
  bool go_on = true;
  ExitCode code = ExitCode::success;
};

OutputLook look_at_output(const LaunchSetup& setup, const LaunchPlan& plan) {
  const Session& session = *setup.session;
  OutputLook look;
  if (session.is_root()) {
    const auto earlier = earlier_runs(setup.options, plan);
    if (const auto* error = std::get_if<UsageError>(&earlier)) {
      fmt::print(stderr, "breakeven: {}\n", error->sentence);
      look.code = ExitCode::file;
    } else {
      look.earlier = std::get<std::vector<RecordedRun>>(earlier);
    }
    const auto left = std::ranges::count_if(look.earlier, is_left);
    if (!look.earlier.empty()) {
      fmt::print("{} of {} runs are left to measure for {}\n", left, plan.runs.size(), setup.options.output);
    }
    look.go_on = look.code == ExitCode::success && (look.earlier.empty() || left > 0);
  }
  MPI_CALL(MPI_Bcast(&look.go_on, 1, MPI_CXX_BOOL, 0, session.world()), "checking the results file");
  look.code = session.agree(look.code);
  return look;
}

}  // namespace

ExitCode run_command(int argc, char** argv) {
  install_interrupt_handler();  // first of all: until then the signal ends the job, and nothing is written
  LaunchSetup setup = set_up_launch(argc, argv, run_defaults());
  if (!setup.go_on) return setup.code;
  const Session& session = *setup.session;
  RunContext bench(session, *setup.device, setup.options, setup.dataset.get());
  AskedChoices asked = find_choices(setup, bench);
  if (asked.code != ExitCode::success) return asked.code;
  const std::string too_large = over_memory_limit(cases_to_train(setup.cases, {}), bench);
  if (!too_large.empty()) {
    if (session.is_root()) fmt::print(stderr, "breakeven: {}\n", too_large);
    return ExitCode::usage;
  }
  if (setup.options.dry_run) {
    if (session.is_root()) print_plan(setup, asked.all, bench);
    return ExitCode::success;
  }
  LaunchPlan plan = plan_launch(setup, argc, argv, bench.monitor().driver_version());
  const OutputLook look = look_at_output(setup, plan);
  if (!look.go_on) return look.code;

  measure_machine(setup, cases_to_train(setup.cases, asked.all), bench, plan);
  if (!choose_ways(std::move(asked), setup, bench, plan)) return ExitCode::interrupted;
  ResultsWriter writer(session, setup.options.output, mode_of(setup.options), plan);
  const ExitCode code = measure_runs(setup, plan, look.earlier, bench, writer);
  report_activity_as("closing the results file");
  writer.close();
  if (session.is_root()) fmt::print("results: {}\n", setup.options.output);
  return code;
}

}  // namespace breakeven
