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

// A matrix of random values that begins `shift` elements behind a border, in memory full of `beside`.
class ShiftedMatrix {
 public:
  ShiftedMatrix(Device& device, Stream& stream, std::int64_t shift, std::uint32_t salt, Dtype dtype)
      : shift_(shift), dtype_(dtype), memory_(device, stream, filled(shift, salt, dtype)) {}

  Matrix view() const { return {data(), rows, cols, ld, dtype_}; }
  void* data() const { return memory_.data() + shift_ * bytes_of(dtype_); }
  float* floats() const { return view().floats(); }

  std::vector<float> download() const {
    const std::vector<unsigned char> bytes = memory_.download();
    std::vector<float> all(bytes.size() / static_cast<std::size_t>(bytes_of(dtype_)));
    to_floats(all.size(), bytes.data(), dtype_, all.data());
    std::vector<float> inside;
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
  static std::vector<unsigned char> filled(std::int64_t shift, std::uint32_t salt, Dtype dtype) {
    std::vector<float> values(static_cast<std::size_t>(shift + rows * ld), beside);
    const Table table = random_table(rows, cols, salt);
    for (std::int64_t row = 0; row < rows; ++row) {
      for (std::int64_t col = 0; col < cols; ++col) {
        values[static_cast<std::size_t>(shift + row * ld + col)] = static_cast<float>(table.at(row, col));
      }
    }
    std::vector<unsigned char> bytes(values.size() * static_cast<std::size_t>(bytes_of(dtype)));
    from_floats(values.size(), values.data(), bytes.data(), dtype);
    return bytes;
  }

  std::int64_t shift_;
  Dtype dtype_;
  DeviceArray<unsigned char> memory_;
};

class Alignment : public DeviceTest {
 protected:
  using Operation = std::function<std::vector<float>(std::int64_t shift, Dtype dtype)>;

  static void expect_same_bits(const Operation& operation) {
    for (const Dtype dtype : dtypes) {
      const std::vector<float> on_border = operation(0, dtype);
      ASSERT_FALSE(on_border.empty());
      for (std::int64_t shift = 1; shift < 4; ++shift) {
        EXPECT_EQ(operation(shift, dtype), on_border) << name_of(dtype) << " shifted by " << shift;
      }
    }
  }

  static ShiftedMatrix matrix(std::int64_t shift, std::uint32_t salt, Dtype dtype = Dtype::fp32) {
    return ShiftedMatrix(device(), stream(), shift, salt, dtype);
  }
  static DeviceArray<StepState> state_of_step(std::uint32_t step) {
    return state_at(device(), stream(), step);
  }

  static std::vector<float> joined(const std::vector<float>& first, const std::vector<float>& second) {
    std::vector<float> both = first;
    both.insert(both.end(), second.begin(), second.end());
    return both;
  }

  // What lies `shift` behind the beginning of an array, beside which nothing may have been written.
  static std::vector<float> within(const DeviceArray<float>& array, std::int64_t shift, std::int64_t count) {
    const std::vector<float> all = array.download();
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(all.size()); ++i) {
      if (i < shift || i >= shift + count) {
        EXPECT_EQ(all[static_cast<std::size_t>(i)], beside) << i;
      }
    }
    return std::vector<float>(all.begin() + shift, all.begin() + shift + count);
  }
};

TEST_F(Alignment, OfBiasAndActivation) {
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix h = matrix(shift, 1, dtype);
    const ShiftedMatrix bias = matrix(shift, 2);
    const DeviceArray<StepState> state = state_of_step(5);
    device().bias_relu_dropout(bias.floats(), {0.3f, 9, 1, 4}, state.data(), h.view(), stream());
    return h.download();
  });
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix y = matrix(shift, 1, dtype);
    const ShiftedMatrix bias = matrix(shift, 2);
    device().add_bias(bias.floats(), y.view(), stream());
    return y.download();
  });
}

TEST_F(Alignment, OfTheBackwardPass) {
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix h = matrix(shift, 1, dtype);
    const ShiftedMatrix dh = matrix(shift, 2, dtype);
    const DeviceArray<StepState> state = state_of_step(0);
    device().relu_dropout_backward(h.view(), 0.3f, state.data(), dh.view(), stream());
    return dh.download();
  });
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix dy = matrix(shift, 1, dtype);
    const DeviceArray<float> db(device(), stream(), std::vector<float>(cols + 4, beside));
    const DeviceArray<StepState> state = state_of_step(0);
    device().bias_gradient(dy.view(), state.data(), db.data() + shift, stream());
    return within(db, shift, cols);
  });
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix values = matrix(shift, 1, dtype);
    const DeviceArray<StepState> state = scaled_state_at(device(), stream(), 0, 4);
    device().remove_loss_scale(state.data(), values.view(), stream());
    return values.download();
  });
}

TEST_F(Alignment, OfLosses) {
  for (const auto loss : {&Device::mean_squared_error, &Device::softmax_cross_entropy}) {
    expect_same_bits([loss](std::int64_t shift, Dtype dtype) {
      const ShiftedMatrix y = matrix(shift, 1, dtype);
      const ShiftedMatrix dy = matrix(shift, 2, dtype);
      const bool of_classes = loss == &Device::softmax_cross_entropy;
      const ShiftedMatrix target = matrix(shift, 3);
      if (of_classes) device().fill_zero(target.data(), ((rows - 1) * ld + cols) * sizeof(float), stream());
      const DeviceArray<float> losses(device(), stream(), {0.0f});
      const DeviceArray<StepState> state = state_of_step(0);
      (device().*loss)(y.view(), target.view(), rows, state.data(), dy.view(), losses.span(), stream());
      return joined(dy.download(), losses.download());
    });
  }
}

TEST_F(Alignment, OfOptimizers) {
  constexpr std::size_t count = rows * ld - (ld - cols);  // to the last column of the last row
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix gradient = matrix(shift, 1);
    const DeviceArray<float> moments(device(), stream(), std::vector<float>(2 * count + 4, 0.25f));
    const DeviceArray<float> parameter(device(), stream(), std::vector<float>(count + 4, beside));
    const ShiftedMatrix working = matrix(shift, 2, dtype);
    const DeviceArray<StepState> state = state_of_step(0);
    device().adam(count, gradient.floats(), {}, state.data(),
                  {parameter.data() + shift, moments.data() + shift, moments.data() + shift + count},
                  working.data(), dtype, stream());
    device().sgd(count, gradient.floats(), 0.5f, state.data(), parameter.data() + shift, working.data(),
                 dtype, stream());
    return within(parameter, shift, count);
  });
}

// The padding of the parameters is converted along with them: `beside` is the same number in every dtype.
TEST_F(Alignment, OfConversions) {
  constexpr std::size_t count = rows * ld - (ld - cols);
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix values = matrix(shift, 1);
    const ShiftedMatrix converted = matrix(shift, 2, dtype);
    device().convert(count, values.floats(), converted.data(), dtype, stream());
    return converted.download();
  });
}

TEST_F(Alignment, OfFills) {
  expect_same_bits([](std::int64_t shift, Dtype) {
    const ShiftedMatrix w = matrix(shift, 1);
    device().fill_uniform(3, 2, 0.5f, w.view(), stream());
    return w.download();
  });
  expect_same_bits([](std::int64_t shift, Dtype) {
    const ShiftedMatrix features = matrix(shift, 1);
    const ShiftedMatrix targets = matrix(shift, 2);
    device().fill_synthetic(3, features.view(), targets.view(), stream());
    return joined(features.download(), targets.download());
  });
}

TEST_F(Alignment, OfBatches) {
  expect_same_bits([](std::int64_t shift, Dtype dtype) {
    const ShiftedMatrix samples = matrix(shift, 1);
    const ShiftedMatrix wanted = matrix(shift, 2);
    const ShiftedMatrix features = matrix(shift, 3, dtype);
    const ShiftedMatrix target = matrix(shift, 4);
    const DeviceArray<StepState> state = state_of_step(3);
    const BatchSource source{samples.view(), wanted.view(), 8, rows, 0, false};
    device().load_batch(source, state.data(), features.view(), target.view(), stream());
    return joined(features.download(), target.download());
  });
}

}  // namespace
}  // namespace breakeven
