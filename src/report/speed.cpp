// SPDX-License-Identifier: Apache-2.0
// Is it faster, batch by batch, and which strategy is the fastest?
#include <algorithm>

#include <fmt/format.h>

#include "src/report/cells.h"
#include "src/report/columns.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

double rate_of(const analysis::CaseSummary* summary) {
  return summary == nullptr ? not_measured : summary->step.samples_per_second;
}

std::string from_to(const std::string& from, const std::string& to) {
  return from == to && from == dash ? from : fmt::format("{} → {}", from, to);
}

// "85 → 70 %" by NVML.
std::string utilization(const analysis::CaseResult& line) {
  const auto percent = [](const analysis::CaseSummary* summary) {
    const double value = summary == nullptr ? not_measured : summary->readings.utilization_percent;
    return value == value ? fmt::format("{:.0f}", value) : std::string(dash);
  };
  const std::string text = from_to(percent(line.comparison.base_timed), percent(line.comparison.timed));
  return text == dash ? text : text + " %";
}

std::string verdict_of(const analysis::CaseResult& line) {
  if (line.comparison.base == nullptr) return "no base";
  return phrase_of(line.comparison.decision);
}

std::vector<Cell> speed_row(const analysis::CaseResult& line, const analysis::Group& group) {
  const analysis::Comparison& comparison = line.comparison;
  const analysis::CaseSummary& timed =
      comparison.timed != nullptr ? *comparison.timed : line.measured->timed();
  return {batch_cell(line.measured->what),
          strategy_of(line.measured->what, group),
          format_rate(rate_of(comparison.base_timed)),
          format_rate(rate_of(&timed)),
          format_ratio(comparison.speedup.ratio),
          format_percent(comparison.efficiency),
          format_bytes(timed.readings.peak_memory_bytes),
          utilization(line),
          verdict_of(line)};
}

}  // namespace

const DeclaredTable declared_speed{
    {.command = "report",
     .title = "Speed: one GPU against more, in samples a second; speed-up with its 95 % interval, verdicts "
              "corrected for multiple comparisons",
     .page = "report.md#speed",
     .columns = {columns::batch.headed("Batch\nsize"), columns::strategy.headed("Multi-GPU\nstrategy"),
                 columns::base_samples_per_second, columns::samples_per_second.headed("Multi-GPU\nsamples/s"),
                 columns::speedup, columns::efficiency, columns::peak_memory_bytes,
                 columns::utilization_percent.headed("GPU\nutilization"), columns::verdict}}};

ReportTable speed_table(const analysis::Group& group) {
  ReportTable table = declared_speed.empty();
  for (const analysis::CaseResult& line : group.lines) table.rows.push_back(speed_row(line, group));
  return table;
}

const DeclaredTable declared_fastest{
    {.command = "report",
     .json = "fastest",
     .title = "The fastest on more than one GPU: selected on one half of the runs, its speed-up measured on "
              "the other half",
     .page = "report.md#speed",
     .columns = {columns::batch, columns::strategy.headed("Fastest"),
                 words("is_agreed", "Both halves\nselect it", "whether both halves of the runs agree"),
                 words("speedup", "Speed-up", "of the other half"),
                 number("of_all", "On all\nruns", "", "speed-up of all blocks, the selecting half included"),
                 columns::verdict}}};

ReportTable fastest_table(const analysis::Group& group) {
  ReportTable table = declared_fastest.empty();
  for (const auto& [line, speedup, decision, is_agreed] : group.fastest) {
    const Case& what = line->measured->what;
    table.rows.push_back({batch_cell(what), strategy_of(what, group),
                          Cell(is_agreed ? "yes" : "no", is_agreed), ratio_cell(speedup.ratio),
                          ratio_cell(line->comparison.speedup.ratio.centre), phrase_of(decision)});
  }
  return table;
}

}  // namespace breakeven::report
