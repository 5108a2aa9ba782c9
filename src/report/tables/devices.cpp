// SPDX-License-Identifier: Apache-2.0
// In what state were the devices?
#include <cmath>

#include <fmt/format.h>

#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/table_section.h"
#include "src/report/warnings/throttle.h"

namespace breakeven::report {
namespace {

std::string number_with_unit(double value, double scale, int decimals, std::string_view unit) {
  return std::isfinite(value) ? fmt::format("{:.{}f} {}", value * scale, decimals, unit) : std::string(dash);
}

// With the number of runs that were long enough for the counter, if not all were.
std::string energy_cell(const analysis::CaseSummary& summary) {
  const analysis::EnergyOfSample& energy = summary.readings.energy;
  const std::string joules = number_with_unit(energy.joules.centre, 1e3, 3, "mJ");
  return energy.runs == 0 ? joules : joules + part_of_runs(energy.runs, summary.done.size());
}

TableRows rows_of(const analysis::FileAnalysis&, const analysis::Group& group) {
  TableRows rows;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::MeasuredCase* const measured = result.measured;
    const analysis::Readings& readings = measured->timed().readings;
    const analysis::CaseSummary* const phases = measured->phases;
    rows.push_back({batch_cell(measured->what), strategy_of(measured->what, group),
                    format_bytes(readings.peak_memory_bytes), format_bytes(readings.device_memory_bytes),
                    format_percent(readings.utilization_percent / 100),
                    format_percent(analysis::is_done(phases) ? phases->readings.busy_fraction : not_measured),
                    number_with_unit(readings.sm_clock_hz, 1e-6, 0, "MHz"),
                    number_with_unit(readings.temperature_celsius, 1, 0, "°C"),
                    number_with_unit(readings.power_watts, 1, 0, "W"), energy_cell(measured->timed()),
                    throttle_words(readings.throttle_reasons)});
  }
  return rows;
}

}  // namespace

const TableSection devices_section{
    .table = DeclaredTable(
        {.command = "report",
         .title = "The devices: memory of the program and of the whole GPU, NVML's readings, share of a step "
                  "at work",
         .page = "report.md#quality-of-measurement",
         .columns = {columns::batch, columns::strategy, columns::peak_memory_bytes.headed("Program\nmemory"),
                     columns::device_memory_bytes, columns::utilization_percent, columns::busy_fraction,
                     columns::sm_clock_hz, columns::temperature_celsius, columns::power_watts,
                     columns::joules_per_sample, columns::throttle_reasons}}),
    .after = "start-up",
    .name = "devices",
    .holds = "clocks, power, utilization",
    .rows = rows_of};

}  // namespace breakeven::report
