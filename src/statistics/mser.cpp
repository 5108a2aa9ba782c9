// SPDX-License-Identifier: Apache-2.0
// Marginal standard error rule.
#include "src/statistics/mser.h"

#include <limits>
#include <vector>

#include "src/statistics/sample.h"

namespace breakeven {

std::size_t mser5_truncation(std::span<const double> values) {
  constexpr std::size_t length = 5;
  const std::size_t batches = values.size() / length;
  double total = 0;
  double squares = 0;
  double least = std::numeric_limits<double>::infinity();
  std::size_t truncated = 0;
  const double centre = mean(values);
  for (std::size_t kept = 1; kept <= batches; ++kept) {  // from the end
    const std::size_t first = batches - kept;
    const double value = mean(values.subspan(first * length, length)) - centre;
    total += value;
    squares += value * value;
    if (2 * first > batches) continue;
    const double n = static_cast<double>(kept);
    const double error = (squares - total * total / n) / (n * n);
    if (error <= least) {
      least = error;
      truncated = first;
    }
  }
  return truncated * length;
}

}  // namespace breakeven
