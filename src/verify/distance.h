// SPDX-License-Identifier: Apache-2.0
// How far apart two sets of weights are. Both have as many floats; NaN among them makes the distance NaN.
#pragma once

#include <vector>

namespace breakeven {

// mean |a - b|
double mean_difference(const std::vector<float>& a, const std::vector<float>& b);

// |a - b| in the Frobenius norm
double distance(const std::vector<float>& a, const std::vector<float>& b);
// The same over |reference|.
double relative_frobenius(const std::vector<float>& reference, const std::vector<float>& values);

}  // namespace breakeven
