// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/operands.h"

#include <algorithm>

#include "kernels/host/dtype.h"

namespace breakeven::bench {
namespace {

constexpr std::size_t most_sets = 16;

std::size_t elements_in(const StoredShape& shape) {
  return static_cast<std::size_t>(shape.rows * padded_width(shape.cols));
}

std::size_t bytes_of_shape(const StoredShape& shape, Dtype dtype) {
  return elements_in(shape) * static_cast<std::size_t>(bytes_of(dtype));
}

StoredShape stored_c(const GemmTask& task) { return {task.shape.m, task.shape.n}; }

Dtype dtype_of_result(const GemmTask& task, Precision precision) {
  return task.layout == GemmLayout::tn ? Dtype::fp32 : info_of(precision).dtype;
}

}  // namespace

bool has_kernel(const Device& device, Precision precision, GemmKernel kernel) {
  const std::span<const GemmKernel> kernels = device.gemm_kernels(precision);
  return std::ranges::find(kernels, kernel) != kernels.end();
}

Operands::Operands(Device& device, Stream& stream, const GemmTask& task,
                   std::span<const Precision> precisions, std::size_t room_bytes)
    : device_(device), stream_(stream), task_(task) {
  for (const Precision precision : precisions) used_[index_of(info_of(precision).dtype)] = true;
  std::size_t set_bytes = bytes_of_shape(stored_c(task), Dtype::fp32);
  for (const Dtype dtype : dtypes) {
    if (used_[index_of(dtype)])
      set_bytes += bytes_of_shape(stored_a(task), dtype) + bytes_of_shape(stored_b(task), dtype);
  }
  sets_ = static_cast<int>(std::clamp<std::size_t>(room_bytes / set_bytes, 1, most_sets));
  for (const Dtype dtype : dtypes) {
    if (!used_[index_of(dtype)] && dtype != Dtype::fp32) continue;
    const int sets = used_[index_of(dtype)] ? sets_ : 1;
    a_[index_of(dtype)] = allocate(stored_a(task), dtype, sets);
    b_[index_of(dtype)] = allocate(stored_b(task), dtype, sets);
  }
  c_ = allocate(stored_c(task), Dtype::fp32, sets_);
  bias_ = Buffer(device, bytes_of_shape({1, task.shape.n}, Dtype::fp32), false, "bias of a product");
  state_ = Buffer(device, sizeof(StepState), false, "state of a product");
  const StepState first;
  device.copy(state_.as<StepState>(), &first, sizeof first, stream);
  stream.synchronize();
}

Operands::Place Operands::allocate(const StoredShape& shape, Dtype dtype, int sets) const {
  constexpr std::size_t border = 256;
  const std::size_t stride = (bytes_of_shape(shape, dtype) + border - 1) / border * border;
  return {Buffer(device_, stride * static_cast<std::size_t>(sets), false, "operands of products"), stride};
}

ConstMatrix Operands::matrix(const Place& place, const StoredShape& shape, Dtype dtype, int set) const {
  return {place.memory.as<char>() + place.stride * static_cast<std::size_t>(set), shape.rows, shape.cols,
          padded_width(shape.cols), dtype};
}

void Operands::randomize(std::uint64_t seed) {
  fill(a_, stored_a(task_), OperandKey::a, seed);
  fill(b_, stored_b(task_), OperandKey::b, seed);
  const Matrix bias{bias_.as<float>(), 1, task_.shape.n, padded_width(task_.shape.n)};
  device_.fill_uniform(seed, static_cast<std::uint32_t>(OperandKey::bias), 1.0f, bias, stream_);
}

void Operands::fill(std::array<Place, dtypes.size()>& places, const StoredShape& shape, OperandKey key,
                    std::uint64_t seed) {
  const auto* fp32 = places[index_of(Dtype::fp32)].memory.as<float>();
  const Matrix values{places[index_of(Dtype::fp32)].memory.as<float>(), shape.rows, shape.cols,
                      padded_width(shape.cols)};
  device_.fill_uniform(seed, static_cast<std::uint32_t>(key), 1.0f, values, stream_);
  for (const Dtype dtype : dtypes) {
    if (!used_[index_of(dtype)]) continue;
    const Place& place = places[index_of(dtype)];
    char* first = place.memory.as<char>();
    if (dtype != Dtype::fp32) device_.convert(elements_in(shape), fp32, first, dtype, stream_);
    for (int set = 1; set < sets_; ++set) {
      device_.copy(first + place.stride * static_cast<std::size_t>(set), first, bytes_of_shape(shape, dtype),
                   stream_);
    }
  }
}

Matrix Operands::result(const Candidate& candidate, int set) const {
  const StoredShape shape = stored_c(task_);
  return {c_.memory.as<char>() + c_.stride * static_cast<std::size_t>(set), shape.rows, shape.cols,
          padded_width(shape.cols), dtype_of_result(task_, candidate.precision)};
}

Product Operands::product(const Candidate& candidate, int set) const {
  const Dtype dtype = info_of(candidate.precision).dtype;
  Product product{.layout = task_.layout,
                  .precision = candidate.precision,
                  .variant = candidate.variant,
                  .a = matrix(a_[index_of(dtype)], stored_a(task_), dtype, set),
                  .b = matrix(b_[index_of(dtype)], stored_b(task_), dtype, set),
                  .c = result(candidate, set)};
  if (candidate.fused) product.epilogue = BiasReluDropout{bias_.as<float>(), {}, state_.as<StepState>()};
  return product;
}

void Operands::clear_result() { device_.fill_zero(c_.memory.as<char>(), c_.stride, stream_); }

std::vector<std::vector<float>> Operands::read_rows(const Candidate& candidate,
                                                    std::span<const std::int64_t> rows) {
  const Matrix c = result(candidate, 0);
  const auto row_bytes = static_cast<std::size_t>(c.ld * bytes_of(c.dtype));
  std::vector<char> stored(row_bytes * rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    device_.copy(stored.data() + row_bytes * i, c.as<char>() + row_bytes * static_cast<std::size_t>(rows[i]),
                 row_bytes, stream_);
  }
  stream_.synchronize();
  std::vector<std::vector<float>> values;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::vector<float>& row = values.emplace_back();
    with_dtype(c.dtype, [&](auto tag) {
      const auto* words =
          reinterpret_cast<const typename decltype(tag)::Type*>(stored.data() + row_bytes * i);
      std::transform(words, words + c.cols, std::back_inserter(row),
                     [](auto word) { return to_float(word); });
    });
  }
  return values;
}

}  // namespace breakeven::bench
