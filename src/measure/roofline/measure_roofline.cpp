// SPDX-License-Identifier: Apache-2.0
#include "src/measure/roofline/measure_roofline.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/timed_operations.h"

namespace breakeven::measure {
namespace {

constexpr std::size_t MiB = 1u << 20;
constexpr std::size_t GiB = 1u << 30;

// Far larger than any cache on a GPU; small enough to be quick on the host, which stands in for a GPU.
struct Sizes {
  std::size_t copy_bytes;
  int copies;
  std::int64_t gemm_side;
};

Sizes sizes_for(const DeviceInfo& info) {
  if (info.is_host()) return {16 * MiB, 3, 256};
  return {std::min(GiB, info.memory_bytes / 16), 20, info.memory_bytes >= 8 * GiB ? 8192 : 4096};
}

// The fastest of several replays: a roofline is the best that was measured.
double seconds_of(Device& device, Stream& stream, const TimedOperations::Operations& operations,
                  int replays = 3) {
  const TimedOperations::Operations nothing = [] {};
  TimedOperations graph(device, stream, nothing, operations);
  double fastest = not_measured;
  for (int i = 0; i < replays; ++i) {
    graph.launch();
    stream.synchronize();
    if (!(fastest <= graph.seconds())) fastest = graph.seconds();
  }
  return fastest;
}

double copy_rate(Device& device, Stream& stream, const Sizes& sizes) {
  constexpr std::int64_t cols = 1024;
  const std::int64_t rows = static_cast<std::int64_t>(sizes.copy_bytes / sizeof(float)) / cols;
  const auto count = static_cast<std::size_t>(rows * cols);
  const Buffer from(device, count * sizeof(float), false, "roofline: buffers to copy");
  const Buffer to(device, count * sizeof(float), false, "roofline: buffers to copy");
  device.fill_uniform(1, 0, 1.0f, {from.as<float>(), rows, cols, cols}, stream);  // zeros take less power
  const auto copy = [&] { device.stream_copy(count, from.as<float>(), to.as<float>(), stream); };
  copy();  // the first one also loads the kernel
  return 2.0 * sizeof(float) * static_cast<double>(count) / seconds_of(device, stream, copy, sizes.copies);
}

// Random operands: a GPU that multiplies zeros draws less power and clocks higher.
class SquareProduct {
 public:
  SquareProduct(Device& device, Stream& stream, std::int64_t side, Dtype dtype)
      : side_(side),
        a_(device, bytes(), false, "roofline: operands of a product"),
        b_(device, bytes(), false, "roofline: operands of a product"),
        c_(device, bytes(), false, "roofline: operands of a product"),
        dtype_(dtype) {
    const auto count = static_cast<std::size_t>(side * side);
    for (std::uint32_t operand = 0; operand < 2; ++operand) {
      const Buffer& kept = operand == 0 ? a_ : b_;
      const Buffer& filled = dtype == Dtype::fp32 ? kept : c_;  // C's place holds the fp32 values
      device.fill_uniform(1, operand, 1.0f, {filled.as<float>(), side, side, side}, stream);
      if (dtype != Dtype::fp32) device.convert(count, c_.as<float>(), kept.as<void>(), dtype, stream);
    }
  }

  Product by(Precision precision, GemmKernel kernel) const {
    return {.layout = GemmLayout::nt,
            .precision = precision,
            .variant = {.kernel = kernel},
            .a = {a_.as<void>(), side_, side_, side_, dtype_},
            .b = {b_.as<void>(), side_, side_, side_, dtype_},
            .c = {c_.as<void>(), side_, side_, side_, dtype_}};
  }
  double flops() const { return 2.0 * static_cast<double>(side_ * side_) * static_cast<double>(side_); }

 private:
  std::size_t bytes() const { return static_cast<std::size_t>(side_ * side_) * sizeof(float); }

  std::int64_t side_;
  Buffer a_, b_, c_;
  Dtype dtype_;
};

// The default kernel and the vendor's: one of them is the fastest for large products.
std::vector<GemmKernel> fast_kernels(const Device& device, Precision precision) {
  const std::span<const GemmKernel> all = device.gemm_kernels(precision);
  std::vector<GemmKernel> fast;
  for (const GemmKernel kernel : all) {
    if (kernel == all.front() || is_vendors(kernel)) fast.push_back(kernel);
  }
  return fast;
}

double gemm_rate(Device& device, Stream& stream, std::int64_t side, Precision precision) {
  const SquareProduct square(device, stream, side, info_of(precision).dtype);
  double fastest = not_measured;
  for (const GemmKernel kernel : fast_kernels(device, precision)) {
    const Product product = square.by(precision, kernel);
    device.gemm(product, stream);  // sets up libraries
    const double rate = square.flops() / seconds_of(device, stream, [&] { device.gemm(product, stream); });
    if (!(fastest >= rate)) fastest = rate;
  }
  return fastest;
}

// The smallest operation: adds a bias to one row.
class TinyOperation {
 public:
  TinyOperation(Device& device, Stream& stream)
      : device_(device),
        stream_(stream),
        bias_(device, sizeof(float) * width, false, "roofline: buffer of tiny launches"),
        row_(device, sizeof(float) * width, false, "roofline: buffer of tiny launches") {}

  void repeat(int times) const {
    const Matrix row{row_.as<float>(), 1, width, width};
    for (int i = 0; i < times; ++i) device_.add_bias(bias_.as<float>(), row, stream_);
  }

 private:
  static constexpr std::int64_t width = 8;
  Device& device_;
  Stream& stream_;
  Buffer bias_, row_;
};

double launch_seconds(Device& device, Stream& stream, const TinyOperation& tiny) {
  constexpr int launches = 2000;
  const auto start = device.make_event();
  const auto end = device.make_event();
  tiny.repeat(launches / 10);
  start->record(stream);
  tiny.repeat(launches);
  end->record(stream);
  stream.synchronize();
  return end->seconds_since(*start) / launches;
}

}  // namespace

Roofline measure_roofline(Device& device, std::span<const Precision> precisions) {
  const Sizes sizes = sizes_for(device.info());
  const std::unique_ptr<Stream> stream = device.make_stream();
  Roofline roofline;
  roofline.copy_bytes_per_second = copy_rate(device, *stream, sizes);
  for (const Precision precision : precisions) {
    roofline.flops(precision) = gemm_rate(device, *stream, sizes.gemm_side, precision);
  }
  constexpr int nodes = 500;
  const TinyOperation tiny(device, *stream);
  roofline.launch_seconds = launch_seconds(device, *stream, tiny);
  roofline.node_seconds = seconds_of(device, *stream, [&] { tiny.repeat(nodes); }) / nodes;
  return roofline;
}

}  // namespace breakeven::measure
