// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/expected_time.h"

#include <algorithm>

#include <fmt/format.h>

#include "src/autotune/probe.h"
#include "src/core/strategy/case_strategy.h"
#include "src/measure/clocks.h"
#include "src/measure/steady_windows.h"
#include "src/report/format/numbers.h"
#include "src/statistics/sample.h"

namespace breakeven::command {
namespace {

constexpr double most_probe_seconds = 2;
constexpr std::uint32_t probe_steps = autotune::probe_batches;
// A processor that stands in for a GPU computes at least as fast; so no minutes are spent on a large first
// case.
constexpr double host_flops_per_second = 3e10;

// Floating-point operations of a step over each GPU's samples.
double work_of(const Case& what) { return what.model.value().step_flops(rows_a_gpu(what)); }

bool are_alike_but_for_timing(Case a, const Case& b) {
  a.timing = b.timing;
  return a == b;
}

auto find_tried(const std::vector<TriedCase>& tried, const Case& what) {
  return std::ranges::find_if(tried,
                              [&](const TriedCase& one) { return are_alike_but_for_timing(what, one.what); });
}

// Rank 0's decision, which all ranks get.
bool agreed(const Session& session, bool mine) { return session.any(session.is_root() && mine); }

double probed_steps(const Case& what) {
  return autotune::probe_warmup + autotune::steps_of_probe(what, probe_steps);
}

double run_seconds(const measure::RunOptions& options, const TriedCase& tried, double step_seconds,
                   double settle_seconds) {
  double measured = options.steps * step_seconds;
  if (options.settle.most_seconds > 0 && !options.until) measured = std::max(measured, options.seconds);
  return tried.setup_seconds + options.warmup * step_seconds + settle_seconds + measured;
}

}  // namespace

std::vector<TriedCase> try_cases(const std::vector<Case>& cases, measure::RunContext& context) {
  const Session& session = context.session();
  std::vector<Case> order = cases;
  std::ranges::stable_sort(order, {}, work_of);
  std::vector<TriedCase> tried;
  const double start = measure::host_seconds();
  const bool on_host = context.device().info().is_host();
  for (const Case& what : order) {
    if (agreed(session, find_tried(tried, what) != tried.end())) continue;
    double expected = on_host ? probed_steps(what) * work_of(what) / host_flops_per_second : 0;
    if (!tried.empty()) {
      const TriedCase& last = tried.back();
      expected =
          last.setup_seconds + probed_steps(what) * last.step_seconds * work_of(what) / work_of(last.what);
    }
    const double begun = measure::host_seconds();
    if (!agreed(session, begun - start + expected <= most_probe_seconds)) break;
    const std::vector<double> means = autotune::probe(what, probe_steps, context);
    if (!session.is_root()) continue;
    const double step_seconds = statistics::median(means);
    const double steps_seconds = probed_steps(what) * step_seconds;
    tried.push_back({.what = what,
                     .setup_seconds = std::max(0.0, measure::host_seconds() - begun - steps_seconds),
                     .step_seconds = step_seconds});
  }
  return tried;
}

ExpectedTime expected_time(const std::vector<Case>& cases, const std::vector<std::size_t>& runs,
                           const measure::RunOptions& options, const std::vector<TriedCase>& tried) {
  ExpectedTime expected;
  const double most_settling = options.settle.most_seconds;
  const double least_settling = std::min(most_settling, 2 * measure::window_seconds);
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const auto alike = find_tried(tried, cases[i]);
    const TriedCase& one = alike != tried.end() ? *alike : tried.back();
    const double step_seconds = one.step_seconds * std::max(1.0, work_of(cases[i]) / work_of(one.what));
    const auto count = static_cast<double>(runs[i]);
    expected.least_seconds += count * run_seconds(options, one, step_seconds, least_settling);
    expected.most_seconds += count * run_seconds(options, one, step_seconds, most_settling);
  }
  return expected;
}

std::size_t count_tried(const std::vector<Case>& cases, const std::vector<TriedCase>& tried) {
  const auto is_tried = [&](const Case& what) { return find_tried(tried, what) != tried.end(); };
  return static_cast<std::size_t>(std::ranges::count_if(cases, is_tried));
}

std::string in_words(const ExpectedTime& expected, std::size_t tried, std::size_t cases) {
  const std::string least = report::format_duration(expected.least_seconds);
  const std::string most = report::format_duration(expected.most_seconds);
  return fmt::format("expected time: {} after measuring the machine, from a few steps of {} of {} cases",
                     least == most ? most : fmt::format("{} to {}", least, most), tried, cases);
}

}  // namespace breakeven::command
