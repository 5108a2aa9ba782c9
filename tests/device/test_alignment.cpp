// SPDX-License-Identifier: Apache-2.0
// Operations on views that begin between two 16-byte borders give the same bits as on a border, and write
// nothing beside the view.
#include <functional>

#include "tests/support/device_under_test.h"

namespace breakeven {
namespace {

constexpr std::int64_t rows = 37;
constexpr std::int64_t cols = 67;
constexpr std::int64_t ld = 72;
constexpr float beside = 7.5f;

// A matrix of random values that begins `shift` floats behind a border, in memory full of `beside`.
class ShiftedMatrix {
 public:
  ShiftedMatrix(Device& device, Stream& stream, std::int64_t shift, std::uint32_t salt)
      : shift_(shift), memory_(device, stream, filled(shift, salt)) {}

  Matrix view() const { return {memory_.data() + shift_, rows, cols, ld}; }
  float* data() const { return memory_.data() + shift_; }

  std::vector<float> download() const {
    std::vector<float> inside;
    const std::vector<float> all = memory_.download();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::int64_t place = static_cast<std::int64_t>(i) - shift_;
      if (place >= 0 && place % ld < cols) {
        inside.push_back(all[i]);
      } else {
        EXPECT_EQ(all[i], beside) << "written beside the view, at " << place;
      }
    }
    return inside;
  }

 private:
  static std::vector<float> filled(std::int64_t shift, std::uint32_t salt) {
    std::vector<float> values(static_cast<std::size_t>(shift + rows * ld), beside);
    const Table table = random_table(rows, cols, salt);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t col = 0; col < cols; ++col) {
        values[static_cast<std::size_t>(shift + row * ld + col)] = static_cast<float>(table.at(row, col));
      }
    }
    return values;
  }

  std::int64_t shift_;
  DeviceArray<float> memory_;
};

class Alignment : public DeviceTest {
 protected:
  using Operation = std::function<std::vector<float>(std::int64_t shift)>;

  static void expect_same_bits(const Operation& operation) {
    const std::vector<float> on_border = operation(0);
    ASSERT_FALSE(on_border.empty());
    for (std::int64_t shift = 1; shift < 4; ++shift) {
      EXPECT_EQ(operation(shift), on_border) << "shifted by " << shift;
    }
  }

  static ShiftedMatrix matrix(std::int64_t shift, std::uint32_t salt) {
    return ShiftedMatrix(device(), stream(), shift, salt);
  }
};

TEST_F(Alignment, OfBiasAndActivation) {
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix h = matrix(shift, 1);
    const ShiftedMatrix bias = matrix(shift, 2);
    const DeviceArray<StepState> state = state_at(device(), stream(), 5);
    device().bias_relu_dropout(bias.data(), {0.3f, 9, 1, 4}, state.data(), h.view(), stream());
    return h.download();
  });
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix y = matrix(shift, 1);
    const ShiftedMatrix bias = matrix(shift, 2);
    device().add_bias(bias.data(), y.view(), stream());
    return y.download();
  });
}

TEST_F(Alignment, OfTheWayBack) {
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix h = matrix(shift, 1);
    const ShiftedMatrix dh = matrix(shift, 2);
    device().relu_dropout_backward(h.view(), 0.3f, dh.view(), stream());
    return dh.download();
  });
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix dy = matrix(shift, 1);
    const DeviceArray<float> db(device(), stream(), std::vector<float>(cols + 4, beside));
    device().bias_gradient(dy.view(), db.data() + shift, stream());
    const std::vector<float> all = db.download();
    for (std::int64_t i = 0; i < cols + 4; ++i) {
      if (i < shift || i >= shift + cols) {
        EXPECT_EQ(all[static_cast<std::size_t>(i)], beside);
      }
    }
    return std::vector<float>(all.begin() + shift, all.begin() + shift + cols);
  });
}

TEST_F(Alignment, OfLosses) {
  for (const auto loss : {&Device::mean_squared_error, &Device::softmax_cross_entropy}) {
    expect_same_bits([loss](std::int64_t shift) {
      const ShiftedMatrix y = matrix(shift, 1);
      const ShiftedMatrix dy = matrix(shift, 2);
      const bool of_classes = loss == &Device::softmax_cross_entropy;
      const ShiftedMatrix target = matrix(shift, 3);
      if (of_classes) device().fill_zero(target.data(), ((rows - 1) * ld + cols) * sizeof(float), stream());
      const DeviceArray<float> losses(device(), stream(), {0.0f});
      const DeviceArray<StepState> state = state_at(device(), stream(), 0);
      (device().*loss)(y.view(), target.view(), rows, state.data(), dy.view(), losses.span(), stream());
      std::vector<float> result = dy.download();
      result.push_back(losses.download()[0]);
      return result;
    });
  }
}

TEST_F(Alignment, OfOptimizers) {
  constexpr std::size_t count = rows * ld - (ld - cols);  // to the last column of the last row
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix gradient = matrix(shift, 1);
    const DeviceArray<float> moments(device(), stream(), std::vector<float>(2 * count + 4, 0.25f));
    const DeviceArray<float> parameter(device(), stream(), std::vector<float>(count + 4, beside));
    const DeviceArray<StepState> state = state_at(device(), stream(), 0);
    device().adam(count, gradient.data(), {}, state.data(), parameter.data() + shift, moments.data() + shift,
                  moments.data() + shift + count, stream());
    device().sgd(count, gradient.data(), 0.5f, parameter.data() + shift, stream());
    const std::vector<float> all = parameter.download();
    for (std::size_t i = 0; i < static_cast<std::size_t>(shift); ++i) EXPECT_EQ(all[i], beside);
    for (std::size_t i = static_cast<std::size_t>(shift) + count; i < all.size(); ++i)
      EXPECT_EQ(all[i], beside);
    return std::vector<float>(all.begin() + shift, all.begin() + shift + static_cast<std::int64_t>(count));
  });
}

TEST_F(Alignment, OfFills) {
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix w = matrix(shift, 1);
    device().fill_uniform(3, 2, 0.5f, w.view(), stream());
    return w.download();
  });
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix features = matrix(shift, 1);
    const ShiftedMatrix targets = matrix(shift, 2);
    device().fill_synthetic(3, features.view(), targets.view(), stream());
    std::vector<float> both = features.download();
    const std::vector<float> second = targets.download();
    both.insert(both.end(), second.begin(), second.end());
    return both;
  });
}

TEST_F(Alignment, OfBatches) {
  expect_same_bits([](std::int64_t shift) {
    const ShiftedMatrix samples = matrix(shift, 1);
    const ShiftedMatrix wanted = matrix(shift, 2);
    const ShiftedMatrix features = matrix(shift, 3);
    const ShiftedMatrix target = matrix(shift, 4);
    const DeviceArray<StepState> state = state_at(device(), stream(), 3);
    const BatchSource source{samples.view(), wanted.view(), 8, rows, 0, false};
    device().load_batch(source, state.data(), features.view(), target.view(), stream());
    std::vector<float> both = features.download();
    const std::vector<float> second = target.download();
    both.insert(both.end(), second.begin(), second.end());
    return both;
  });
}

}  // namespace
}  // namespace breakeven
