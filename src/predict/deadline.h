// SPDX-License-Identifier: Apache-2.0
// A job of so many samples, way by way: how long it takes, what it costs, and the cheapest way that is done
// in time; where none is, what would have to change.
#pragma once

#include <optional>
#include <vector>

#include "src/predict/way_costs.h"
#include "src/statistics/break_even_cost.h"

namespace breakeven {

struct Job {
  double samples = 0;           // 0: none is asked about
  double deadline_seconds = 0;  // 0: none
  HourlyCost cost;              // without any, GPU-hours are what is cheap or dear
};

enum class InTime { surely, perhaps, no };  // 95 % interval before the deadline, over it, behind it

struct JobByWay {
  const Way* way = nullptr;
  Interval start;
  Interval seconds;  // with the start
  double gpu_hours = not_measured;
  double cost = not_measured;  // NaN without prices
  InTime in_time = InTime::no;
};

// Of the ways that fit into memory and whose start is known, in the same order. They point into `ways`.
std::vector<JobByWay> jobs_by_way(const std::vector<Way>& ways, const Job& job, const Advisor& advisor);

// The cheapest of those that are surely in time, else of those that perhaps are, else the one that is done
// first; null where there is none.
const JobByWay* best_in_time(const std::vector<JobByWay>& jobs);

// What would have to be different for a job that is too late. NaN and 0: not so, or nothing of that kind
// would do.
struct Rescue {
  double samples = not_measured;  // that the nearest way makes in time
  double speedup = not_measured;  // that its steps would need
  std::uint32_t batch = 0;  // the smallest power of two, over the question's, at which some way is in time
  double link_factor = not_measured;  // the smallest power of two on the link's bandwidth that would do
};
Rescue rescue_of(const JobByWay& nearest, const Job& job, const Query& query, const Advisor& advisor);

}  // namespace breakeven
