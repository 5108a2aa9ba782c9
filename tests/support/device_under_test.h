// SPDX-License-Identifier: Apache-2.0
// The device that environment BREAKEVEN_TEST_DEVICE names, and its memory as tests see it: guarded behind the
// end, with padding that is looked at whenever a matrix is read. The same tests run on every device.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <ostream>
#include <string_view>
#include <vector>

#include "kernels/device.h"
#include "kernels/host/rows.h"
#include "tests/support/reference.h"
#include "tests/support/rounding.h"

namespace breakeven {

inline std::unique_ptr<Device> make_device_under_test() {
  const char* named = std::getenv("BREAKEVEN_TEST_DEVICE");
  const bool cuda = named != nullptr && std::string_view(named) == "cuda";
  return cuda ? make_cuda_device(0) : make_host_device();
}

// results/record-gpu-tests --sanitize says so. A sanitizer finds in a few launches what shows in one of
// hundreds otherwise, takes minutes for them, and keeps memory for each.
inline bool under_sanitizer() { return std::getenv("BREAKEVEN_TEST_UNDER_SANITIZER") != nullptr; }

// One device and one stream for all tests of a suite: making a CUDA device takes longer than the tests.
class DeviceTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    device_ = make_device_under_test();
    stream_ = device_->make_stream();
  }
  static void TearDownTestSuite() {
    stream_.reset();
    device_.reset();
  }
  static Device& device() { return *device_; }
  static Stream& stream() { return *stream_; }

 private:
  static inline std::unique_ptr<Device> device_;
  static inline std::unique_ptr<Stream> stream_;
};

// `count` values in the device's memory with a guard behind them.
template <typename T>
class DeviceArray {
 public:
  DeviceArray(Device& device, Stream& stream, const std::vector<T>& values)
      : device_(&device),
        stream_(&stream),
        count_(values.size()),
        buffer_(device, count_ * sizeof(T) + guard_bytes, false, "array under test") {
    std::vector<unsigned char> bytes(buffer_.bytes(), guard);
    if (count_ != 0) std::memcpy(bytes.data(), values.data(), count_ * sizeof(T));
    device.copy(buffer_.template as<unsigned char>(), bytes.data(), bytes.size(), stream);
    stream.synchronize();
  }

  T* data() const { return buffer_.template as<T>(); }
  std::size_t size() const { return count_; }
  std::span<T> span() const { return {data(), count_}; }

  std::vector<T> download() const {
    std::vector<unsigned char> bytes(buffer_.bytes());
    device_->copy(bytes.data(), buffer_.template as<unsigned char>(), bytes.size(), *stream_);
    stream_->synchronize();
    for (std::size_t i = count_ * sizeof(T); i < bytes.size(); ++i) {
      EXPECT_EQ(bytes[i], guard) << "written " << i - count_ * sizeof(T) << " bytes behind the end";
    }
    std::vector<T> values(count_);
    if (count_ != 0) std::memcpy(values.data(), bytes.data(), count_ * sizeof(T));
    return values;
  }

 private:
  static constexpr std::size_t guard_bytes = 256;
  static constexpr unsigned char guard = 0xA5;
  Device* device_;
  Stream* stream_;
  std::size_t count_;
  Buffer buffer_;
};

inline std::vector<float> to_float(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}
inline std::vector<double> to_double(const std::vector<float>& values) {
  return {values.begin(), values.end()};
}

// How many elements lie between the last column of a row and the first of the next.
enum class Padding { none, to_16_bytes, wide };
inline constexpr Padding paddings[] = {Padding::none, Padding::to_16_bytes, Padding::wide};

inline std::int64_t leading_dimension(std::int64_t cols, Padding padding) {
  if (padding == Padding::none) return cols;
  return padding == Padding::to_16_bytes ? padded_width(cols) : padded_width(cols) + 12;
}

// A table in the device's memory, each value rounded to the dtype.
class DeviceMatrix {
 public:
  DeviceMatrix(Device& device, Stream& stream, const Table& table, Padding padding, Dtype dtype = Dtype::fp32)
      : rows_(table.rows),
        cols_(table.cols),
        ld_(leading_dimension(table.cols, padding)),
        dtype_(dtype),
        array_(device, stream, stored(table, ld_, dtype)) {}

  Matrix view() const { return {array_.data(), rows_, cols_, ld_, dtype_}; }
  void* data() const { return array_.data(); }
  std::span<float> flat() const {  // with the padding, as an optimizer takes it
    return {view().floats(), static_cast<std::size_t>(rows_ * ld_)};
  }
  Matrix rows(std::int64_t first, std::int64_t count) const {
    return {array_.data() + first * ld_ * bytes_of(dtype_), count, cols_, ld_, dtype_};
  }

  // Fails where an operation wrote into the padding.
  Table download() const {
    const std::vector<unsigned char> bytes = array_.download();
    std::vector<float> values(static_cast<std::size_t>(rows_ * ld_));
    to_floats(values.size(), bytes.data(), dtype_, values.data());
    Table table(rows_, cols_);
    for (std::int64_t row = 0; row < rows_; ++row) {
      for (std::int64_t col = 0; col < ld_; ++col) {
        const float value = values[static_cast<std::size_t>(row * ld_ + col)];
        if (col < cols_) {
          table.at(row, col) = value;
        } else {
          EXPECT_EQ(value, 0.0f) << "padding of row " << row << ", column " << col;
        }
      }
    }
    return table;
  }

 private:
  static std::vector<unsigned char> stored(const Table& table, std::int64_t ld, Dtype dtype) {
    std::vector<float> values(static_cast<std::size_t>(table.rows * ld), 0.0f);
    for (std::int64_t row = 0; row < table.rows; ++row) {
      for (std::int64_t col = 0; col < table.cols; ++col) {
        values[static_cast<std::size_t>(row * ld + col)] = static_cast<float>(table.at(row, col));
      }
    }
    std::vector<unsigned char> bytes(values.size() * static_cast<std::size_t>(bytes_of(dtype)));
    from_floats(values.size(), values.data(), bytes.data(), dtype);
    return bytes;
  }

  std::int64_t rows_;
  std::int64_t cols_;
  std::int64_t ld_;
  Dtype dtype_;
  DeviceArray<unsigned char> array_;
};

// A step's state with `step` steps behind it.
inline DeviceArray<StepState> state_at(Device& device, Stream& stream, std::uint32_t step) {
  StepState state;
  state.step = step;
  return DeviceArray<StepState>(device, stream, {state});
}

// The same with dynamic loss scaling.
inline DeviceArray<StepState> scaled_state_at(Device& device, Stream& stream, std::uint32_t step,
                                              float loss_scale) {
  StepState state;
  state.step = step;
  state.growth_interval = 1000;
  state.loss_scale = loss_scale;
  return DeviceArray<StepState>(device, stream, {state});
}

// Sizes that are one, prime, and to both sides of a warp and a tile.
inline constexpr std::int64_t odd_sizes[] = {1, 31, 33, 127, 129, 799};

// Every odd size as rows and as columns, each with a larger and a smaller partner, in turn with every
// padding.
struct Extent {
  std::int64_t rows;
  std::int64_t cols;
  Padding padding;
};

inline std::vector<Extent> extents() {
  std::vector<Extent> all;
  constexpr std::size_t count = std::size(odd_sizes);
  for (std::size_t i = 0; i < count; ++i) {
    for (const std::size_t partner : {i, i + 2, i + 5}) {
      all.push_back({odd_sizes[i], odd_sizes[partner % count], paddings[all.size() % std::size(paddings)]});
    }
  }
  return all;
}

inline std::ostream& operator<<(std::ostream& out, const Extent& extent) {
  return out << extent.rows << " x " << extent.cols << ", padding kind " << static_cast<int>(extent.padding);
}

}  // namespace breakeven
