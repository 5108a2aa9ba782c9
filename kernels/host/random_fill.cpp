// SPDX-License-Identifier: Apache-2.0
// Initial parameters and the synthetic data set: the same bits on every device.
#include <algorithm>
#include <array>
#include <vector>

#include "kernels/host/host_device.h"
#include "kernels/synthetic.h"
#include "src/core/philox.h"

namespace breakeven {
namespace {

using Teacher = std::array<TeacherTerm, teacher_terms>;

std::vector<Teacher> make_teachers(std::uint64_t seed, std::int64_t outs, std::int64_t inputs) {
  std::vector<Teacher> teachers(static_cast<std::size_t>(outs));
  for (std::uint32_t out = 0; out < teachers.size(); ++out) {
    for (std::uint32_t term = 0; term < teacher_terms; ++term) {
      teachers[out][term] = teacher_term(seed, out, term, static_cast<std::uint32_t>(inputs));
    }
  }
  return teachers;
}

// synthetic_target() from features that are already computed: the same sums of the same numbers.
float taught_target(const Teacher& teacher, const float* features) {
  float sum = 0;
  for (const TeacherTerm& term : teacher) sum += term.sign * features[term.unit];
  return sum;
}

}  // namespace

void HostDevice::fill_uniform(std::uint64_t seed, std::uint32_t layer, Origin at, float bound, Matrix w,
                              Stream& /*stream*/) {
  for (std::int64_t row = 0; row < w.rows; ++row) {
    for (std::int64_t first = 0; first < w.cols; first += 4) {
      const Philox4 words =
          random_words(seed, RandomUse::parameters, 0, layer, at.row + static_cast<std::uint32_t>(row),
                       (at.col + static_cast<std::uint32_t>(first)) / 4);
      const std::int64_t count = std::min<std::int64_t>(4, w.cols - first);
      for (std::int64_t i = 0; i < count; ++i) {
        w.floats()[row * w.ld + first + i] = uniform_within(words.word[i], bound);
      }
    }
  }
}

void HostDevice::fill_synthetic(std::uint64_t seed, Matrix features, Matrix targets, Stream& /*stream*/) {
  const std::vector<Teacher> teachers = make_teachers(seed, targets.cols, features.cols);
  for (std::int64_t row = 0; row < features.rows; ++row) {
    float* feature = features.floats() + row * features.ld;
    for (std::int64_t unit = 0; unit < features.cols; ++unit) {
      feature[unit] =
          synthetic_feature(seed, static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(unit));
    }
    float* target = targets.floats() + row * targets.ld;
    for (std::int64_t out = 0; out < targets.cols; ++out) {
      target[out] = taught_target(teachers[static_cast<std::size_t>(out)], feature);
    }
  }
}

}  // namespace breakeven
