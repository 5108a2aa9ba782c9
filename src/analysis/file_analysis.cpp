// SPDX-License-Identifier: Apache-2.0
#include "src/analysis/file_analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <tuple>

#include "src/core/strategy/case_strategy.h"
#include "src/statistics/steady_state.h"

namespace breakeven::analysis {
namespace {

// A strategy whose step cannot be a graph is compared with those whose step is one, like the best single GPU.
bool is_among_graphs(const Case& what) { return what.graph || !traits_of(what).capturable; }

bool are_one_group(const Case& a, const Case& b) {
  using enum Axis;
  return are_alike(a, b, {model, precision, gemm, data}) && is_among_graphs(a) == is_among_graphs(b);
}

// The single GPU comes before the cases that are compared with it.
bool is_before(const Case& a, const Case& b) {
  using enum Axis;
  const auto place = order_by({batch, gpus}, a, b);
  if (place != 0) return place < 0;
  if ((a.strategy == single_gpu_strategy) != (b.strategy == single_gpu_strategy))
    return a.strategy == single_gpu_strategy;
  return order_by({strategy, chosen, transport, nccl, scaling}, a, b) < 0;
}

void add_to_group(const CaseResult& result, std::vector<Group>& groups) {
  const Case& what = result.measured->what;
  auto group =
      std::ranges::find_if(groups, [&](const Group& known) { return are_one_group(*known.key, what); });
  if (group == groups.end()) {
    group = groups.insert(groups.end(), Group{.key = &what});
    group->parameters = result.measured->timed().parameters;
  }
  group->cases.emplace_back(result);
}

void sort_into_lines(Group& group) {
  std::sort(group.cases.begin(), group.cases.end(), [](const CaseResult& a, const CaseResult& b) {
    return is_before(a.measured->what, b.measured->what);
  });
  for (const CaseResult& result : group.cases) {
    const Case& what = result.measured->what;
    if (trained_strategy(what) == single_gpu_strategy && what.gpus == 1) continue;
    (what.gpus > 1 ? group.lines : group.on_one_gpu).emplace_back(result);
  }
}

// After the comparisons, which include hidden cases.
void hide_others(const ShownCases& shown, std::vector<Group>& groups) {
  const auto is_hidden = [&](const CaseResult& result) { return !shown.include(result.measured->what); };
  for (Group& group : groups) {
    for (CaseResults* results : {&group.cases, &group.lines, &group.on_one_gpu})
      std::erase_if(*results, is_hidden);
  }
  std::erase_if(groups, [](const Group& group) { return group.cases.empty(); });
}

std::vector<CaseWork> rank_work_of(const CaseResults& lines) {
  std::vector<const CaseSummary*> cases;
  for (const CaseResult& line : lines) {
    if (is_done(line.measured->phases)) cases.push_back(line.measured->phases);
  }
  std::vector<CaseWork> works = find_stragglers(cases);
  std::erase_if(works, [](const CaseWork& work) { return work.ranks.empty(); });
  return works;
}

// Of a result that is complete but for them.
CaseWarnings warnings_of(const CaseResult& result) {
  const Case& what = result.measured->what;
  const CaseSummary& timed = result.measured->timed();
  const StepTimes& step = timed.step;
  const bool is_measured = !timed.done.empty();
  const bool is_compared = result.comparison.base_timed != nullptr;
  // A multi-GPU strategy on one GPU is measured for the loss budget only, which is by phases.
  const bool is_in_a_speedup = what.gpus > 1 || what.strategy == single_gpu_strategy;
  const double moved_by = std::abs(step.whole_mean_seconds / step.mean_seconds - 1);
  return {
      .timing_overhead = std::abs(result.measured->timing_overhead()) > timing_overhead_tolerance,
      .by_phases_only = is_measured && timed.what.timing == Timing::phases && is_in_a_speedup,
      .late_warm_up = step.late_warmup_runs > 0 && !(moved_by <= statistics::steady_tolerance),
      .no_baseline = is_measured && what.gpus > 1 && !is_compared,
      .few_repeats = is_measured && what.gpus > 1 && is_compared &&
                     result.comparison.speedup.ratio.n < statistics::fewest_for_interval,
      .unexplained_loss = result.loss && result.loss->is_tested() && !result.loss->explains_the_whole(),
  };
}

MeasuredCase with_this_timing_alone(const CaseSummary& summary) {
  MeasuredCase alone;
  alone.what = summary.what;
  (summary.what.timing == Timing::phases ? alone.phases : alone.total) = &summary;
  return alone;
}

}  // namespace

FileAnalysis::FileAnalysis(const Results& results, const AnalysisScope& scope)
    : results_(results),
      scope_(scope),
      summaries_(summarize_cases(results)),
      cases_(merge_timings(summaries_)) {
  find_varying_axes();
  compare_cases();
  make_groups();
  decide_by_group();
  make_summary_results();
  complete_cases();
  complete_groups();
  find_quality();
}

void FileAnalysis::find_varying_axes() {
  for (const MeasuredCase& measured : cases_)
    for (std::size_t place = 0; place < axis_count; ++place)
      varies_[place] =
          varies_[place] || !are_alike(measured.what, cases_.front().what, {static_cast<Axis>(place)});
}

void FileAnalysis::compare_cases() {
  for (const MeasuredCase& measured : cases_)
    case_results_.push_back({.measured = &measured, .comparison = compare_with_base(measured, cases_)});
}

void FileAnalysis::make_groups() {
  for (const CaseResult& result : case_results_) add_to_group(result, groups_);
  for (Group& group : groups_) sort_into_lines(group);
}

void FileAnalysis::decide_by_group() {
  for (const Group& group : groups_) {
    std::vector<Comparison*> together;
    for (const CaseResult& line : group.lines)
      together.push_back(&case_results_[static_cast<std::size_t>(&line - case_results_.data())].comparison);
    decide_together(together);
  }
}

void FileAnalysis::complete_cases() {
  const auto known_exchange = [&](const CaseSummary* summary) {
    return summary == nullptr ? std::nullopt : result_of(*summary).exchange;
  };
  for (CaseResult& result : case_results_) {
    const MeasuredCase& measured = *result.measured;
    if (is_done(measured.phases)) result.roofline = roofline_shares_of(*measured.phases, results_);
    if (measured.what.gpus > 1) {
      result.loss = loss_budget_of(measured, result.comparison, cases_, known_exchange(measured.phases));
      result.bounds = bounds_of(measured, result.comparison, cases_, known_exchange(result.comparison.timed));
      result.gains = gains_of(result.comparison);
      result.faster_single = faster_single_of(measured, result.comparison, cases_);
    }
    result.warnings = warnings_of(result);
  }
}

void FileAnalysis::complete_groups() {
  hide_others(scope_.shown, groups_);
  std::ranges::stable_sort(groups_, {},
                           [](const Group& group) { return std::tie(group.parameters, group.key->model); });
  for (Group& group : groups_) {
    group.fastest = fastest_configurations(group.lines);
    group.rank_work = rank_work_of(group.lines);
    std::vector<const MeasuredCase*> cases;
    for (const CaseResult& result : group.cases) cases.push_back(result.measured);
    group.choices = judge_choices(cases, cases_);
  }
}

// On more than one GPU the verdicts are corrected together by group and timing.
void FileAnalysis::make_summary_results() {
  const double limit =
      scope_.memory_limit_bytes > 0 ? static_cast<double>(scope_.memory_limit_bytes) : not_measured;
  for (const CaseSummary& summary : summaries_)
    summary_results_.push_back({.comparison = compare_with_base(with_this_timing_alone(summary), cases_),
                                .exchange = exchange_of(summary, results_),
                                .pipeline = pipeline_idle_of(summary, results_),
                                .costs = costs_of(summary),
                                .memory = fit_memory(summary, limit)});
  std::vector<std::vector<std::size_t>> families;
  for (std::size_t i = 0; i < summaries_.size(); ++i) {
    const Case& what = summaries_[i].what;
    if (what.gpus == 1) continue;
    const auto family = std::ranges::find_if(families, [&](const std::vector<std::size_t>& known) {
      const Case& first = summaries_[known.front()].what;
      return are_one_group(first, what) && first.timing == what.timing;
    });
    (family != families.end() ? *family : families.emplace_back()).push_back(i);
  }
  for (const std::vector<std::size_t>& family : families) {
    std::vector<Comparison*> together;
    for (const std::size_t i : family) together.push_back(&summary_results_[i].comparison);
    decide_together(together);
  }
  for (const CaseResult& result : case_results_) {
    const CaseSummary* timed = result.comparison.timed;
    if (timed == nullptr || result.measured->what.gpus == 1) continue;
    summary_results_[static_cast<std::size_t>(timed - summaries_.data())].speaks_for = &result;
  }
}

void FileAnalysis::find_quality() {
  std::set<std::array<std::string, 3>> qualities;  // and how they were judged
  for (const Launch& launch : results_.launches) {
    qualities.insert(
        {setting_of(launch, "until"), setting_of(launch, "look-every"), setting_of(launch, "smooth")});
  }
  qualities_differ_ = qualities.size() > 1;
  if (qualities.size() == 1) quality_ = qualities.begin()->front();
}

}  // namespace breakeven::analysis
