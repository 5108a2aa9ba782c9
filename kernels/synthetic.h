// SPDX-License-Identifier: Apache-2.0
// The synthetic data set: nearly normal features, and targets computed from them by a fixed sparse teacher,
// so a network can learn them. Integer arithmetic and exact sums only: the same bits on every device.
#pragma once

#include <cstdint>

#include "src/core/philox.h"

namespace breakeven {

// Mean 0, variance 1: the sum of eight 16-bit uniforms (Irwin-Hall), whose variance is 8 (2^32 - 1) / 12.
HOST_DEVICE float synthetic_feature(std::uint64_t seed, std::uint32_t sample, std::uint32_t unit) {
  const Philox4 words =
      philox4x32(seed, unit, sample, 0, static_cast<std::uint32_t>(RandomUse::features) << 24);
  std::int32_t sum = -8 * 65535 / 2;
  for (int i = 0; i < 4; ++i)
    sum += static_cast<std::int32_t>((words.word[i] & 0xFFFFu) + (words.word[i] >> 16));
  return static_cast<float>(sum) * 1.8688124e-05f;
}

// Target `out` of a sample is the signed mean of this many features, scaled to variance 1.
constexpr std::uint32_t teacher_terms = 4;

struct TeacherTerm {
  std::uint32_t unit;  // which feature
  float sign;          // +0.5 or -0.5: half of each of four terms has variance 1
};

HOST_DEVICE TeacherTerm teacher_term(std::uint64_t seed, std::uint32_t out, std::uint32_t term,
                                     std::uint32_t inputs) {
  const std::uint32_t word = random_word(seed, RandomUse::teacher, 0, 0, out, term);
  return TeacherTerm{(word >> 1) % inputs, (word & 1u) != 0 ? 0.5f : -0.5f};
}

HOST_DEVICE float synthetic_target(std::uint64_t seed, std::uint32_t sample, std::uint32_t out,
                                   std::uint32_t inputs) {
  float sum = 0;
  for (std::uint32_t term = 0; term < teacher_terms; ++term) {
    const TeacherTerm t = teacher_term(seed, out, term, inputs);
    sum += t.sign * synthetic_feature(seed, sample, t.unit);  // exact products: contraction changes nothing
  }
  return sum;
}

}  // namespace breakeven
