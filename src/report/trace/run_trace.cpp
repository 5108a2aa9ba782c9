// SPDX-License-Identifier: Apache-2.0
#include "src/report/trace/run_trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/strategy/case_strategy.h"
#include "src/core/text/printable.h"
#include "src/report/format/columns.h"
#include "src/report/trace/trace_events.h"
#include "src/report/words/machine.h"
#include "src/report/words/recorded_by.h"

namespace breakeven::report {
namespace {

using Json = nlohmann::ordered_json;

// The order in which the phases of a step begin. The file does not say where in the step the overhead lies;
// most of it is the launch gap before all other phases.
using PhaseOrder = std::array<Phase, phase_count - 1>;
constexpr PhaseOrder in_step_order = [] {
  PhaseOrder order = phases_in_time_order;
  std::rotate(order.begin(), std::ranges::find(order, Phase::overhead), order.end());
  return order;
}();
// Ranks that do not wait for one another fetch the parameters before they compute.
constexpr PhaseOrder fetching_order = [] {
  PhaseOrder order = in_step_order;
  const auto fetch = std::ranges::find(order, Phase::broadcast);
  std::rotate(order.begin() + 1, fetch, fetch + 1);
  return order;
}();

// The format is the viewers', so that breakeven's own `format` and `version` stand in `otherData`.
const DeclaredTable declared_trace{
    {.command = "trace",
     .page = "trace.md",
     .format = "breakeven trace",
     .version = 1,
     .columns = {words("displayTimeUnit", "", "of the viewer"), datum("otherData", "", "about the run"),
                 datum("traceEvents", "", "list of events")}}};
const DeclaredTable declared_events{
    {.command = "trace",
     .json = "traceEvents",
     .page = "trace.md",
     .columns = {words("ph", "", "kind of event"),
                 words("cat", "", "`step`, `phase`, `flow`, `kernel`, `copy` or `set`").elsewhere(),
                 columns::name.meant("of the step, phase, rank or kernel"), number("pid", "", "", "the run"),
                 number("tid", "", "", "the rank, from 100; then streams"),
                 datum("ts", "µs", "begin, since the launch's start by rank 0").elsewhere(),
                 datum("dur", "µs", "length").elsewhere(), datum("args", "", "its facts").elsewhere(),
                 number("id", "", "", "step of a flow").elsewhere(),
                 words("bp", "", "of a flow").elsewhere()}}};
const DeclaredTable declared_facts{
    {.command = "trace",
     .json = "traceEvents.args",
     .page = "trace.md",
     .is_one = true,
     .columns = {columns::name.meant("of the rank, or the whole name of a kernel").elsewhere(),
                 number("step", "", "", "its place").elsewhere(),
                 datum("seconds", "s", "as in the file").elsewhere(),
                 datum("host_seconds", "s", "of the step, by the host's clock").elsewhere(),
                 number("loss_share", "", "", "the rank's share of the loss").elsewhere(),
                 number("sort_index", "", "", "rank; then streams").elsewhere(),
                 words("grid", "", "blocks of a kernel").elsewhere(),
                 words("block", "", "threads of its blocks").elsewhere(),
                 datum("bytes", "bytes", "of a copy or memset").elsewhere()}}};
const DeclaredTable declared_about{
    {.command = "trace",
     .json = "otherData",
     .page = "trace.md",
     .is_one = true,
     .columns = {columns::format, columns::version, words("run", "", "its name"), columns::machine,
                 words("launch_started", "", "in UTC"), words("clock", "", "of all times"),
                 datum("ranks", "", "about each")}}};
const DeclaredTable declared_traced_ranks{
    {.command = "trace",
     .json = "otherData.ranks",
     .page = "trace.md",
     .columns = {columns::rank,
                 datum("start_uncertainty_seconds", "s", "of the rank's place on the common clock"),
                 datum("steps_a_launch", "steps", "that one launch makes"), columns::utilization_percent,
                 columns::sm_clock_hz, columns::temperature_celsius, columns::power_watts}}};

// A step, or a phase of it, from one time to another on the launch's clock.
struct Slice {
  std::string name;
  std::int64_t begin_ns;
  std::int64_t end_ns;
  double seconds;  // as in the file
};

Slice slice(std::string name, double begin, double end, double seconds) {
  return {std::move(name), std::llround(1e9 * begin), std::llround(1e9 * end), seconds};
}

// The step, followed by its phases, which viewers draw below it. Phases without time or measurement are left
// out.
std::vector<Slice> slices_of(const RunRecord& record, std::uint32_t step, const PhaseOrder& order) {
  double begin = record.start_seconds[step];
  const double seconds = record.at(step, Phase::step);
  double end = begin + seconds;
  // The device clock may run slightly faster than the shared clock, so that the next step begins earlier.
  if (step + 1 < made_steps(record)) end = std::min(end, record.start_seconds[step + 1]);
  std::vector<Slice> slices{slice(fmt::format("step {}", step), begin, end, seconds)};
  for (const Phase phase : order) {
    const double phase_seconds = record.at(step, phase);
    if (!(phase_seconds > 0)) continue;
    const double phase_end = std::min(begin + phase_seconds, end);
    slices.push_back(slice(std::string(name_of(phase)), begin, phase_end, phase_seconds));
    begin = phase_end;
  }
  return slices;
}

void add_step(const RunRecord& record, int rank, std::uint32_t step, const PhaseOrder& order,
              EventList& events) {
  const std::vector<Slice> slices = slices_of(record, step, order);
  for (const Slice& one : slices) {
    const bool is_step = &one == &slices.front();
    Json numbers{{"step", step}, {"seconds", one.seconds}};
    if (is_step) {
      numbers["host_seconds"] = record.host_seconds[step];
      numbers["loss_share"] = record.loss[step];
    }
    events.add({{"ph", "X"},
                {"name", one.name},
                {"cat", is_step ? "step" : "phase"},
                {"pid", process},
                {"tid", first_thread + rank},
                {"ts", microseconds(one.begin_ns)},
                {"dur", microseconds(one.end_ns - one.begin_ns)},
                {"args", std::move(numbers)}});
  }
}

// Where ranks wait for each other in every step, arrows connect their exchanges, or their steps where no
// phases were measured. They point forward in time, from the first rank to arrive.
void add_flow(const RecordedRun& run, std::uint32_t step, const PhaseOrder& order, EventList& events) {
  std::vector<std::pair<std::int64_t, int>> middles;  // and the rank
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    const std::vector<Slice> slices = slices_of(run.ranks[rank], step, order);
    const auto exchange = std::find_if(slices.begin(), slices.end(),
                                       [](const Slice& one) { return one.name == name_of(Phase::exchange); });
    const Slice& shared = exchange == slices.end() ? slices.front() : *exchange;
    middles.emplace_back(std::midpoint(shared.begin_ns, shared.end_ns), static_cast<int>(rank));
  }
  std::sort(middles.begin(), middles.end());
  for (const auto& [middle, rank] : middles) {
    const bool is_first = rank == middles.front().second, is_last = rank == middles.back().second;
    events.add({{"ph", is_first  ? "s"
                       : is_last ? "f"
                                 : "t"},
                {"bp", "e"},
                {"name", "together"},
                {"cat", "flow"},
                {"id", step},
                {"pid", process},
                {"tid", first_thread + rank},
                {"ts", microseconds(middle)}});
  }
}

// Facts of the whole run: NVML is read before and after it, so there is no series to draw.
Json about_rank(const RunRecord& record, int rank) {
  const Telemetry& t = record.telemetry;
  return {{"rank", rank},
          {"start_uncertainty_seconds", record.start_uncertainty_seconds},
          {"steps_a_launch", record.steps_a_launch},
          {"utilization_percent", t.utilization_percent},
          {"sm_clock_hz", t.sm_clock_hz},
          {"temperature_celsius", t.temperature_celsius},
          {"power_watts", t.power_watts}};
}

Json about_run(const Results& results, const RecordedRun& run) {
  const Launch& launch = results.launches[run.launch];
  Json ranks = Json::array();
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
    ranks.push_back(about_rank(run.ranks[rank], static_cast<int>(rank)));
  return {{"format", declared_trace.declaration().format},
          {"version", declared_trace.declaration().version},
          {"run", run.label},
          {"machine", machine_name(launch.topology)},
          {"launch_started", launch.started},
          {"clock", "seconds since the start of the launch, by rank 0"},
          {"ranks", std::move(ranks)}};
}

}  // namespace

std::string untraceable(const Results& results, std::size_t run) {
  const RecordedRun& found = results.runs[run];
  const std::string name = fmt::format("run {} of {} ({})", run, results.path, found.label);
  if (found.status == RunStatus::planned) return name + " was planned, but not finished";
  for (const RunRecord& record : found.ranks) {
    const std::uint32_t steps = made_steps(record);
    const bool known = std::all_of(record.start_seconds.begin(), record.start_seconds.begin() + steps,
                                   [](double start) { return std::isfinite(start); });
    if (!known)
      return name +
             (recorded_by(results.launches[found.launch]) == RecordedBy::run
                  ? " has no start times of its steps, because an older program recorded it; measure "
                    "it again"
                  : " has no start times of its steps, because the program that recorded it gives none");
  }
  return "";
}

std::uint32_t traceable_steps(const RecordedRun& run) {
  std::uint32_t steps = run.steps;
  for (const RunRecord& record : run.ranks) steps = std::min(steps, made_steps(record));
  return steps;
}

std::string run_trace(const Results& results, std::size_t run, std::uint32_t first, std::uint32_t end,
                      std::span<const NodeRecording> kernels) {
  const RecordedRun& traced = results.runs[run];
  const std::vector<RankInfo>& infos = results.launches[traced.launch].topology.ranks;
  const bool in_step = traits_of(traced.planned.what).in_step;
  const PhaseOrder& order = in_step ? in_step_order : fetching_order;
  EventList events;
  events.add(name_event("process_name", 0, traced.label));
  for (std::size_t place = 0; place < traced.ranks.size(); ++place) {
    const int rank = static_cast<int>(place);
    name_thread(first_thread + rank,
                fmt::format("rank {} ({}, {})", rank, infos[place].device.name, infos[place].host), events);
    for (std::uint32_t step = first; step < end; ++step)
      add_step(traced.ranks[place], rank, step, order, events);
  }
  for (std::uint32_t step = first; in_step && traced.ranks.size() > 1 && step < end; ++step)
    add_flow(traced, step, order, events);
  int thread = first_thread + static_cast<int>(traced.ranks.size());
  for (std::size_t rank = 0; rank < kernels.size(); ++rank)
    thread = add_nodes(kernels[rank], rank, thread, events);
  return without_controls(fmt::format(
      "{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {},\n\"traceEvents\": [\n{}\n]}}\n",
      about_run(results, traced).dump(-1, ' ', false, Json::error_handler_t::replace), events.text()));
}

}  // namespace breakeven::report
