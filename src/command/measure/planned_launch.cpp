// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/planned_launch.h"

#include <algorithm>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include "mpi/interrupt.h"
#include "mpi/pack.h"
#include "mpi/topology.h"
#include "src/command/measure/stopping.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/terminate.h"
#include "src/core/text/lists.h"
#include "src/core/text/output.h"
#include "src/measure/plan/plan.h"
#include "src/measure/progress.h"
#include "src/measure/recorded_environment.h"
#include "src/measure/roofline/measure_messages.h"
#include "src/measure/roofline/measure_roofline.h"
#include "src/report/format/declared_table.h"
#include "src/report/format/numbers.h"

namespace breakeven::command {
namespace {

// The precisions that the cases use, each once.
std::vector<Precision> precisions_of(const std::vector<Case>& cases) {
  std::vector<Precision> used;
  for (const PrecisionInfo& info : precisions) {
    const bool is_used =
        std::ranges::any_of(cases, [&](const Case& what) { return what.precision == info.precision; });
    if (is_used) used.push_back(info.precision);
  }
  return used;
}

std::vector<RecordedRun> runs_of(const std::vector<Case>& cases, const std::vector<autotune::Choice>& choices,
                                 const measure::RunOptions& options) {
  std::vector<RecordedRun> runs;
  for (const PlannedRun& planned : measure::plan_runs(cases, options.repeats, options.random_order,
                                                      options.seed + options.order_number)) {
    RecordedRun& run = runs.emplace_back();
    run.planned = planned;
    run.warmup = options.warmup;
    run.steps = options.steps;
    run.parameters = planned.what.model.value().parameters();
    const autotune::Choice* choice = choice_of(planned.what, choices);
    if (choice == nullptr) continue;
    run.candidates = choice->candidates;
    run.choosing_seconds = choice->seconds;
  }
  return runs;
}

const report::DeclaredTable declared_plan{
    {.command = "run",
     .title = "The plan",
     .page = "measuring.md#memory",
     .columns = {
         report::words("", "N cases x N repeats = N runs of N + N steps",
                       "warm-up and measured steps of a run"),
         report::words("", "or fewer: a case ends once the half-width of its 95 % intervals is at most P",
                       "with `--target-ci`"),
         report::words("",
                       "expected time: T to T after measuring the machine, from a few steps of N of N cases",
                       "by the time that settling takes; from the smallest cases, tried for two seconds"),
         report::words("", "SIZE per rank", "predicted memory of a case on each GPU"),
         report::words("", "probed T a step", "by which `auto` chose").elsewhere()}}};

// "parameters 1.04 MiB + gradients 1.04 MiB + ... = 42.3 MiB"
std::string sum_in_words(const MemoryNeed& need) {
  std::string text;
  for (const MemoryPart& part : memory_parts) {
    const auto bytes = static_cast<double>(need.*part.bytes);
    if (bytes > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : " + ", part.name, report::format_bytes(bytes));
  }
  return fmt::format("{} = {}", text, report::format_bytes(static_cast<double>(need.total())));
}

}  // namespace

MemoryNeed largest_memory_need(const Case& what, const measure::RunContext& context) {
  MemoryNeed largest;
  for (int rank = 0; rank < what.gpus; ++rank) {
    const MemoryNeed need = context.memory_need(what, rank);
    if (need.total() > largest.total()) largest = need;
  }
  return largest;
}

std::string over_memory_limit(const std::vector<Case>& cases, const measure::RunContext& context) {
  const std::uint64_t limit = context.options().memory_limit_bytes;
  for (const Case& what : cases) {
    const MemoryNeed need = largest_memory_need(what, context);
    if (limit == 0 || need.total() <= limit) continue;
    return fmt::format("{} needs more memory per rank than --memory-limit {}: {}, plus communication buffers",
                       label_with_rows(what), report::format_bytes(static_cast<double>(limit)),
                       sum_in_words(need));
  }
  return "";
}

void print_plan(const LaunchSetup& setup, const std::vector<AskedChoice>& choices,
                const measure::RunContext& context) {
  const measure::RunOptions& options = setup.options;
  print_out("{} cases x {} repeats = {} runs of {} + {} steps{}\n", setup.cases.size(), options.repeats,
            setup.cases.size() * options.repeats, options.warmup, options.steps,
            options.until ? fmt::format(" at most, until {}", in_words(*options.until)) : "");
  if (options.target_ci > 0)
    print_out("  or fewer: a case ends once the half-width of its 95 % intervals is at most {}\n",
              report::format_percent(options.target_ci));
  for (const Case& what : setup.cases) {
    if (is_auto(what)) continue;
    const auto bytes = static_cast<double>(largest_memory_need(what, context).total());
    print_out("  {}: {} per rank\n", label_with_rows(what), report::format_bytes(bytes));
  }
  for (const AskedChoice& choice : choices) {
    std::vector<std::string> words;
    for (const Case& candidate : choice.candidates)
      words.push_back(fmt::format("{} on {}", candidate.strategy, candidate.gpus));
    print_out("  {}: chooses among {}\n", label_of(choice.asked), join_list(words));
  }
}

std::vector<std::size_t> case_of_each(const std::vector<RecordedRun>& runs, const std::vector<Case>& cases) {
  std::vector<std::size_t> places;
  for (const RecordedRun& run : runs)
    places.push_back(static_cast<std::size_t>(std::ranges::find(cases, run.planned.what) - cases.begin()));
  return places;
}

hdf5::LaunchPlan plan_launch(const LaunchSetup& setup, int argc, char** argv,
                             const std::string& driver_version) {
  const measure::RunOptions& options = setup.options;
  hdf5::LaunchPlan plan;
  plan.launch = measure::describe_launch(argc, argv, settings_of(options), driver_version, options.nccl);
  if (setup.dataset != nullptr)
    plan.launch.settings.emplace_back(dataset_checksum,
                                      fmt::format("{:016x}", data::checksum_of(*setup.dataset)));
  plan.launch.topology.ranks = gather_ranks(*setup.session, setup.device->info());
  plan.runs = runs_of(setup.cases, {}, options);
  return plan;
}

void measure_machine(const LaunchSetup& setup, const std::vector<Case>& to_train,
                     measure::RunContext& context, hdf5::LaunchPlan& plan) {
  const unsigned before = times_continued();
  measure::StatusScreen screen;
  if (setup.session->is_root())
    screen.announce("measuring the machine before the first run: links, roofline, communication");
  report_activity_as("measuring the links");
  Communicator& world =
      *context.communicator(setup.offer.transports.front().transport, setup.session->size());
  plan.launch.topology = measure_topology(*setup.session, *setup.device, world);
  report_activity_as("measuring the roofline");
  const Roofline mine = measure::measure_roofline(*setup.device, precisions_of(to_train));
  plan.launch.roofline = gather_records(setup.session->world(), std::vector{mine});
  plan.launch.copy_method = copied_by_processor;
  report_activity_as("measuring communication");
  plan.launch.message_times = measure::measure_messages(measure::probed_groups(to_train), context);
  if (setup.session->is_root()) screen.clear();
  if (!was_only_suspended(*setup.session, before)) return;
  if (setup.session->is_root())
    print_error("breakeven: the launch was suspended, so its machine is measured again\n");
  measure_machine(setup, to_train, context, plan);
}

bool choose_strategies(AskedChoices asked, LaunchSetup& setup, measure::RunContext& context,
                       hdf5::LaunchPlan& plan) {
  if (asked.all.empty()) return true;
  const auto choices = make_choices(std::move(asked), plan.launch, context);
  if (!choices) return false;
  setup.cases = with_choices(setup.cases, *choices);
  plan.runs = runs_of(setup.cases, *choices, setup.options);
  return true;
}

}  // namespace breakeven::command
