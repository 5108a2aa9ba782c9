// SPDX-License-Identifier: Apache-2.0
#include "src/predict/rank_memory.h"

#include <algorithm>
#include <cmath>

#include "src/core/strategy/case_strategy.h"

namespace breakeven::predict {
namespace {

// Bytes of the rank that needs most, without the samples.
double model_bytes_of(const Case& what) {
  const StrategyChoice strategy = strategy_of_case(what);
  std::size_t bytes = 0;
  for (const int rank : ranks_that_differ(what.gpus)) {
    const MemoryNeed need =
        strategy.info->memory_need(strategy.options, mlp_of_case(what, rank), rank, what.gpus);
    bytes = std::max(bytes, need.total());
  }
  return static_cast<double>(bytes);
}

// A resident data set grows with the width of a sample, a streamed batch also with the rank's rows.
double sample_values_of(const Case& what) {
  const ModelShape& shape = what.model.value();
  const double width = static_cast<double>(shape.inputs()) + shape.outputs();
  return what.data == DataPlacement::streamed ? width * rows_a_gpu(what) : width;
}

}  // namespace

RankMemory::RankMemory(const analysis::FileAnalysis& analysis) {
  for (const analysis::MeasuredCase& measured : analysis.cases()) {
    const analysis::CaseSummary& timed = measured.timed();
    const double bytes = analysis.result_of(timed).memory.bytes;
    if (!std::isfinite(bytes)) continue;
    measured_.emplace_back(measured.what, bytes);
    if (!has_formula(measured.what)) continue;
    double& samples = samples_[std::string(measured.what.data.word())][sample_values_of(measured.what)];
    samples = std::max(samples, timed.readings.predicted_memory_bytes - model_bytes_of(measured.what));
  }
}

double RankMemory::bytes_of(const Case& what) const {
  const auto known = std::ranges::find(measured_, what, &std::pair<Case, double>::first);
  if (known != measured_.end()) return known->second;
  return has_formula(what) ? model_bytes_of(what) + samples_bytes_of(what) : not_measured;
}

double RankMemory::samples_bytes_of(const Case& what) const {
  const auto of_placement = samples_.find(std::string(what.data.word()));
  if (of_placement == samples_.end()) return 0;
  const double values = sample_values_of(what);
  const auto& [nearest, bytes] = *std::ranges::min_element(
      of_placement->second, {}, [&](const auto& one) { return std::abs(std::log(one.first / values)); });
  return bytes * values / nearest;
}

}  // namespace breakeven::predict
