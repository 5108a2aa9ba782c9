// SPDX-License-Identifier: Apache-2.0
#include "src/measure/run_case.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/device.h"
#include "kernels/profiler_range.h"
#include "kernels/telemetry.h"
#include "mpi/mpi_call.h"
#include "src/core/strategy/case_strategy.h"
#include "src/measure/clocks.h"
#include "src/measure/event_grid.h"
#include "src/measure/measured_steps.h"
#include "src/measure/settling.h"
#include "src/train/trained_weights.h"
#include "src/train/training.h"

namespace breakeven::measure {
namespace {

Traffic traffic_of(const Communicator* communicator) {
  return communicator != nullptr ? communicator->traffic() : Traffic{};
}

// Captures the graphs of a stretch: of a full launch, and of the remaining steps.
void capture_launches(train::Training& training, std::uint32_t steps, EventGrid& grid) {
  const std::uint32_t whole = training.steps_a_launch();
  if (steps >= whole) training.capture(whole, grid.marks(0));
  if (steps % whole != 0) training.capture(steps % whole, grid.marks(0));
}

// By launches as long as they may be; the last makes what is left.
void train_steps(train::Training& training, std::uint32_t steps, std::span<Event* const> marks) {
  for (std::uint32_t left = steps; left > 0;) {
    const std::uint32_t now = std::min(left, training.steps_a_launch());
    training.launch(now, marks);
    left -= now;
  }
}

// The first launch sets up libraries, the second is the graph's first replay; both are warm-up. Communication
// is counted in the first launch: a communicator counts calls when they are captured, not when they are
// replayed.
void warm_up(train::Training& training, const Case& what, const Communicator* communicator,
             const RunOptions& options, EventGrid& grid, RunRecord& record) {
  const ProfilerRange range("warm-up");
  const Traffic before = traffic_of(communicator);
  const double start = host_seconds();
  training.launch(1, grid.marks(0));
  training.stream().synchronize();
  const double first_done = host_seconds();
  const Traffic after = traffic_of(communicator);
  record.exchange_bytes = static_cast<double>(after.bytes - before.bytes);
  record.exchange_calls = static_cast<double>(after.calls - before.calls);
  if (what.graph) {
    const std::uint32_t stretch = steps_a_stretch(options);
    capture_launches(training, stretch, grid);
    capture_launches(training, options.steps % stretch, grid);
  }
  const double captured = host_seconds();
  train_steps(training, options.warmup - 1, grid.marks(0));
  training.stream().synchronize();
  record.first_step_seconds = first_done - start;
  record.setup_seconds += captured - first_done;
  record.warmup_seconds = host_seconds() - captured;
}

// The powers of beta in Adam's state count the updates. NaN once the power is too small, after 700,000
// updates.
double skipped_steps(train::Training& training, Device& device) {
  const StepState state =
      download(device, std::span(training.mlp().step_state(), 1), training.stream()).front();
  if (!std::isnormal(state.beta2_power)) return not_measured;
  const double beta2 = training.mlp().settings().adam.beta2;
  return state.step - std::round(std::log(state.beta2_power) / std::log(beta2));
}

// A collective ends on all ranks at about the same time, but begins when each rank arrives. So the shortest
// time over the ranks is the exchange itself; a rank spends the rest of its time waiting.
void split_wait_from_exchange(MPI_Comm group, RunRecord& record) {
  const std::uint32_t steps = made_steps(record);
  std::vector<double> shortest(steps);
  for (std::uint32_t step = 0; step < steps; ++step) shortest[step] = record.at(step, Phase::exchange);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, shortest.data(), static_cast<int>(steps), MPI_DOUBLE, MPI_MIN, group));
  for (std::uint32_t step = 0; step < steps; ++step) {
    record.at(step, Phase::wait) = record.at(step, Phase::exchange) - shortest[step];
    record.at(step, Phase::exchange) = shortest[step];
  }
}

double busy_fraction(const RunRecord& record) {
  double busy = 0;
  double whole = 0;
  for (std::uint32_t step = 0; step < made_steps(record); ++step) {
    const double idle = record.at(step, Phase::overhead) + record.at(step, Phase::wait);
    busy += record.at(step, Phase::step) - idle;
    whole += record.at(step, Phase::step);
  }
  return busy / whole;
}

// NVML's energy counter advances in ticks of up to a tenth of a second, so a shorter run would measure the
// ticks. Evaluations draw power too.
constexpr double shortest_energy_seconds = 1.0;
constexpr double longest_eval_share = 0.01;

bool can_measure_energy(const RunRecord& record) {
  const double seconds = record.steps_host_seconds;
  const bool evaluated_long = !(record.eval_seconds <= longest_eval_share * seconds);
  return seconds >= shortest_energy_seconds && (std::isnan(record.eval_seconds) || !evaluated_long);
}

// `running`: while the measured steps ran, or right after them where they were too short for a reading.
Telemetry telemetry_between(const GpuReading& before, const GpuReading& running, const GpuReading& after,
                            const RunRecord& record) {
  Telemetry t;
  t.utilization_percent = running.utilization_percent;
  t.sm_clock_hz = running.sm_clock_hz;
  t.temperature_celsius = running.temperature_celsius;
  t.power_watts = running.power_watts;
  if (can_measure_energy(record)) t.energy_joules = after.energy_joules - before.energy_joules;
  t.throttle_reasons = running.throttle_reasons;
  t.device_memory_bytes = after.device_memory_bytes;
  return t;
}

// The first step sends every message. A message that only one step in several sends counts for that share.
void spread_over_periods(std::span<const Message> messages, RunRecord& record) {
  const Traffic first = traffic_of(messages);
  const MeanTraffic mean = mean_traffic_of(messages);
  record.exchange_calls -= static_cast<double>(first.calls) - mean.calls;
  record.exchange_bytes -= static_cast<double>(first.bytes) - mean.bytes;
}

// So many that `steps` recorded ones last at least `seconds`; whole launches. Settling has timed the steps by the
// host's clock, which also counts how windows begin and end: up to 2 % in recorded files.
std::uint32_t steps_apart_for(const RunOptions& options, double step_seconds, std::uint32_t steps_a_launch) {
  constexpr double most = 1e6, margin = 1.05;
  const double apart = std::min(most, std::ceil(margin * options.seconds / step_seconds / options.steps));
  if (!(apart > 1)) return 1;
  return static_cast<std::uint32_t>(std::ceil(apart / steps_a_launch)) * steps_a_launch;
}

void put_on_common_clock(const ClockOffset& offset, RunRecord& record) {
  for (double& start : record.start_seconds) start += offset.seconds;
  record.start_uncertainty_seconds += offset.uncertainty_seconds;
}

// The losses of the first steps after the warm-up, which all repeats of a case have in common; then training
// until it is steady. Then a recorded step stands for so many steps that all of them together last long
// enough.
void settle_and_space(const Case& what, RunContext& context, const RunOptions& options,
                      train::Training& training, EventGrid& grid, RunRecord& record) {
  record.settle_seconds = 0;
  record.settle_steps = 0;
  record.settle_end = static_cast<double>(SettleEnd::none);
  record.steps_apart = 1;
  if (!(options.settle.most_seconds > 0) || options.until) return;
  MPI_Comm const group = context.group(what.gpus);
  const double start = host_seconds();
  train_steps(training, options.steps, grid.marks(0));
  const std::vector<float> losses =
      training.loss_shares(training.steps_enqueued() - options.steps, options.steps);
  std::ranges::copy(losses, record.loss.begin());
  const double estimate = largest_of((host_seconds() - start) / options.steps, group);
  const Settling settling =
      settle(training, context.monitor(), group, options.settle, grid.marks(0), estimate);
  record.settle_seconds = settling.seconds;
  record.settle_steps = static_cast<double>(settling.steps);
  record.settle_end = static_cast<double>(settling.end);
  const std::uint32_t apart = steps_apart_for(options, settling.step_seconds, training.steps_a_launch());
  if (apart == 1) return;
  record.steps_apart = apart;
  grid.stand_for_several(context.device());
}

// The ranks begin together. Clocks are read before and after the steps, not between them.
void measure_between_readings(const Case& what, RunContext& context, const RunOptions& options,
                              train::Training& training, EventGrid& grid, const AroundSteps& around,
                              RunRecord& record) {
  Communicator* const communicator = context.communicator(what.transport.value(), what.gpus);
  std::optional<QualityWatch> watch;
  if (options.until) watch.emplace(what, context, training);
  const ClockOffset offset = context.offset_to_launch(what.gpus);
  std::optional<GpuReading> running;
  around.before();
  const GpuReading before = context.monitor().read();  // may be slow, so before the barrier
  ClockReading begun = read_clocks(context.device(), training.stream());
  if (communicator != nullptr) communicator->check();
  MPI_CALL(MPI_Barrier(context.group(what.gpus)));
  measure_steps(
      training, context.device(), grid, watch ? &*watch : nullptr, steps_a_stretch(options), std::move(begun),
      [&] { running = context.monitor().read(); }, record);
  around.after();
  const GpuReading after = context.monitor().read();
  if (communicator != nullptr) communicator->check();
  put_on_common_clock(offset, record);
  record.telemetry = telemetry_between(before, running.value_or(after), after, record);
}

}  // namespace

RunRecord run_case(const Case& what, RunContext& context, std::uint32_t repeat) {
  return run_case(what, context, context.options(), repeat);
}

RunRecord run_case(const Case& what, RunContext& context, const RunOptions& options, std::uint32_t repeat) {
  return run_case(what, context, options, repeat, {});
}

RunRecord run_case(const Case& what, RunContext& context, const RunOptions& options, std::uint32_t repeat,
                   const AroundSteps& around) {
  const std::string label = label_of(what);
  const ProfilerRange range(label.c_str());
  Device& device = context.device();
  MlpSettings settings = context.settings_for(what, options.warmup + options.steps);
  if (options.until) settings.seed += repeat;
  const data::Dataset& dataset =
      context.dataset(settings.shape, what.data == DataPlacement::streamed ? DataPlacement::streamed
                                                                           : DataPlacement::resident);
  const StrategyChoice strategy = strategy_of_case(what);
  const std::size_t bytes_of_others = device.bytes_in_use() - dataset.device_bytes();
  device.reset_peak_bytes();
  RunRecord record(options.steps);

  const double start = host_seconds();
  Communicator* communicator = context.communicator(what.transport.value(), what.gpus);
  train::Training training(device, strategy, communicator, dataset, settings);
  EventGrid grid(device, steps_a_stretch(options),
                 what.timing == Timing::phases ? training.phases() : std::span<const Phase>{});
  training.stream().synchronize();
  record.setup_seconds = host_seconds() - start;
  const MemoryNeed need = context.memory_need(what, context.session().rank());
  record.predicted_memory_bytes = static_cast<double>(need.total());
  record.rows_memory_bytes = static_cast<double>(need.of_rows());

  warm_up(training, what, communicator, options, grid, record);
  spread_over_periods(
      strategy.info->messages(strategy.options, settings, context.session().rank(), what.gpus), record);
  settle_and_space(what, context, options, training, grid, record);
  measure_until_steady(
      what, context.group(what.gpus), options.settle,
      [&] { measure_between_readings(what, context, options, training, grid, around, record); }, record);
  record.peak_memory_bytes -= static_cast<double>(bytes_of_others);
  record.skipped_steps = skipped_steps(training, device);
  record.weights_checksum = train::weights_checksum(training, device);
  if (what.timing == Timing::phases) {
    const bool collective = communicator != nullptr && training.strategy().served_updates().empty();
    if (collective) split_wait_from_exchange(context.group(what.gpus), record);
    record.busy_fraction = busy_fraction(record);
  }
  if (const data::DatasetFile* file = context.dataset_file())
    record.test_accuracy = train::test_accuracy(*file, training, device);
  return record;
}

std::vector<double> gather_step_seconds(const Session& session, const Case& what, std::uint32_t steps,
                                        const RunRecord* mine) {
  const bool in_step = traits_of(what).in_step;
  std::vector<double> seconds(steps + 1, 0.0);  // zero on ranks that took no part; the last: steps made
  if (mine != nullptr) {
    seconds.back() = made_steps(*mine);
    for (std::uint32_t step = 0; step < made_steps(*mine); ++step) {
      const double value = mine->at(step, Phase::step);
      // MPI_MAX may lose a NaN but never an infinity.
      seconds[step] = std::isnan(value) ? std::numeric_limits<double>::infinity() : value;
    }
  }
  std::vector<double> of_all(seconds.size());
  MPI_CALL(MPI_Reduce(seconds.data(), of_all.data(), static_cast<int>(seconds.size()), MPI_DOUBLE,
                      in_step ? MPI_MAX : MPI_SUM, 0, session.world()),
           "gathering step times");
  const double ranks = in_step ? 1 : what.gpus;
  for (double& value : of_all) value /= ranks;
  of_all.resize(session.is_root() ? static_cast<std::size_t>(of_all.back()) : 0);
  return of_all;
}

}  // namespace breakeven::measure
