// SPDX-License-Identifier: Apache-2.0
#include "src/predict/between_batches.h"

#include <algorithm>
#include <cmath>

#include "src/core/axes.h"
#include "src/core/strategy/case_strategy.h"
#include "src/predict/measured_step.h"

namespace breakeven::predict {
namespace {

bool is_one_configuration(const Case& one, const Case& other) {
  return are_alike_but_for(one, other, {Axis::batch, Axis::timing, Axis::scaling});
}

// log(measured / predicted) of every inner point, predicted from its neighbours.
void add_errors_of_inner_points(const KnownAt& log_seconds, HeldOut& errors) {
  for (const auto& [batch, log] : log_seconds) {
    if (batch == log_seconds.begin()->first || batch == log_seconds.rbegin()->first) continue;
    KnownAt others = log_seconds;
    others.erase(batch);
    errors.add(log - interpolate(batch, others), error_scale(batch, others));
  }
}

}  // namespace

BetweenBatches::BetweenBatches(const analysis::FileAnalysis& analysis) {
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const double seconds = measured.timed().step.mean_seconds;
    if (has_formula(measured.what) || !(seconds > 0)) continue;
    auto line = std::ranges::find_if(
        lines_, [&](const Line& known) { return is_one_configuration(known.key, measured.what); });
    if (line == lines_.end()) line = lines_.insert(lines_.end(), {.key = with_global_batch(measured.what)});
    line->log_seconds[std::log(measured.what.batch)] = std::log(seconds);
    line->half_widths[std::log(measured.what.batch)] = log_half_width(measured.timed().step.seconds());
  }
  for (const Line& line : lines_) add_errors_of_inner_points(line.log_seconds, errors_);
}

std::vector<Case> BetweenBatches::configurations_of(const std::string& model) const {
  std::vector<Case> configurations;
  for (const Line& line : lines_)
    if (line.key.model == model) configurations.push_back(line.key);
  return configurations;
}

std::optional<Prediction> BetweenBatches::predict(const Case& what) const {
  const auto line =
      std::ranges::find_if(lines_, [&](const Line& known) { return is_one_configuration(known.key, what); });
  if (line == lines_.end()) return std::nullopt;
  const double batch = std::log(what.batch);
  const bool is_between =
      batch >= line->log_seconds.begin()->first && batch <= line->log_seconds.rbegin()->first;
  if (!is_between) return std::nullopt;
  Prediction prediction{.seconds = std::exp(interpolate(batch, line->log_seconds)),
                        .basis = Basis::interpolated};
  prediction.set_half_width(std::hypot(errors_.half_width_at(error_scale(batch, line->log_seconds)),
                                       interpolate(batch, line->half_widths)));
  return prediction;
}

}  // namespace breakeven::predict
