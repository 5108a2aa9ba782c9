// SPDX-License-Identifier: Apache-2.0
// A way to train a model: one strategy on so many GPUs in one precision; and what is asked of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/predict/step_model.h"
#include "src/statistics/payoff.h"

namespace breakeven {

struct Query {
  std::string model;                     // by name or by its layers
  std::uint32_t batch = 0;               // global
  int most_gpus = 0;                     // 0: as many as were measured
  std::vector<Precision> precisions;     // empty: all that were measured
  bool with_lossy = false;               // strategies that do not compute what one GPU computes, too
  std::uint64_t memory_limit_bytes = 0;  // of a rank; 0: none
  bool only_predicted = false;  // also where the case was measured: for a scan whose other points cannot be
  double link_factor = 1;       // bytes of the exchange take 1 / factor of their time: a faster link
};

struct Way {
  Case what;
  Interval seconds{};  // of a step, 95 %
  bool is_measured = false;
  SamplingUnit unit = SamplingUnit::none;  // of a measurement: seconds.n of these
  Basis basis = Basis::roofline;           // of a prediction
  StepTerms parts{};                       // of a prediction, or of what is predicted beside the measurement
  double samples_per_second = not_measured;
  Interval speedup{};   // over the fastest single GPU in the same precision
  Decision decision{};  // of that interval; where it lacks bounds for want of runs, how many more it takes
  double memory_bytes = not_measured;  // of a rank, predicted; samples not counted
  bool fits = true;
};

// Whether the question lets a family's strategy and precision be taken: no copies, since they train other
// models.
bool is_taken(const Query& query, const Case& key);

// One GPU without an exchange, or more with one. An exchanging strategy on one GPU is measured for what its
// machinery costs, and is no way to train.
bool is_way(const Case& what);

// Whether the batch can be shared and the strategy does the work.
bool is_possible(const Case& what);

// Fills in speed and memory of a way whose seconds are known.
void complete(Way& way, std::uint64_t memory_limit_bytes);

// Speed-ups by samples a second over the fastest single GPU among `singles`, with the verdicts.
void compare_with_single(std::vector<Way>& ways, const std::vector<Way>& singles);

// Those that fit first, the fastest first.
void sort_by_speed(std::vector<Way>& ways);

}  // namespace breakeven
