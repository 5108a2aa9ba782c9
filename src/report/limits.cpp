// SPDX-License-Identifier: Apache-2.0
// How far each phase is from its own limit on this machine, and what sets that limit.
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/core/strategy/case_traits.h"
#include "src/measure/roofline/phase_limits.h"
#include "src/report/numbers.h"
#include "src/report/phase_names.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

// Of all ranks that took part, in all launches of the case: the least favourable. One that was not measured
// makes it not measured.
double worst(double one, double other, bool is_rate) {
  if (std::isnan(one) || std::isnan(other)) return not_measured;
  return is_rate ? std::min(one, other) : std::max(one, other);
}

void lower_to(const Roofline& other, Roofline& roofline) {
  const auto lower = [&](double Roofline::*member, bool is_rate) {
    roofline.*member = worst(roofline.*member, other.*member, is_rate);
  };
  lower(&Roofline::copy_bytes_per_second, true);
  for (std::size_t i = 0; i < precisions.size(); ++i) {
    roofline.flops_per_second[i] = worst(roofline.flops_per_second[i], other.flops_per_second[i], true);
  }
  lower(&Roofline::launch_seconds, false);
  lower(&Roofline::node_seconds, false);
}

Roofline worst_of(const std::vector<const Roofline*>& all) {
  if (all.empty()) return {};
  Roofline roofline = *all.front();
  for (const Roofline* other : all) lower_to(*other, roofline);
  return roofline;
}

Roofline roofline_of(const CaseSummary& summary, const Results& results) {
  std::vector<const Roofline*> all;
  for (const RecordedRun* run : summary.done) {
    const std::vector<Roofline>& measured = results.launches[run->launch].roofline;
    const auto ranks = static_cast<std::size_t>(summary.what.gpus);
    if (measured.size() < ranks) return {};
    for (std::size_t rank = 0; rank < ranks; ++rank) all.push_back(&measured[rank]);
  }
  return worst_of(all);
}

// What a device did in a step; false where the file does not say enough to know.
bool describe_step(const CaseSummary& summary, const Results& results, StepWork& step) {
  const auto shape = parse_model(summary.what.model);
  const PrecisionInfo* precision = find_precision(summary.what.precision);
  if (!std::holds_alternative<ModelShape>(shape) || precision == nullptr) return false;
  const std::string optimizer = setting_of(results.launches[summary.done.front()->launch], "optimizer");
  step.shape = std::get<ModelShape>(shape);
  step.rows = rows_a_gpu(summary.what);
  step.precision = precision->precision;
  const double working_copy = precision->dtype == Dtype::fp32 ? 0 : 2;
  step.optimizer_bytes = (optimizer == "sgd" ? 12 : 28) + working_copy;
  step.updates_in_backward = summary.phases.mean[index_of(Phase::optimizer)] == 0;
  return true;
}

std::string title_of(Phase phase) {
  for (const PhaseTitle& title : phase_titles) {
    if (title.phase == phase) return std::string(title.title);
  }
  return std::string(name_of(phase));
}

void add_row(const CaseSummary& summary, const Group& group, const std::string& phase, double measured,
             const Limit& limit, ReportTable& table) {
  const double share = limit.seconds / measured;
  table.rows.push_back({Cell(fmt::format("{}", summary.what.batch), std::int64_t{summary.what.batch}),
                        strategy_of(summary.what, group), phase, Cell(format_seconds(measured), measured),
                        Cell(format_seconds(limit.seconds), limit.seconds), std::string(limit.what),
                        Cell(format_percent(share), share)});
}

void add_case(const CaseSummary& summary, const Group& group, const Results& results, ReportTable& table) {
  StepWork step;
  if (!describe_step(summary, results, step)) return;
  const Roofline roofline = roofline_of(summary, results);
  double sum = 0;
  for (const Phase phase : limited_phases) {
    const double measured = summary.phases.mean[index_of(phase)];
    if (measured == 0) continue;  // done within another phase
    const Limit limit = limit_of(work_of(phase, step), step.precision, roofline);
    if (limit.what.empty()) return;
    add_row(summary, group, title_of(phase), measured, limit, table);
    sum += limit.seconds;
  }
  add_row(summary, group, "Step", summary.phases.mean[index_of(Phase::step)], {sum, "all of the above"},
          table);
}

std::string rates_in_words(const Roofline& roofline) {
  std::string text;
  for (const PrecisionInfo& info : precisions) {
    const double rate = roofline.flops(info.precision);
    if (std::isfinite(rate)) text += fmt::format(", products in {} {}", info.name, format_flops(rate));
  }
  return text;
}

}  // namespace

ReportTable limits_table(const Analysis& analysis, const Group& group) {
  ReportTable table{
      "Limits: each phase beside the shortest time that its bytes, its arithmetic or its chain of operations "
      "allow at this machine's ceilings; mean over runs, steps and ranks",
      {{"batch", "Batch"},
       {"strategy", "Strategy", Align::left},
       {"phase", "Phase", Align::left},
       {"measured_seconds", "Measured"},
       {"limit_seconds", "Limit"},
       {"limited_by", "What limits", Align::left},
       {"share", "Of the\nlimit"}},
      {}};
  for (const MeasuredCase* measured : group.cases) {
    const CaseSummary* phases = measured->phases;
    if (phases != nullptr && !phases->done.empty()) add_case(*phases, group, analysis.results(), table);
  }
  return table;
}

std::string roofline_in_words(const Launch& launch) {
  std::vector<const Roofline*> all;
  for (const Roofline& roofline : launch.roofline) all.push_back(&roofline);
  const Roofline roofline = worst_of(all);
  if (!std::isfinite(roofline.copy_bytes_per_second)) return "";
  return fmt::format("{}copies {}{}, a launch {}, a graph node {}",
                     all.size() > 1 ? "of the slowest rank: " : "",
                     format_bandwidth(roofline.copy_bytes_per_second), rates_in_words(roofline),
                     format_seconds(roofline.launch_seconds), format_seconds(roofline.node_seconds));
}

}  // namespace breakeven
