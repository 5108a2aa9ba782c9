// SPDX-License-Identifier: Apache-2.0
// `breakeven run`: plans the runs, measures them and writes every step to a results file.
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
#include "src/command/measure/planned_launch.h"
#include "src/command/measure/target_ci.h"
#include "src/command/measure/usage_answers.h"
#include "src/core/terminate.h"
#include "src/core/text/lists.h"
#include "src/hdf5/launch_plan.h"
#include "src/hdf5/parallel/results_writer.h"
#include "src/hdf5/read_results.h"
#include "src/measure/run_case.h"
#include "src/measure/run_context.h"

namespace breakeven::command {
namespace {

// Counts runs whose last loss is not a number. They are measured and recorded like others; then the launch
// ends with exit code 3.
class LostLosses {
 public:
  explicit LostLosses(const Session& session) : session_(session) {}

  // Collective. `mine` is null on ranks that sat the run out.
  void made(const RecordedRun& run, const RunRecord* mine) {
    const bool is_lost = mine != nullptr && !ends_with_a_loss(*mine);
    if (session_.agree(is_lost ? ExitCode::wrong_numbers : ExitCode::success) == ExitCode::success) return;
    if (runs_++ == 0) first_ = label_of(run.planned.what);
  }

  // Rank 0 prints how many there were.
  ExitCode tell() const {
    if (runs_ == 0) return ExitCode::success;
    if (session_.is_root()) {
      fmt::print(stderr,
                 "breakeven: the loss of the last step is not a number in {} runs (first: {}). If training "
                 "diverges, use a smaller --learning-rate; otherwise the arithmetic is wrong\n",
                 runs_, first_);
    }
    return ExitCode::wrong_numbers;
  }

 private:
  const Session& session_;
  std::size_t runs_ = 0;
  std::string first_;
};

// One run, on the ranks that take part. The others sleep until it is over.
std::optional<RunRecord> measure_run(const RecordedRun& run, const Session& session,
                                     measure::RunContext& context) {
  std::optional<RunRecord> record;
  if (session.rank() < run.planned.what.gpus)
    record = measure::run_case(run.planned.what, context, run.planned.repeat);
  session.sleepy_barrier();
  return record;
}

// `earlier`: the plan's runs as an interrupted launch left them, on rank 0.
ExitCode measure_runs(const LaunchSetup& setup, const hdf5::LaunchPlan& plan,
                      const std::vector<RecordedRun>& earlier, measure::RunContext& context,
                      hdf5::ResultsWriter& writer) {
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
    watchdog.arm("");  // report_activity_as() has named it
    const std::optional<RunRecord> record = measure_run(plan.runs[run], session, context);
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

// What is wrong with --output, or "". Checked before minutes of measuring are spent.
std::string output_problem(const measure::RunOptions& options) {
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

hdf5::OpenMode mode_of(const measure::RunOptions& options) {
  if (options.resume) return hdf5::OpenMode::resume;
  return options.append ? hdf5::OpenMode::append : hdf5::OpenMode::create;
}

// The plan's runs in the file of --resume; empty if there is no file.
std::variant<std::vector<RecordedRun>, UsageError> earlier_runs(const measure::RunOptions& options,
                                                                const hdf5::LaunchPlan& plan) {
  const std::string problem = output_problem(options);
  if (!problem.empty()) return UsageError{problem};
  if (!options.resume || !std::filesystem::exists(options.output)) return std::vector<RecordedRun>{};
  if (std::ranges::any_of(plan.runs, [](const RecordedRun& run) { return is_auto(run.planned.what); }))
    return UsageError{
        fmt::format("--resume cannot finish '{}': --strategies auto might choose differently. Pass --append",
                    options.output)};
  const auto found = hdf5::find_plan(options.output, plan);
  if (const auto* error = std::get_if<UsageError>(&found)) return *error;
  std::vector<RecordedRun> runs = hdf5::read_results(options.output).runs;
  runs.erase(runs.begin(), runs.end() - static_cast<std::ptrdiff_t>(plan.runs.size()));
  return runs;
}

// Whether the results file allows the launch to go on. Rank 0 checks and prints; all ranks get the answer.
struct OutputCheck {
  std::vector<RecordedRun> earlier;  // on rank 0
  bool go_on = true;
  ExitCode code = ExitCode::success;
};

OutputCheck check_output(const LaunchSetup& setup, const hdf5::LaunchPlan& plan) {
  const Session& session = *setup.session;
  OutputCheck check;
  if (session.is_root()) {
    const auto earlier = earlier_runs(setup.options, plan);
    if (const auto* error = std::get_if<UsageError>(&earlier)) {
      fmt::print(stderr, "breakeven: {}\n", error->sentence);
      check.code = ExitCode::file;
    } else {
      check.earlier = std::get<std::vector<RecordedRun>>(earlier);
    }
    const auto left = std::ranges::count_if(check.earlier, is_left);
    if (!check.earlier.empty()) {
      fmt::print("{} of {} runs are left to measure for {}\n", left, plan.runs.size(), setup.options.output);
    }
    check.go_on = check.code == ExitCode::success && (check.earlier.empty() || left > 0);
  }
  MPI_CALL(MPI_Bcast(&check.go_on, 1, MPI_CXX_BOOL, 0, session.world()), "checking the results file");
  check.code = session.agree(check.code);
  return check;
}

}  // namespace

ExitCode run_command(int argc, char** argv) {
  install_interrupt_handler();  // first: without it the signal ends the job before anything is written
  LaunchSetup setup = set_up_launch(argc, argv, measure::run_defaults());
  if (!setup.go_on) return setup.code;
  const Session& session = *setup.session;
  measure::RunContext context(session, *setup.device, setup.options, setup.dataset.get());
  AskedChoices asked = find_choices(setup, context);
  if (asked.code != ExitCode::success) return asked.code;
  const std::string too_large = over_memory_limit(cases_to_train(setup.cases, {}), context);
  if (!too_large.empty()) return refuse_options(session, too_large);
  if (setup.options.dry_run) {
    if (session.is_root()) print_plan(setup, asked.all, context);
    return ExitCode::success;
  }
  hdf5::LaunchPlan plan = plan_launch(setup, argc, argv, context.monitor().driver_version());
  const OutputCheck check = check_output(setup, plan);
  if (!check.go_on) return check.code;

  measure_machine(setup, cases_to_train(setup.cases, asked.all), context, plan);
  if (!choose_strategies(std::move(asked), setup, context, plan)) return ExitCode::interrupted;
  hdf5::ResultsWriter writer(session, setup.options.output, mode_of(setup.options), plan);
  const ExitCode code = measure_runs(setup, plan, check.earlier, context, writer);
  report_activity_as("closing the results file");
  writer.close();
  if (session.is_root()) fmt::print("results: {}\n", setup.options.output);
  return code;
}

}  // namespace breakeven::command
