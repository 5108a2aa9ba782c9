// SPDX-License-Identifier: Apache-2.0
// Estimates the remaining time of a launch from the duration of earlier runs of the same cases.
#pragma once

#include <cstddef>
#include <vector>

#include "src/core/case.h"

namespace breakeven::measure {

class TimeLeft {
 public:
  // `case_of[run]` is the index of the run's case.
  TimeLeft(std::vector<Case> cases, std::vector<std::size_t> case_of);

  void made(std::size_t run, double seconds);  // set-up, warm-up and writing included
  void ended(std::size_t run);                 // neither this run nor a later one of its case will be made

  // Seconds of the runs from `run` on; NaN before the first run is done. A run is expected to take the mean
  // of the case's earlier runs. If there are none, the mean of earlier runs with the same model, batch and
  // GPUs; else with the same model; else of all.
  double seconds_from(std::size_t run) const;

 private:
  struct Spent {
    double seconds = 0;
    std::size_t runs = 0;
    bool ended = false;
  };
  double seconds_a_run(std::size_t which) const;

  std::vector<Case> cases_;
  std::vector<std::size_t> case_of_;
  std::vector<Spent> spent_;  // [case]
};

}  // namespace breakeven::measure
