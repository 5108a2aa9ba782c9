// SPDX-License-Identifier: Apache-2.0
// The compressed sums of a gradient once more, by one plain loop over the ranks, in float where the result is
// a choice among codes, and in double elsewhere: what src/compression is tested against. Nothing is shared
// with it but the place of the weights.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "src/core/model/parameter_layout.h"
#include "src/core/philox.h"
#include "tests/support/rounding.h"

namespace breakeven {

using Floats = std::vector<float>;

// What a rank's message decodes to.
using Decoder = std::function<Floats(const GradientRange&, const Floats&)>;

inline Floats decoded_halves(const Floats& values, Dtype dtype) {
  Floats result;
  for (const float value : values) result.push_back(static_cast<float>(rounded(value, dtype)));
  return result;
}

inline Floats decoded_int8(const GradientRange&, const Floats& values) {
  Floats result(values.size());
  for (std::size_t first = 0; first < values.size(); first += 256) {
    const std::size_t end = std::min(values.size(), first + 256);
    float largest = 0;
    for (std::size_t i = first; i < end; ++i) largest = std::max(largest, std::abs(values[i]));
    const float scale = largest / 127;
    for (std::size_t i = first; i < end; ++i) {
      result[i] = scale == 0 ? 0 : std::nearbyint(values[i] / scale) * scale;
    }
  }
  return result;
}

inline Floats decoded_topk(const Floats& values, double part) {
  std::vector<std::size_t> places(values.size());
  std::iota(places.begin(), places.end(), 0u);
  std::ranges::stable_sort(places, [&](auto a, auto b) { return std::abs(values[a]) > std::abs(values[b]); });
  places.resize(static_cast<std::size_t>(std::lround(part * static_cast<double>(values.size()))));
  Floats result(values.size(), 0.0f);
  for (const std::size_t place : places) result[place] = values[place];
  return result;
}

inline Floats decoded_onebit(const GradientRange& range, const Floats& values) {
  Floats result = values;  // biases as they are
  for (const auto& weight : range.weights) {
    for (std::int64_t row = 0; row < weight.rows; ++row) {
      const std::size_t first = weight.first + static_cast<std::size_t>(row * weight.ld);
      double sums[2] = {0, 0};
      double counts[2] = {0, 0};
      for (std::size_t i = first; i < first + static_cast<std::size_t>(weight.cols); ++i) {
        sums[values[i] < 0] += values[i];
        counts[values[i] < 0] += 1;
      }
      for (std::size_t i = first; i < first + static_cast<std::size_t>(weight.cols); ++i) {
        result[i] = static_cast<float>(sums[values[i] < 0] / counts[values[i] < 0]);
      }
    }
  }
  return result;
}

// With the residuals of all ranks.
class SerialSum {
 public:
  virtual ~SerialSum() = default;
  virtual Floats sum(const std::vector<Floats>& gradients) = 0;
};

// The sum of what the ranks' messages decode to, in rank order, every addition rounded to a dtype.
class DecodedSum : public SerialSum {
 public:
  DecodedSum(GradientRange range, int ranks, Decoder decoder, Dtype sum_dtype = Dtype::fp32)
      : range_(std::move(range)),
        decoder_(std::move(decoder)),
        sum_dtype_(sum_dtype),
        residuals_(static_cast<std::size_t>(ranks), Floats(range_.floats)) {}

  Floats sum(const std::vector<Floats>& gradients) override {
    Floats total(range_.floats, 0.0f);
    for (std::size_t rank = 0; rank < residuals_.size(); ++rank) {
      Floats values = gradients[rank];
      for (std::size_t i = 0; i < values.size(); ++i) values[i] += residuals_[rank][i];
      const Floats decoded = decoder_(range_, values);
      for (std::size_t i = 0; i < values.size(); ++i) {
        residuals_[rank][i] = values[i] - decoded[i];
        total[i] = static_cast<float>(rounded(total[i] + decoded[i], sum_dtype_));
      }
    }
    return total;
  }

 private:
  GradientRange range_;
  Decoder decoder_;
  Dtype sum_dtype_;
  std::vector<Floats> residuals_;
};

// PowerSGD's algorithms 1 and 2 with sums in the place of means, P and Q as in the paper, in double.
class LowRankSum : public SerialSum {
 public:
  LowRankSum(GradientRange range, int ranks, std::int64_t rank)
      : range_(std::move(range)), rank_(rank), residuals_(static_cast<std::size_t>(ranks)) {
    for (auto& residual : residuals_) residual.resize(range_.floats);
    for (std::size_t w = 0; w < range_.weights.size(); ++w) {
      Table q(range_.weights[w].cols, rank);
      for (std::int64_t row = 0; row < q.rows; ++row) {
        for (std::int64_t col = 0; col < rank; ++col) {
          q.at(row, col) = uniform_within(
              random_word(0x506F776572534744, RandomUse::parameters, 0, static_cast<std::uint32_t>(w),
                          static_cast<std::uint32_t>(col), static_cast<std::uint32_t>(row)),
              1.0f);
        }
      }
      qs_.push_back(q);
    }
  }

  Floats sum(const std::vector<Floats>& gradients) override {
    std::vector<std::vector<double>> values(gradients.size());
    Floats total(range_.floats, 0.0f);
    for (std::size_t r = 0; r < values.size(); ++r) {
      values[r].assign(gradients[r].begin(), gradients[r].end());
      for (std::size_t i = 0; i < range_.floats; ++i) values[r][i] += residuals_[r][i];
      for (const auto& bias : range_.biases) {
        for (std::size_t i = bias.first; i < bias.first + bias.floats; ++i) total[i] += gradients[r][i];
      }
    }
    for (std::size_t w = 0; w < qs_.size(); ++w) sum_weight(w, values, total);
    return total;
  }

 private:
  void sum_weight(std::size_t w, const std::vector<std::vector<double>>& values, Floats& total) {
    const GradientRange::Weight& weight = range_.weights[w];
    const auto place = [&](std::int64_t row, std::int64_t col) {
      return weight.first + static_cast<std::size_t>(row * weight.ld + col);
    };
    Table p(weight.rows, rank_);
    for (const auto& m : values)
      add_product(p, weight.cols, [&](auto i, auto k, auto c) { return m[place(i, c)] * qs_[w].at(c, k); });
    orthogonalise(p);
    Table q(weight.cols, rank_);
    for (std::size_t r = 0; r < values.size(); ++r) {
      Table mine(weight.cols, rank_);
      add_product(mine, weight.rows,
                  [&](auto i, auto k, auto c) { return values[r][place(c, i)] * p.at(c, k); });
      for (std::int64_t row = 0; row < weight.rows; ++row) {
        for (std::int64_t col = 0; col < weight.cols; ++col) {
          residuals_[r][place(row, col)] = values[r][place(row, col)] - product_at(p, mine, row, col);
        }
      }
      for (std::size_t i = 0; i < q.values.size(); ++i) q.values[i] += mine.values[i];
    }
    for (std::int64_t row = 0; row < weight.rows; ++row) {
      for (std::int64_t col = 0; col < weight.cols; ++col) {
        total[place(row, col)] = static_cast<float>(product_at(p, q, row, col));
      }
    }
    qs_[w] = q;
  }

  // c[i,k] += sum over s of term(i, k, s).
  template <typename Term>
  static void add_product(Table& c, std::int64_t terms, Term term) {
    for (std::int64_t i = 0; i < c.rows; ++i) {
      for (std::int64_t k = 0; k < c.cols; ++k) {
        for (std::int64_t s = 0; s < terms; ++s) c.at(i, k) += term(i, k, s);
      }
    }
  }

  static double product_at(const Table& p, const Table& q, std::int64_t row, std::int64_t col) {
    double sum = 0;
    for (std::int64_t k = 0; k < p.cols; ++k) sum += p.at(row, k) * q.at(col, k);
    return sum;
  }

  static void orthogonalise(Table& p) {
    for (std::int64_t k = 0; k < p.cols; ++k) {
      for (std::int64_t before = 0; before <= k; ++before) {
        double share = 0;
        for (std::int64_t i = 0; i < p.rows; ++i) share += p.at(i, k) * p.at(i, before);
        for (std::int64_t i = 0; i < p.rows; ++i) {
          p.at(i, k) = before < k ? p.at(i, k) - share * p.at(i, before) : p.at(i, k) / std::sqrt(share);
        }
      }
    }
  }

  GradientRange range_;
  std::int64_t rank_;
  std::vector<std::vector<double>> residuals_;
  std::vector<Table> qs_;
};

}  // namespace breakeven
