// SPDX-License-Identifier: Apache-2.0
// Every operation of a device once more, in double and as it stands in the textbook: what both devices are
// tested against. Nothing here is fast, and nothing is shared with the devices but the random generator.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/device.h"
#include "kernels/sample_order.h"
#include "src/core/philox.h"

namespace breakeven {

// A dense matrix of doubles.
struct Table {
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::vector<double> values;

  Table() = default;
  Table(std::int64_t r, std::int64_t c, double fill = 0)
      : rows(r), cols(c), values(static_cast<std::size_t>(r * c), fill) {}
  double& at(std::int64_t row, std::int64_t col) {
    return values[static_cast<std::size_t>(row * cols + col)];
  }
  double at(std::int64_t row, std::int64_t col) const {
    return values[static_cast<std::size_t>(row * cols + col)];
  }
};

inline Table some_rows(const Table& table, std::int64_t first, std::int64_t count) {
  Table part(count, table.cols);
  for (std::int64_t row = 0; row < count; ++row) {
    for (std::int64_t col = 0; col < table.cols; ++col) part.at(row, col) = table.at(first + row, col);
  }
  return part;
}

// Values in (-1, 1), exact in float; another `salt`, another table.
inline Table random_table(std::int64_t rows, std::int64_t cols, std::uint32_t salt) {
  Table table(rows, cols);
  for (std::int64_t row = 0; row < rows; ++row) {
    for (std::int64_t col = 0; col < cols; ++col) {
      const std::uint32_t word =
          random_word(2024, RandomUse::shuffle, 0, salt, static_cast<std::uint32_t>(row),
                      static_cast<std::uint32_t>(col));
      table.at(row, col) = uniform_within(word, 1.0f);
    }
  }
  return table;
}

inline std::vector<double> random_values(std::size_t count, std::uint32_t salt) {
  return random_table(1, static_cast<std::int64_t>(count), salt).values;
}

namespace reference {

// C, and for each element the sum of |a||b|, which its rounding error is in proportion to.
struct Product {
  Table c;
  Table magnitude;
};

inline Product gemm(GemmLayout layout, const Table& a, const Table& b) {
  const bool transposed_a = layout == GemmLayout::tn;
  const bool transposed_b = layout == GemmLayout::nt;
  const std::int64_t m_size = transposed_a ? a.cols : a.rows;
  const std::int64_t k_size = transposed_a ? a.rows : a.cols;
  const std::int64_t n_size = transposed_b ? b.rows : b.cols;
  Product product{Table(m_size, n_size), Table(m_size, n_size)};
  for (std::int64_t m = 0; m < m_size; ++m) {
    for (std::int64_t n = 0; n < n_size; ++n) {
      for (std::int64_t k = 0; k < k_size; ++k) {
        const double term =
            (transposed_a ? a.at(k, m) : a.at(m, k)) * (transposed_b ? b.at(n, k) : b.at(k, n));
        product.c.at(m, n) += term;
        product.magnitude.at(m, n) += std::abs(term);
      }
    }
  }
  return product;
}

inline void add_bias(const std::vector<double>& bias, Table& y) {
  for (std::int64_t row = 0; row < y.rows; ++row) {
    for (std::int64_t out = 0; out < y.cols; ++out) y.at(row, out) += bias[static_cast<std::size_t>(out)];
  }
}

inline bool kept(const Dropout& dropout, std::uint32_t step, std::int64_t row, std::int64_t unit) {
  const std::uint32_t word = random_word(dropout.seed, RandomUse::dropout, step, dropout.layer,
                                         dropout.first_sample + static_cast<std::uint32_t>(row),
                                         dropout.first_unit + static_cast<std::uint32_t>(unit));
  return word >= static_cast<double>(dropout.rate) * 4294967296.0;
}

inline void bias_relu_dropout(const std::vector<double>& bias, const Dropout& dropout, std::uint32_t step,
                              Table& h) {
  add_bias(bias, h);
  const double scale = 1 / (1 - static_cast<double>(dropout.rate));
  for (std::int64_t row = 0; row < h.rows; ++row) {
    for (std::int64_t unit = 0; unit < h.cols; ++unit) {
      double& value = h.at(row, unit);
      if (value < 0 || !kept(dropout, step, row, unit)) value = 0;
      value *= scale;
    }
  }
}

inline void relu_dropout_backward(const Table& h, float rate, Table& dh) {
  for (std::size_t i = 0; i < dh.values.size(); ++i) {
    dh.values[i] = h.values[i] == 0 ? 0 : dh.values[i] / (1 - static_cast<double>(rate));
  }
}

inline std::vector<double> bias_gradient(const Table& dy) {
  std::vector<double> db(static_cast<std::size_t>(dy.cols), 0.0);
  for (std::int64_t row = 0; row < dy.rows; ++row) {
    for (std::int64_t out = 0; out < dy.cols; ++out) db[static_cast<std::size_t>(out)] += dy.at(row, out);
  }
  return db;
}

struct Loss {
  double loss = 0;
  Table dy;
};

inline Loss mean_squared_error(const Table& y, const Table& target, std::uint32_t global_batch) {
  Loss result{0, Table(y.rows, y.cols)};
  const double values = static_cast<double>(global_batch) * static_cast<double>(y.cols);
  for (std::size_t i = 0; i < y.values.size(); ++i) {
    const double difference = y.values[i] - target.values[i];
    result.loss += difference * difference / values;
    result.dy.values[i] = 2 * difference / values;
  }
  return result;
}

inline Loss softmax_cross_entropy(const Table& y, const Table& target, std::uint32_t global_batch) {
  Loss result{0, Table(y.rows, y.cols)};
  for (std::int64_t row = 0; row < y.rows; ++row) {
    double largest = y.at(row, 0);
    for (std::int64_t i = 0; i < y.cols; ++i) largest = std::max(largest, y.at(row, i));
    double sum = 0;
    for (std::int64_t i = 0; i < y.cols; ++i) sum += std::exp(y.at(row, i) - largest);
    const auto label = static_cast<std::int64_t>(target.at(row, 0));
    for (std::int64_t i = 0; i < y.cols; ++i) {
      const double probability = std::exp(y.at(row, i) - largest) / sum;
      result.dy.at(row, i) = (probability - (i == label ? 1 : 0)) / global_batch;
    }
    result.loss += (std::log(sum) + largest - y.at(row, label)) / global_batch;
  }
  return result;
}

// Algorithm 1 of the paper, with step counted from 1 and both corrections by pow.
inline void adam(const std::vector<double>& gradient, const AdamSettings& settings, int step,
                 std::vector<double>& parameter, std::vector<double>& m, std::vector<double>& v) {
  const double beta1 = settings.beta1;
  const double beta2 = settings.beta2;
  for (std::size_t i = 0; i < parameter.size(); ++i) {
    m[i] = beta1 * m[i] + (1 - beta1) * gradient[i];
    v[i] = beta2 * v[i] + (1 - beta2) * gradient[i] * gradient[i];
    const double m_hat = m[i] / (1 - std::pow(beta1, step));
    const double v_hat = v[i] / (1 - std::pow(beta2, step));
    parameter[i] -= settings.learning_rate * m_hat / (std::sqrt(v_hat) + settings.epsilon);
  }
}

// The rows of `data` that stand at the places [first_sample, first_sample + rows) of a step's global batch.
inline Table batch_rows(const Table& data, const BatchSource& source, std::uint32_t step, std::int64_t rows) {
  Table batch(rows, data.cols);
  for (std::int64_t row = 0; row < rows; ++row) {
    const std::uint64_t position =
        std::uint64_t{step} * source.global_batch + source.first_sample + static_cast<std::uint64_t>(row);
    const std::int64_t sample = sample_at(source.seed, position, static_cast<std::uint32_t>(data.rows));
    for (std::int64_t col = 0; col < data.cols; ++col) batch.at(row, col) = data.at(sample, col);
  }
  return batch;
}

}  // namespace reference
}  // namespace breakeven
