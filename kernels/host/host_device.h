// SPDX-License-Identifier: Apache-2.0
// The device that every machine has: one core per rank, a BLAS for GEMM, plain loops for the rest. It is the
// reference for the CUDA kernels, and lets every strategy run without a GPU.
#pragma once

#include "kernels/device.h"

namespace breakeven {

class HostDevice final : public Device {
 public:
  HostDevice();
  const DeviceInfo& info() const override { return info_; }

  void* allocate(std::size_t bytes, bool pinned, std::string_view purpose) override;
  void release(void* data, std::size_t bytes, bool pinned) noexcept override;
  void copy(void* to, const void* from, std::size_t bytes, Stream& stream) override;
  void fill_zero(void* data, std::size_t bytes, Stream& stream) override;

  std::unique_ptr<Stream> make_stream() override;
  std::unique_ptr<Event> make_event() override;
  std::unique_ptr<Graph> capture(GraphBody body, std::span<Event* const> marks, Stream& stream) override;

  std::span<const GemmKernel> gemm_kernels(Precision precision) const override;
  std::span<const GemmKernel> gemm_kernels(Precision precision, GemmLayout layout) const override;
  void use_gemm_table(GemmTable) override {}  // no kernel has choices
  std::vector<GemmVariant> gemm_variants(const Product& product) const override;
  using Device::gemm;
  void gemm(std::span<const Product> products, Stream& stream) override;

  void add_bias(const float* bias, Matrix y, Stream& stream) override;
  void bias_relu_dropout(const float* bias, const Dropout& dropout, StepState* state, Matrix h,
                         Stream& stream) override;
  void relu_dropout_backward(ConstMatrix h, float rate, StepState* state, Matrix dh, Stream& stream) override;
  void bias_gradient(ConstMatrix dy, const StepState* state, float* db, Stream& stream) override;
  void remove_loss_scale(const StepState* state, Matrix values, Stream& stream) override;

  void mean_squared_error(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch, StepState* state,
                          Matrix dy, std::span<float> losses, Stream& stream) override;
  void softmax_cross_entropy(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch, StepState* state,
                             Matrix dy, std::span<float> losses, Stream& stream) override;
  void total_of_losses(std::span<const float> parts, const StepState* state, std::span<float> losses,
                       Stream& stream) override;

  void adam(std::size_t count, const float* gradient, const AdamSettings& settings, const StepState* state,
            const AdamArrays& arrays, void* working, Dtype dtype, Stream& stream) override;
  void sgd(std::size_t count, const float* gradient, float learning_rate, const StepState* state,
           float* parameter, void* working, Dtype dtype, Stream& stream) override;
  void stream_copy(std::size_t count, const float* values, float* copied, Stream& stream) override;
  void assemble(std::span<const FloatsPart> parts, std::span<float> whole, Stream& stream) override;
  void add(std::size_t count, const float* values, float* sum, Stream& stream) override;
  void scale(std::size_t count, double factor, float* values, Stream& stream) override;
  void clip_to_norm(std::size_t count, const double* sum_of_squares, float limit, float* values,
                    Stream& stream) override;
  void convert(std::size_t count, const float* values, void* converted, Dtype dtype, Stream& stream) override;
  void find_overflow(std::size_t count, const float* values, StepState* state, Stream& stream) override;
  void store_overflow(const StepState* state, float* value, Stream& stream) override;
  void sum_of_squares(std::size_t count, const float* values, const StepState* state, std::span<double> sums,
                      Stream& stream) override;
  void total_of_squares(std::span<const double> parts, double* sum, StepState* state,
                        Stream& stream) override;

  void load_batch(const BatchSource& source, const StepState* state, Matrix features, Matrix target,
                  Stream& stream) override;
  void advance_step(const AdamSettings& settings, StepState* state, Stream& stream) override;
  bool network_step(const NetworkStep& step, Stream& stream) override;

  using Device::fill_uniform;
  void fill_uniform(std::uint64_t seed, std::uint32_t layer, Origin at, float bound, Matrix w,
                    Stream& stream) override;
  void fill_synthetic(std::uint64_t seed, Matrix features, Matrix targets, Stream& stream) override;

  void find_not_finite(ConstMatrix values, std::uint32_t* found, Stream& stream) override;
  void copy_unless(const std::uint32_t* flag, std::size_t count, const float* from, float* to,
                   Stream& stream) override;
  void sum_values(std::size_t count, const Messages& messages, float* sum, Stream& stream) override;
  void encode_half(std::size_t count, float* values, void* codes, Dtype dtype, Stream& stream) override;
  void widen(std::size_t count, const void* codes, Dtype dtype, float* values, Stream& stream) override;
  void encode_int8(std::size_t count, float* values, float* message, Stream& stream) override;
  void sum_int8(std::size_t count, const Messages& messages, float* sum, Stream& stream) override;
  void encode_topk(std::size_t count, std::size_t chosen, float* values, float* message,
                   Stream& stream) override;
  void sum_topk(std::size_t count, std::size_t chosen, const Messages& messages, float* sum,
                Stream& stream) override;
  void encode_onebit(Matrix values, float* means, std::uint32_t* words, Stream& stream) override;
  void sum_onebit(const Messages& means, const Messages& words, Matrix sum, Stream& stream) override;
  void orthonormalise_rows(std::span<const Matrix> matrices, Stream& stream) override;

 private:
  DeviceInfo info_;
};

}  // namespace breakeven
