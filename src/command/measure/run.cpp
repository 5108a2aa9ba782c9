// SPDX-License-Identifier: Apache-2.0
// `breakeven run`: plans the runs, measures them and writes every step to a results file.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "kernels/telemetry.h"
#include "mpi/interrupt.h"
#include "mpi/mpi_call.h"
#include "src/command/answer/file_command.h"
#include "src/command/command.h"
#include "src/command/measure/auto_cases.h"
#include "src/command/measure/end_of_run.h"
#include "src/command/measure/expected_time.h"
#include "src/command/measure/launch.h"
#include "src/command/measure/live_status.h"
#include "src/command/measure/planned_launch.h"
#include "src/command/measure/stopping.h"
#include "src/command/measure/target_ci.h"
#include "src/command/measure/with_session.h"
#include "src/core/release_heap.h"
#include "src/core/terminate.h"
#include "src/core/text/output.h"
#include "src/core/text/printable.h"
#include "src/core/text/text_file.h"
#include "src/hdf5/launch_plan.h"
#include "src/hdf5/parallel/results_writer.h"
#include "src/hdf5/partial_file.h"
#include "src/hdf5/serial_file.h"
#include "src/measure/recorded_environment.h"
#include "src/measure/run_case.h"
#include "src/measure/run_context.h"
#include "src/report/words/next_command.h"

namespace breakeven::command {
namespace {

// One run, on the ranks that take part. The others sleep until it is over.
std::optional<RunRecord> measure_run(const RecordedRun& run, const Session& session,
                                     measure::RunContext& context) {
  std::optional<RunRecord> record;
  if (session.rank() < run.planned.what.gpus)
    record = measure::run_case(run.planned.what, context, run.planned.repeat);
  release_free_heap();
  session.sleepy_barrier();
  return record;
}

// Measures the run again if any rank was suspended meanwhile. Returns whether the run can be written: not if
// the launch was asked to stop and suspended, as batch systems do at once.
bool measure_undisturbed(std::size_t number, const RecordedRun& run, const Session& session,
                         measure::RunContext& context, std::optional<RunRecord>& record) {
  for (;;) {
    report_activity_as(fmt::format("run {}: {}", number, label_of(run.planned.what)));
    const unsigned before = times_continued();
    record = measure_run(run, session, context);
    if (!session.any(times_continued() != before)) return true;
    if (!was_only_suspended(session, before)) return false;
    if (session.is_root()) print_error("breakeven: run {} was suspended and is measured again\n", number);
  }
}

// `earlier`: the plan's runs as an interrupted launch left them, on rank 0.
ExitCode measure_runs(const LaunchSetup& setup, const hdf5::LaunchPlan& plan,
                      const std::vector<RecordedRun>& earlier, measure::RunContext& context,
                      hdf5::ResultsWriter& writer) {
  const Session& session = *setup.session;
  LiveStatusScreen live(session, setup.cases, plan.runs, setup.options.target_ci > 0);
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
    live.begins(run);
    std::optional<RunRecord> record;
    const bool is_right = measure_undisturbed(run, plan.runs[run], session, context, record);
    if (is_right) {
      const RunRecord* const mine = record ? &*record : nullptr;
      writer.write(run, mine);
      target_ci.made(run, mine);
      live.made(run, mine);
      say_how_to_go_on(setup, plan, true);
    }
    if (is_asked_to_stop(session)) {
      const std::size_t made = run + (is_right ? 1 : 0);
      if (session.is_root()) print_error("\nstopped after run {} of {}\n", made, plan.runs.size());
      return ExitCode::interrupted;
    }
  }
  say_how_to_read(setup);
  target_ci.finish();
  live.finish();
  return ExitCode::success;
}

// What is wrong with --output, or "".
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
  if (const std::string obstacle = hdf5::obstacle_to(options.output); !obstacle.empty())
    return fmt::format("--output '{}' cannot be written: {}", options.output, obstacle);
  if (!std::filesystem::exists(path, ignored) && std::filesystem::is_symlink(path, ignored))
    return fmt::format("--output '{}' is a link to a file that does not exist. Choose another name",
                       options.output);
  return problem_of_output("output", options.output);
}

hdf5::OpenMode mode_of(const measure::RunOptions& options) {
  if (options.resume) return hdf5::OpenMode::resume;
  return options.append ? hdf5::OpenMode::append : hdf5::OpenMode::create;
}

// What --append or --resume finds in the file; empty if there is no file. Throws Failure where it is damaged.
Results earlier_results(const measure::RunOptions& options) {
  const bool extends = options.append || options.resume;
  return extends && std::filesystem::exists(options.output) ? hdf5::read_to_extend(options.output)
                                                            : Results{};
}

// The plan's runs in the file of --resume; empty if there is no file, or it was about to get the plan.
std::variant<std::vector<RecordedRun>, UsageError> earlier_runs(const measure::RunOptions& options,
                                                                const hdf5::LaunchPlan& plan,
                                                                const Results& file) {
  if (!options.resume || file.launches.empty()) return std::vector<RecordedRun>{};
  if (std::ranges::any_of(plan.runs, [](const RecordedRun& run) { return is_auto(run.planned.what); }))
    return UsageError{
        fmt::format("--resume cannot finish '{}': --strategies auto might choose differently. Pass --append",
                    options.output)};
  const auto found = hdf5::find_plan(file, plan);
  if (const auto* error = std::get_if<UsageError>(&found)) {
    if (hdf5::was_about_to_append(options.output, plan)) return std::vector<RecordedRun>{};
    return *error;
  }
  return std::vector<RecordedRun>(file.runs.end() - static_cast<std::ptrdiff_t>(plan.runs.size()),
                                  file.runs.end());
}

// Everything that can be said against --output before minutes of measuring are spent. On rank 0.
std::variant<std::vector<RecordedRun>, UsageError> check_file(const measure::RunOptions& options,
                                                              const hdf5::LaunchPlan& plan) {
  const std::string problem = output_problem(options);
  if (!problem.empty()) return UsageError{problem};
  try {
    Results file = earlier_results(options);
    auto earlier = earlier_runs(options, plan, file);
    if (const auto* found = std::get_if<std::vector<RecordedRun>>(&earlier)) {
      file.runs.resize(file.runs.size() - found->size());  // those that the plan brings again
      const std::string shortage =
          hdf5::shortage_of_space(options.output, hdf5::bytes_to_prepare(file, plan));
      if (!shortage.empty()) return UsageError{shortage};
    }
    return earlier;
  } catch (const Failure& failure) {
    return UsageError{failure.what()};  // all ranks end together
  }
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
    const auto earlier = check_file(setup.options, plan);
    if (const auto* error = std::get_if<UsageError>(&earlier)) {
      print_error("breakeven: {}\n", printable_line(error->sentence));
      check.code = ExitCode::file;
    } else {
      check.earlier = std::get<std::vector<RecordedRun>>(earlier);
    }
    const auto left = std::ranges::count_if(check.earlier, is_left);
    if (!check.earlier.empty()) {
      print_error("{} of {} runs are left to measure for {}\n", left, plan.runs.size(), setup.options.output);
    }
    check.go_on = check.code == ExitCode::success && (check.earlier.empty() || left > 0);
  }
  MPI_CALL(MPI_Bcast(&check.go_on, 1, MPI_CXX_BOOL, 0, session.world()), "checking the results file");
  check.code = session.agree(check.code);
  return check;
}

// One rank measures one GPU. Who asked for all of them may have forgotten the launcher.
void suggest_more_ranks(const LaunchSetup& setup, const std::string& command_line) {
  const std::vector<std::string>& gpus = setup.options.axes[Axis::gpus];
  if (setup.session->size() > 1 || std::ranges::find(gpus, "all") == gpus.end()) return;
  print_error("breakeven: one rank measures one GPU. To compare, stop and run: {}\n",
              printable_line(report::comparing_command(setup.cases, 1, command_line)));
}

// The time of the runs that are left; nothing if even the smallest case takes too long to try, or all are
// `auto`. A dry run's answer; otherwise status, on the live line's stream: launchers mix two streams.
void tell_expected_time(const LaunchSetup& setup, const std::vector<RecordedRun>& earlier,
                        measure::RunContext& context) {
  std::vector<Case> cases = setup.cases;
  std::erase_if(cases, is_auto);
  const std::vector<TriedCase> tried = try_cases(cases, context);
  if (!setup.session->is_root() || tried.empty()) return;
  std::vector<std::size_t> runs(cases.size(), setup.options.repeats);
  for (const RecordedRun& run : earlier) {
    const auto at = std::ranges::find(cases, run.planned.what);
    if (!is_left(run) && at != cases.end()) runs[static_cast<std::size_t>(at - cases.begin())] -= 1;
  }
  const ExpectedTime expected = expected_time(cases, runs, setup.options, tried);
  const std::string text = wrapped_to_terminal(in_words(expected, count_tried(cases, tried), cases.size()));
  setup.options.dry_run ? print_out("{}\n", text) : print_error("{}\n", text);
}

ExitCode measure_launch(const Session& session, int argc, char** argv) {
  say_how_to_start_again(session, measure::recorded_command_line(argc, argv));
  LaunchSetup setup = set_up_launch(session, argc, argv, measure::run_defaults());
  if (!setup.go_on) return setup.code;
  measure::RunContext context(session, *setup.device, setup.options, setup.dataset.get());
  AskedChoices asked = find_choices(setup, context);
  if (asked.code != ExitCode::success) return asked.code;
  const std::string too_large = over_memory_limit(cases_to_train(setup.cases, {}), context);
  if (!too_large.empty()) return refuse_options(session, too_large);
  if (setup.options.dry_run) {
    if (session.is_root()) print_plan(setup, asked.all, context);
    tell_expected_time(setup, {}, context);
    return ExitCode::success;
  }
  hdf5::LaunchPlan plan = plan_launch(setup, argc, argv, context.monitor().driver_version());
  const OutputCheck check = check_output(setup, plan);
  if (!check.go_on) return check.code;

  if (session.is_root()) suggest_more_ranks(setup, plan.launch.command_line);
  tell_expected_time(setup, check.earlier, context);
  if (is_asked_to_stop(session)) return ExitCode::interrupted;
  measure_machine(setup, cases_to_train(setup.cases, asked.all), context, plan);
  if (!choose_strategies(std::move(asked), setup, context, plan)) return ExitCode::interrupted;
  const bool has_runs = !std::ranges::all_of(check.earlier, is_left);
  if (!may_make_file(setup, plan, has_runs)) return ExitCode::interrupted;
  report_activity_as("creating the results file");
  hdf5::ResultsWriter writer(session, setup.options.output, mode_of(setup.options), plan);
  const ExitCode code = measure_runs(setup, plan, check.earlier, context, writer);
  report_activity_as("closing the results file");
  writer.close();
  report_activity_as("reading the results file");
  const ExitCode end = session.is_root() ? tell_answer(setup.options.output) : ExitCode::success;
  const ExitCode agreed = session.agree(end);
  return agreed == ExitCode::success ? code : agreed;
}

}  // namespace

ExitCode run_command(int argc, char** argv) {
  say_how_to_start_again(argc, argv);
  install_interrupt_handler();  // first: without it the signal ends the job before anything is written
  return with_session(argc, argv, measure_launch);
}

}  // namespace breakeven::command
