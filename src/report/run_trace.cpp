// SPDX-License-Identifier: Apache-2.0
#include "src/report/run_trace.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/report/machine.h"
#include "src/strategy/case_traits.h"

namespace breakeven {
namespace {

using Json = nlohmann::ordered_json;

// The rows of a rank. Apart, since a viewer nests what it finds in one row by its times.
constexpr int steps_row = 1;
constexpr int phases_row = 2;

// As the phases of a step follow one another, each where it begins first. The file does not say where in the
// step its overhead lies; most of it is the gap of a launch, ahead of all others.
using PhaseOrder = std::array<Phase, phase_count - 1>;
constexpr PhaseOrder in_step_order{Phase::overhead, Phase::input,     Phase::forward,
                                   Phase::backward, Phase::collect,   Phase::wait,
                                   Phase::exchange, Phase::optimizer, Phase::broadcast};
// Ranks that do not wait for one another fetch the parameters before they compute.
constexpr PhaseOrder fetching_order{Phase::overhead, Phase::broadcast, Phase::input,
                                    Phase::forward,  Phase::backward,  Phase::collect,
                                    Phase::wait,     Phase::exchange,  Phase::optimizer};

class EventList {
 public:
  void add(const Json& event) {
    text_ += (text_.empty() ? "" : ",\n") + event.dump(-1, ' ', false, Json::error_handler_t::replace);
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

Json name_event(std::string_view what, int rank, int row, const std::string& name) {
  return {{"ph", "M"}, {"name", what}, {"pid", rank}, {"tid", row}, {"args", {{"name", name}}}};
}

void name_rank(const RankInfo& info, int rank, EventList& events) {
  events.add(
      name_event("process_name", rank, 0, fmt::format("rank {}: {}, {}", rank, info.host, info.device.name)));
  events.add({{"ph", "M"}, {"name", "process_sort_index"}, {"pid", rank}, {"args", {{"sort_index", rank}}}});
  events.add(name_event("thread_name", rank, steps_row, "steps"));
  events.add(name_event("thread_name", rank, phases_row, "phases"));
}

// From one time to another on the launch's clock. The format counts in microseconds; whole nanoseconds, so
// that what ends where the next begins does so in the file too.
Json slice(std::string_view name, int rank, int row, double begin, double end, Json args) {
  const auto begin_ns = std::llround(1e9 * begin);
  const auto end_ns = std::llround(1e9 * end);
  return {{"ph", "X"},
          {"name", name},
          {"cat", row == steps_row ? "step" : "phase"},
          {"pid", rank},
          {"tid", row},
          {"ts", static_cast<double>(begin_ns) / 1e3},
          {"dur", static_cast<double>(end_ns - begin_ns) / 1e3},
          {"args", std::move(args)}};
}

// Phases that took no time, or were not measured, are not drawn.
void add_phases(const RunRecord& record, int rank, std::uint32_t step, const PhaseOrder& order, double end,
                EventList& events) {
  double begin = record.start_seconds[step];
  for (const Phase phase : order) {
    const double seconds = record.at(step, phase);
    if (!(seconds > 0)) continue;
    const double phase_end = std::min(begin + seconds, end);
    events.add(
        slice(name_of(phase), rank, phases_row, begin, phase_end, {{"step", step}, {"seconds", seconds}}));
    begin = phase_end;
  }
}

void add_step(const RunRecord& record, int rank, std::uint32_t step, const PhaseOrder& order,
              EventList& events) {
  const double begin = record.start_seconds[step];
  const double seconds = record.at(step, Phase::step);
  double end = begin + seconds;
  // The device's clock may run a little faster than the one that all share: then the next begins before.
  if (step + 1 < made_steps(record)) end = std::min(end, record.start_seconds[step + 1]);
  events.add(slice(fmt::format("step {}", step), rank, steps_row, begin, end,
                   {{"step", step},
                    {"seconds", seconds},
                    {"host_seconds", record.host_seconds[step]},
                    {"loss_share", record.loss[step]}}));
  add_phases(record, rank, step, order, end, events);
}

// What holds for the whole run: NVML is read around it, so there is no series to draw.
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
  return {{"run", run.label},
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
      return name + " does not say when its steps began: an older program recorded it; measure it again";
  }
  return "";
}

std::uint32_t traceable_steps(const RecordedRun& run) {
  std::uint32_t steps = run.steps;
  for (const RunRecord& record : run.ranks) steps = std::min(steps, made_steps(record));
  return steps;
}

std::string run_trace(const Results& results, std::size_t run, std::uint32_t first, std::uint32_t end) {
  const RecordedRun& traced = results.runs[run];
  const std::vector<RankInfo>& infos = results.launches[traced.launch].topology.ranks;
  const PhaseOrder& order = traits_of(traced.planned.what).in_step ? in_step_order : fetching_order;
  EventList events;
  for (std::size_t place = 0; place < traced.ranks.size(); ++place) {
    const int rank = static_cast<int>(place);
    name_rank(infos[place], rank, events);
    for (std::uint32_t step = first; step < end; ++step)
      add_step(traced.ranks[place], rank, step, order, events);
  }
  return fmt::format("{{\"displayTimeUnit\": \"ns\",\n\"otherData\": {},\n\"traceEvents\": [\n{}\n]}}\n",
                     about_run(results, traced).dump(-1, ' ', false, Json::error_handler_t::replace),
                     events.text());
}

}  // namespace breakeven
