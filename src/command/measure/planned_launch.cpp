// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/planned_launch.h"
#include "mpi/topology.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include "mpi/pack.h"
#include "mpi/watchdog.h"
#include "src/core/terminate.h"
#include "src/measure/plan/plan.h"
#include "src/measure/provenance.h"
#include "src/measure/roofline/measure_messages.h"
#include "src/measure/roofline/measure_roofline.h"

namespace breakeven {
namespace {

// Of the precisions that will run, each once; the plan has refused words that name none.
std::vector<Precision> precisions_of(const std::vector<Case>& cases) {
  std::vector<Precision> used;
  for (const PrecisionInfo& info : precisions) {
    const bool is_used = std::any_of(cases.begin(), cases.end(),
                                     [&](const Case& what) { return what.precision == info.precision; });
    if (is_used) used.push_back(info.precision);
  }
  return used;
}

std::vector<RecordedRun> runs_of(const std::vector<Case>& cases, const std::vector<Choice>& choices,
                                 const RunOptions& options) {
  std::vector<RecordedRun> runs;
  for (const PlannedRun& planned : plan_runs(cases, options.repeats, options.random_order, options.seed)) {
    RecordedRun& run = runs.emplace_back();
    run.planned = planned;
    run.warmup = options.warmup;
    run.steps = options.steps;
    run.parameters = planned.what.model.value().parameters();
    const Choice* choice = choice_of(planned.what, choices);
    if (choice == nullptr) continue;
    run.candidates = choice->candidates;
    run.choosing_seconds = choice->seconds;
  }
  return runs;
}

}  // namespace

LaunchPlan plan_launch(const LaunchSetup& setup, int argc, char** argv, const std::string& driver_version) {
  const RunOptions& options = setup.options;
  LaunchPlan plan;
  const Topology ranks{.ranks = gather_ranks(*setup.session, setup.device->info()), .links = {}};
  plan.launch = describe_launch(argc, argv, options, ranks, driver_version);
  plan.runs = runs_of(setup.cases, {}, options);
  return plan;
}

void measure_machine(const LaunchSetup& setup, const std::vector<Case>& to_train, RunContext& bench,
                     LaunchPlan& plan) {
  report_activity_as("measuring the links");
  Communicator& world = *bench.communicator(setup.offer.transports.front().transport, setup.session->size());
  Watchdog watchdog(setup.options.timeout_seconds);
  plan.launch.topology = measure_topology(*setup.session, *setup.device, world, &watchdog);
  report_activity_as("measuring the roofline");
  watchdog.arm("");  // the activity says enough
  const Roofline mine = measure_roofline(*setup.device, precisions_of(to_train));
  plan.launch.roofline = gather_records(setup.session->world(), std::vector{mine});
  report_activity_as("measuring communication");
  plan.launch.message_times = measure_messages(probed_groups(to_train), bench, watchdog);
}

bool choose_ways(AskedChoices asked, LaunchSetup& setup, RunContext& bench, LaunchPlan& plan) {
  if (asked.all.empty()) return true;
  Watchdog watchdog(setup.options.timeout_seconds);
  const auto choices = make_choices(std::move(asked), plan.launch, bench, watchdog);
  if (!choices) return false;
  setup.cases = with_choices(setup.cases, *choices);
  plan.runs = runs_of(setup.cases, *choices, setup.options);
  return true;
}

}  // namespace breakeven
