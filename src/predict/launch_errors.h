// SPDX-License-Identifier: Apache-2.0
// How far the speed-up of a case in one launch is off the mean of its other launches.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "src/predict/folds.h"
#include "src/statistics/interval.h"

namespace breakeven::predict {

// Each launch is held out in turn, with all its cases. A case's speed-up there is predicted as the geometric
// mean of its n speed-ups in the other launches. The 95 % interval is made of the errors of the same
// prediction for each of the other launches from the rest of them (LocalErrors, by cell). If launches are
// independent, such a mean of n is off by sqrt(1 + 1 / n) times the deviation of a launch, to which errors
// are scaled. Calls `take` with the held-out launch, the interval and the measured speed-up; not for cases
// whose other launches are too few for an interval.
void predict_held_out_launches(
    const std::vector<Observation>& observations,
    const std::function<void(std::uint32_t launch, const statistics::Interval& predicted, double measured)>&
        take);

}  // namespace breakeven::predict
