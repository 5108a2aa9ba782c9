// SPDX-License-Identifier: Apache-2.0
// Where the parts of a compressed gradient lie in the messages, for each compression.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/compression/packing.h"
#include "src/core/matrix.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {

// How many values are sent: the share of all floats of the range, padding included.
inline std::size_t topk_values(const GradientRange& range, double part) {
  const auto chosen = std::llround(part * static_cast<double>(range.floats));
  return static_cast<std::size_t>(std::max(chosen, 1LL));
}

// One-bit: the means of all weights, the biases, then the words of signs of all weights.
struct SignMessage {
  struct Place {
    std::size_t means;
    std::size_t words;
  };
  std::vector<Place> weights;
  std::vector<std::size_t> biases;
  std::size_t numbers = 0;  // means and biases, which may be infinite or NaN
  std::size_t floats = 0;

  explicit SignMessage(const GradientRange& range) {
    for (const auto& weight : range.weights) {
      weights.push_back({numbers, 0});
      numbers += static_cast<std::size_t>(2 * weight.rows);
    }
    for (const auto& bias : range.biases) {
      biases.push_back(numbers);
      numbers += bias.floats;
    }
    floats = numbers;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      weights[i].words = floats;
      floats += static_cast<std::size_t>(range.weights[i].rows * sign_words(range.weights[i].cols));
    }
  }
};

// PowerSGD: two buffers, in floats. The first holds all P' and what is sent uncompressed, the second all Q'.
struct ThinMatrices {
  struct Place {
    GradientRange::Weight weight;
    std::size_t p;
    std::size_t q;
  };
  struct Plain {
    std::size_t first;  // in the range
    std::size_t floats;
    std::size_t place;  // beside the P'
  };
  std::int64_t rank;
  std::vector<Place> places;
  std::vector<Plain> plain;
  std::size_t p_floats = 0;
  std::size_t q_floats = 0;

  ThinMatrices(const GradientRange& range, double argument) : rank(static_cast<std::int64_t>(argument)) {
    const auto floats_of = [&](std::int64_t length) {
      return static_cast<std::size_t>(rank * padded_width(length));
    };
    for (const GradientRange::Weight& weight : range.weights) {
      const std::size_t p = floats_of(weight.rows);
      const std::size_t q = floats_of(weight.cols);
      if (rank > std::min(weight.rows, weight.cols) || p + q >= weight.floats()) continue;
      places.push_back({weight, p_floats, q_floats});
      p_floats += p;
      q_floats += q;
    }
    const auto is_thin = [&](const GradientRange::Weight& weight) {
      return std::ranges::any_of(places,
                                 [&](const Place& place) { return place.weight.first == weight.first; });
    };
    for (const GradientRange::Weight& weight : range.weights) {
      if (!is_thin(weight)) add_plain(weight.first, weight.floats());
    }
    for (const GradientRange::Bias& bias : range.biases) add_plain(bias.first, bias.floats);
  }

  void add_plain(std::size_t first, std::size_t floats) {
    plain.push_back({first, floats, p_floats});
    p_floats += floats;
  }

  Matrix p_in(float* buffer, const Place& place) const {
    return {buffer + place.p, rank, place.weight.rows, padded_width(place.weight.rows)};
  }
  Matrix q_in(float* buffer, const Place& place) const {
    return {buffer + place.q, rank, place.weight.cols, padded_width(place.weight.cols)};
  }
};

}  // namespace breakeven
