// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/exact_sample.h"

#include <algorithm>
#include <cmath>

#include "kernels/host/dtype.h"
#include "src/bench/kernels/operands.h"
#include "src/core/philox.h"

namespace breakeven::bench {
namespace {

constexpr std::size_t sampled = 8;  // rows, and columns

// An element of a random matrix, as Device::fill_uniform makes it.
float random_value(std::uint64_t seed, OperandKey key, std::int64_t row, std::int64_t col) {
  return uniform_within(random_word(seed, RandomUse::parameters, 0, static_cast<std::uint32_t>(key),
                                    static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(col)),
                        1.0f);
}

double as_stored(float value, Dtype dtype) {
  float stored = 0;
  with_dtype(dtype, [&](auto tag) { stored = to_float(from_float<typename decltype(tag)::Type>(value)); });
  return stored;
}

std::vector<std::int64_t> choose(std::int64_t count, std::uint64_t seed, std::uint32_t which) {
  std::vector<std::int64_t> chosen{0, count - 1};
  for (std::uint32_t i = 2; i < sampled; ++i) {
    chosen.push_back(random_word(seed, RandomUse::shuffle, 0, which, 0, i) % count);
  }
  std::ranges::sort(chosen);
  chosen.erase(std::unique(chosen.begin(), chosen.end()), chosen.end());
  return chosen;
}

// A row of A or a column of B, which run along k, as the layout stores them.
std::vector<double> line_along_k(const GemmTask& task, OperandKey key, std::uint64_t seed, std::int64_t line,
                                 Dtype dtype) {
  const bool k_is_row = key == OperandKey::a ? task.layout == GemmLayout::tn : task.layout != GemmLayout::nt;
  std::vector<double> values(static_cast<std::size_t>(task.shape.k));
  for (std::int64_t k = 0; k < task.shape.k; ++k) {
    const float value = k_is_row ? random_value(seed, key, k, line) : random_value(seed, key, line, k);
    values[static_cast<std::size_t>(k)] = as_stored(value, dtype);
  }
  return values;
}

std::vector<std::vector<double>> lines_along_k(const GemmTask& task, OperandKey key, std::uint64_t seed,
                                               const std::vector<std::int64_t>& lines, Dtype dtype) {
  std::vector<std::vector<double>> values;
  for (const std::int64_t line : lines) values.push_back(line_along_k(task, key, seed, line, dtype));
  return values;
}

}  // namespace

double error_limit(Precision precision, std::int64_t k) {
  const PrecisionInfo& info = info_of(precision);
  return info.error_grows ? info.product_error * std::sqrt(static_cast<double>(k)) : info.product_error;
}

bool is_right(double error, double limit) { return error <= limit; }

ExactSample::ExactSample(const GemmTask& task, std::uint64_t seed)
    : task_(task), seed_(seed), rows_(choose(task.shape.m, seed, 0)), cols_(choose(task.shape.n, seed, 1)) {}

const std::vector<double>& ExactSample::products(Dtype dtype) {
  std::vector<double>& exact = products_[static_cast<std::size_t>(dtype)];
  if (!exact.empty()) return exact;
  const auto a = lines_along_k(task_, OperandKey::a, seed_, rows_, dtype);
  const auto b = lines_along_k(task_, OperandKey::b, seed_, cols_, dtype);
  for (const std::vector<double>& row : a) {
    for (const std::vector<double>& col : b) {
      double sum = 0;
      for (std::size_t k = 0; k < row.size(); ++k) sum += row[k] * col[k];
      exact.push_back(sum);
    }
  }
  return exact;
}

double ExactSample::error_of(const std::vector<std::vector<float>>& found, Dtype dtype, bool fused) {
  const std::vector<double>& exact = products(dtype);
  double squared_error = 0;
  double squared_size = 0;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    for (std::size_t j = 0; j < cols_.size(); ++j) {
      double expected = exact[i * cols_.size() + j];
      if (fused) expected = std::max(0.0, expected + random_value(seed_, OperandKey::bias, 0, cols_[j]));
      const double off = found[i][static_cast<std::size_t>(cols_[j])] - expected;
      squared_error += off * off;
      squared_size += expected * expected;
    }
  }
  // The ReLU may have set all of a very small sample to zero.
  return squared_size == 0 ? std::sqrt(squared_error) : std::sqrt(squared_error / squared_size);
}

}  // namespace breakeven::bench
