// SPDX-License-Identifier: Apache-2.0
// Top-k gradient compression: the values of largest magnitude and their indices.
#include <algorithm>
#include <bit>
#include <functional>
#include <vector>

#include "kernels/host/host_device.h"

namespace breakeven {
namespace {

// Orders by magnitude, NaN above infinity.
std::uint32_t magnitude_bits(float value) { return std::bit_cast<std::uint32_t>(value) & 0x7FFFFFFFu; }

}  // namespace

void HostDevice::encode_topk(std::size_t count, std::size_t chosen, float* values, float* message,
                             Stream& /*stream*/) {
  std::vector<std::uint32_t> magnitudes(count);
  std::transform(values, values + count, magnitudes.begin(), magnitude_bits);
  const auto last_chosen = magnitudes.begin() + static_cast<std::ptrdiff_t>(chosen) - 1;
  std::nth_element(magnitudes.begin(), last_chosen, magnitudes.end(), std::greater<>());
  const std::uint32_t smallest = *last_chosen;
  const auto larger = std::count_if(magnitudes.begin(), last_chosen, [&](auto m) { return m > smallest; });
  std::size_t equals_wanted = chosen - static_cast<std::size_t>(larger);

  auto* const places = reinterpret_cast<std::uint32_t*>(message);
  float* const chosen_values = message + chosen;
  std::size_t place = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t magnitude = magnitude_bits(values[i]);
    if (magnitude < smallest || (magnitude == smallest && equals_wanted == 0)) continue;
    if (magnitude == smallest) equals_wanted -= 1;
    places[place] = static_cast<std::uint32_t>(i);
    chosen_values[place] = values[i];
    values[i] = 0;
    place += 1;
  }
}

void HostDevice::sum_topk(std::size_t count, std::size_t chosen, const Messages& messages, float* sum,
                          Stream& /*stream*/) {
  std::fill_n(sum, count, 0.0f);
  for (int rank = 0; rank < messages.ranks; ++rank) {
    const auto* const places = reinterpret_cast<const std::uint32_t*>(messages.of(rank));
    const float* const values = messages.of(rank) + chosen;
    for (std::size_t i = 0; i < chosen; ++i) sum[places[i]] += values[i];
  }
}

}  // namespace breakeven
