// SPDX-License-Identifier: Apache-2.0
// A configuration: one strategy on a number of GPUs in one precision; and the query that selects among them.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "src/predict/rank_memory.h"
#include "src/predict/step_model.h"
#include "src/statistics/payoff.h"

namespace breakeven::predict {

struct Query {
  std::string model;                     // by name or by its layers
  std::uint32_t batch = 0;               // global
  int most_gpus = 0;                     // 0: as measured
  std::vector<Precision> precisions;     // empty: all that were measured
  bool with_lossy = false;               // also strategies that do not compute what one GPU computes
  std::uint64_t memory_limit_bytes = 0;  // of a rank; 0: none
  bool only_predicted = false;           // ignores measured steps, so that all points of a scan compare
  double link_factor = 1;                // bandwidth of the links over the measured one

  // Where there is no limit: the smallest memory of the last launch's devices.
  void limit_to_devices(const Results& results);
};

struct Configuration {
  Case what;
  statistics::Interval seconds{};  // of a step, 95 %
  bool is_measured = false;
  statistics::SamplingUnit unit = statistics::SamplingUnit::none;  // of a measurement; seconds.n of them
  Basis basis = Basis::roofline;                                   // of a prediction
  bool is_tested = true;                                           // the prediction's; Prediction::is_tested
  StepTerms parts{};  // of the prediction, also beside a measurement
  double samples_per_second = not_measured;
  statistics::Interval speedup{};      // over the fastest single GPU in the same precision
  statistics::Decision decision{};     // of that interval; without bounds, how many more runs it takes
  double memory_bytes = not_measured;  // of a rank (rank_memory.h)
  bool fits = true;
  const analysis::Comparison* measured_speedup = nullptr;  // if both sides were measured
};

// Whether the query allows a family's strategy and precision. Independent copies are never allowed, since
// they train several models.
bool is_taken(const Query& query, const Case& key);

// One GPU without an exchange, or more with one. An exchanging strategy on one GPU is only measured for its
// strategy overhead.
bool is_configuration(const Case& what);

// Whether the batch can be divided and the strategy accepts the case.
bool is_possible(const Case& what);

// Measured where this very case was, unless the query takes predictions only; else predicted. With its speed
// and memory. Nothing if its seconds are not known.
std::optional<Configuration> configuration_of(const Case& what, const Query& query,
                                              const std::optional<Prediction>& prediction,
                                              const analysis::FileAnalysis& analysis,
                                              const RankMemory& memory);

// Half of the 95 % interval of a predicted speed-up over a predicted base, in the logarithm; NaN: not known.
using SpeedupHalfWidth = std::function<double(const Configuration& config, const Configuration& base)>;

// Speed-ups by samples a second over the fastest single GPU among `singles` that fits, with the verdicts. If
// both sides were measured, they are those of the report. Where no half width is known, the errors of both
// sides count as independent.
void compare_with_single(std::vector<Configuration>& configs, const std::vector<Configuration>& singles,
                         const SpeedupHalfWidth& half_width);

// The fastest single GPU in this precision, and the first of the sorted on more; both fit. Null without any.
const Configuration* fastest_single(const std::vector<Configuration>& configs,
                                    const Level<Precision>& precision);
const Configuration* fastest_shared(const std::vector<Configuration>& sorted);

// Those that fit into memory first, the fastest first.
void sort_by_speed(std::vector<Configuration>& configs);

}  // namespace breakeven::predict
