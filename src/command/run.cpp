// SPDX-License-Identifier: Apache-2.0
// `breakeven run`: plan, set up, measure, record.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <optional>

#include <fmt/format.h>

#include "kernels/telemetry.h"
#include "mpi/interrupt.h"
#include "mpi/pack.h"
#include "mpi/terminate.h"
#include "mpi/watchdog.h"
#include "src/ceilings/measure_ceilings.h"
#include "src/ceilings/measure_messages.h"
#include "src/command/command.h"
#include "src/command/launch.h"
#include "src/command/live_status.h"
#include "src/command/memory_limit.h"
#include "src/command/until_precise.h"
#include "src/file/results_writer.h"
#include "src/measure/provenance.h"
#include "src/measure/run_case.h"
#include "src/measure/workbench.h"
#include "src/plan/plan.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

// Of the precisions that will run, each once; the plan has refused words that name none.
std::vector<Precision> precisions_of(const std::vector<Case>& cases) {
  std::vector<Precision> used;
  for (const PrecisionInfo& info : precisions) {
    const bool is_used = std::any_of(cases.begin(), cases.end(),
                                     [&](const Case& what) { return what.precision == info.name; });
    if (is_used) used.push_back(info.precision);
  }
  return used;
}

LaunchPlan plan_launch(const LaunchSetup& setup, int argc, char** argv, Workbench& bench) {
  const RunOptions& options = setup.options;
  Communicator& world = *bench.communicator(setup.offer.nccl ? "nccl" : "mpi", setup.session->size());
  Watchdog watchdog(options.timeout_seconds);
  const Topology topology = measure_topology(*setup.session, *setup.device, world, &watchdog);
  LaunchPlan plan;
  plan.launch = describe_launch(argc, argv, options, topology, bench.monitor().driver_version());
  report_activity_as("measuring the ceilings");
  watchdog.arm("");  // the activity says enough
  const Ceilings mine = measure_ceilings(*setup.device, precisions_of(setup.cases));
  plan.launch.ceilings = gather_records(setup.session->world(), std::vector{mine});
  report_activity_as("measuring the exchange");
  plan.launch.message_times = measure_messages(probed_groups(setup.cases), bench, watchdog);
  for (const PlannedRun& planned :
       plan_runs(setup.cases, options.repeats, options.random_order, options.seed)) {
    RecordedRun run;
    run.planned = planned;
    run.warmup = options.warmup;
    run.steps = options.steps;
    run.parameters = std::get<ModelShape>(parse_model(planned.what.model)).parameters();
    plan.runs.push_back(run);
  }
  return plan;
}

// Ranks that sit a run out sleep until it is over; the write that follows is everybody's.
ExitCode measure_runs(const LaunchSetup& setup, const LaunchPlan& plan, Workbench& bench,
                      ResultsWriter& writer) {
  const Session& session = *setup.session;
  Watchdog watchdog(setup.options.timeout_seconds);
  LiveStatusScreen live(session, setup.cases, plan.runs, setup.options.until_precise > 0);
  UntilPrecise until_precise(session, setup.cases, plan.runs, setup.options.until_precise, writer);
  for (std::size_t run = 0; run < plan.runs.size(); ++run) {
    if (!until_precise.is_needed(run)) {
      live.left_out(run);
      continue;
    }
    const Case& what = plan.runs[run].planned.what;
    report_activity_as(fmt::format("run {}: {}", run, label_of(what)));
    live.begins(run);
    watchdog.arm("");  // the activity says enough
    std::optional<RunRecord> record;
    if (session.rank() < what.gpus) record = run_case(what, bench, plan.runs[run].planned.repeat);
    session.sleepy_barrier();
    const RunRecord* const mine = record ? &*record : nullptr;
    writer.write(run, mine);
    until_precise.made(run, mine);
    live.made(run, mine);
    watchdog.disarm();
    const ExitCode asked = interrupted() ? ExitCode::interrupted : ExitCode::success;
    if (session.agree(asked) == ExitCode::interrupted) {
      if (session.is_root()) fmt::print(stderr, "\nstopped after run {} of {}\n", run + 1, plan.runs.size());
      return ExitCode::interrupted;
    }
  }
  until_precise.finish();
  live.finish();
  return ExitCode::success;
}

void print_plan(const LaunchSetup& setup, const Workbench& bench) {
  const RunOptions& options = setup.options;
  fmt::print("{} cases x {} repeats = {} runs of {} + {} steps{}\n", setup.cases.size(), options.repeats,
             setup.cases.size() * options.repeats, options.warmup, options.steps,
             options.until ? fmt::format(" at most, until {}", in_words(*options.until)) : "");
  if (options.until_precise > 0)
    fmt::print("  at most: a case ends once half of its intervals is at most {}\n",
               format_percent(options.until_precise));
  for (const Case& what : setup.cases) {
    const auto bytes = static_cast<double>(largest_memory_need(what, bench).total());
    fmt::print("  {}: {} a rank\n", label_of(what), format_bytes(bytes));
  }
}

// Refused before minutes of measuring are spent, and by value: every rank sees the same file system.
std::string output_problem(const RunOptions& options) {
  std::error_code ignored;
  const std::filesystem::path path(options.output);
  if (options.output.empty()) return "--output must name the results file";
  if (path.has_parent_path() && !std::filesystem::is_directory(path.parent_path(), ignored)) {
    return fmt::format("--output '{}': there is no folder '{}'", options.output, path.parent_path().string());
  }
  if (!options.append && std::filesystem::exists(path, ignored)) {
    return fmt::format("--output '{}' exists: pass --append to add a launch to it, or another name",
                       options.output);
  }
  return "";
}

}  // namespace

ExitCode run_command(int argc, char** argv) {
  LaunchSetup setup = set_up_launch(argc, argv, run_defaults());
  if (!setup.go_on) return setup.code;
  const Session& session = *setup.session;
  Workbench bench(session, *setup.device, setup.options, setup.dataset.get());
  const std::string too_large = over_memory_limit(setup.cases, bench);
  if (!too_large.empty()) {
    if (session.is_root()) fmt::print(stderr, "breakeven: {}\n", too_large);
    return ExitCode::usage;
  }
  if (setup.options.dry_run) {
    if (session.is_root()) print_plan(setup, bench);
    return ExitCode::success;
  }
  const std::string problem = session.is_root() ? output_problem(setup.options) : "";
  if (!problem.empty()) fmt::print(stderr, "breakeven: {}\n", problem);
  if (session.agree(problem.empty() ? ExitCode::success : ExitCode::file) != ExitCode::success)
    return ExitCode::file;

  install_interrupt_handler();
  report_activity_as("measuring the links");
  const LaunchPlan plan = plan_launch(setup, argc, argv, bench);
  ResultsWriter writer(session, setup.options.output,
                       setup.options.append ? OpenMode::append : OpenMode::create, plan);
  const ExitCode code = measure_runs(setup, plan, bench, writer);
  report_activity_as("closing the results file");
  writer.close();
  if (session.is_root()) fmt::print("results: {}\n", setup.options.output);
  return code;
}

}  // namespace breakeven
