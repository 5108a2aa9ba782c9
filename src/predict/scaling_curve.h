// SPDX-License-Identifier: Apache-2.0
// The best configuration on each number of GPUs, its bounds, and where adding GPUs starts and stops paying.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/predict/scale_model.h"

namespace breakeven::predict {

struct ScalePoint {
  Configuration best;
  std::optional<Configuration> measured{};  // the fastest measured one, whether it fits or not
  // Speed-ups over the fastest single GPU, as speedup_bounds.h defines them: Amdahl's with the start, layers
  // and parameters of the predicted single step as the serial part (strong scaling), the link's with the
  // predicted bandwidth term of the best configuration.
  double ideal = not_measured;
  double amdahl = not_measured;
  double link = not_measured;
  double efficiency = not_measured;
  double gpu_hours_a_million = not_measured;  // samples
  std::string exchange{};                     // its longest call, in words
};

// In the order of `gpus`, without those on which no configuration is possible.
std::vector<ScalePoint> scaling_curve(const ScaleModel& model, const Query& query, Scaling scaling,
                                      const std::vector<int>& gpus);

// Numbers of GPUs of a curve's points; 0: none.
struct ScaleAnswer {
  int faster_from = 0;  // the first on which the best is faster than one GPU by its centre
  int pays_from = 0;    // the first whose verdict is that it pays
  int fastest = 0;      // with the most samples a second, by the centre
  int surest = 0;   // with the highest lower end of the speed-up's interval; without intervals the fastest
  int half_to = 0;  // the last before the efficiency falls below one half
};
ScaleAnswer answer_of(const std::vector<ScalePoint>& points);

}  // namespace breakeven::predict
