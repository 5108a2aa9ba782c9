// SPDX-License-Identifier: Apache-2.0
#include "src/verify/distance.h"

#include <cmath>

namespace breakeven {

double mean_difference(const std::vector<float>& a, const std::vector<float>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::abs(static_cast<double>(a[i]) - b[i]);
  return sum / static_cast<double>(a.size());
}

namespace {

double norm(const std::vector<float>& values) {
  double squares = 0;
  for (const float value : values) squares += static_cast<double>(value) * value;
  return std::sqrt(squares);
}

}  // namespace

double distance(const std::vector<float>& a, const std::vector<float>& b) {
  double squares = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double difference = static_cast<double>(a[i]) - b[i];
    squares += difference * difference;
  }
  return std::sqrt(squares);
}

double relative_frobenius(const std::vector<float>& reference, const std::vector<float>& values) {
  return distance(reference, values) / norm(reference);
}

}  // namespace breakeven
