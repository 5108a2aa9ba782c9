// SPDX-License-Identifier: Apache-2.0
#include "src/report/words/interval_scopes.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace breakeven::report {
namespace {

class Scopes {
 public:
  void add(const std::string& scope) {
    if (!scope.empty() && std::ranges::find(scopes_, scope) == scopes_.end()) scopes_.push_back(scope);
  }
  // Without an interval only what is missing for one.
  void add(const analysis::CaseResult& line) {
    const statistics::RatioEstimate& speedup = line.comparison.speedup;
    if (speedup.ratio.has_bounds() || speedup.unit == statistics::SamplingUnit::launch)
      add(scope_of(speedup));
  }
  std::size_t count() const { return scopes_.size(); }
  std::string in_words() const { return fmt::format("{}", fmt::join(scopes_, "; ")); }

 private:
  std::vector<std::string> scopes_;
};

Scopes scopes_of(const analysis::Group& group) {
  Scopes scopes;
  for (const analysis::CaseResult& line : group.lines) scopes.add(line);
  return scopes;
}

}  // namespace

std::string scopes_of_speedups(const std::vector<const analysis::CaseResult*>& lines) {
  Scopes scopes;
  for (const analysis::CaseResult* line : lines) scopes.add(*line);
  return scopes.in_words();
}

std::string scopes_of_speedups(const analysis::Group& group) { return scopes_of(group).in_words(); }

std::size_t count_scopes_of_speedups(const analysis::Group& group) { return scopes_of(group).count(); }

std::string scopes_of_steps(const analysis::Group& group) {
  Scopes scopes;
  for (const analysis::CaseResult& result : group.cases) {
    const analysis::StepTimes& step = result.measured->timed().step;
    scopes.add(statistics::scope_of(step.unit, step.interval.n));
  }
  return scopes.in_words();
}

std::string scopes_of_regrets(const analysis::Group& group) {
  Scopes scopes;
  for (const analysis::JudgedChoice& one : group.choices) scopes.add(scope_of(one.review.advantage));
  return scopes.in_words();
}

std::string scopes_of_configurations(const std::vector<const predict::Configuration*>& configs) {
  Scopes scopes;
  for (const predict::Configuration* one : configs) {
    if (one->is_measured) scopes.add("measured: " + statistics::scope_of(one->unit, one->seconds.n));
  }
  if (!std::ranges::all_of(configs, &predict::Configuration::is_measured))
    scopes.add("predicted: by errors on held-out cases");
  return scopes.in_words();
}

std::string in_brackets(const std::string& scopes) {
  return scopes.empty() ? "" : fmt::format(" ({})", scopes);
}

}  // namespace breakeven::report
