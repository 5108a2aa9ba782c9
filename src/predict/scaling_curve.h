// SPDX-License-Identifier: Apache-2.0
// The best configuration on each number of GPUs, its bounds, and where adding GPUs starts and stops paying.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "src/predict/scale_model.h"

namespace breakeven::predict {

// Whether a number of GPUs can be recommended, and if not, why.
enum class Recommendation { yes, does_not_fit, uncertain, inefficient };

struct ScalePoint {
  Configuration best;
  Recommendation recommended = Recommendation::yes;
  std::optional<Configuration> measured{};  // the fastest measured one, whether it fits or not
  // Bounds of the speed-up over the fastest single GPU, as speedup_bounds.h defines them: Amdahl's with the
  // start, layers and parameters of the predicted single step as the serial part (strong scaling of
  // strategies that neither split the model nor share its update), the link's with the predicted bandwidth
  // term of the best configuration. NaN where the speed-up is below 1 or above the bound: there the strategy
  // adds work, and then there is no formula.
  double ideal = not_measured;
  double amdahl = not_measured;
  double link = not_measured;
  double efficiency = not_measured;
  double gpu_hours_a_million = not_measured;  // samples
  std::string exchange{};                     // its longest call, in words
};

// A speed-up, or where there is none a step, whose interval spans this factor names no fastest plan.
inline constexpr double uncertain_span = 10;

// In the order of `gpus`, without those on which no configuration is possible. Not recommended are those that
// do not fit, those whose interval spans `uncertain_span`, and those below `least_efficiency` (speed-up /
// GPUs) on more than one GPU.
std::vector<ScalePoint> scaling_curve(const ScaleModel& model, const Query& query, Scaling scaling,
                                      const std::vector<int>& gpus, double least_efficiency);

// Numbers of GPUs of a curve's points.
struct ScaleAnswer {
  std::vector<int> tried;   // more than one
  std::vector<int> faster;  // than one GPU, by the centre
  // Of those that can be recommended, one or the other 0: none.
  // That pays with the highest lower end of the speed-up's interval; where none pays, one GPU; where one GPU
  // cannot be compared with, the fastest.
  int recommended = 0;
  int alternative = 0;  // faster than it by the centre, more than any other
};
ScaleAnswer answer_of(const std::vector<ScalePoint>& points);

}  // namespace breakeven::predict
