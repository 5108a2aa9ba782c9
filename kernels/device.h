// SPDX-License-Identifier: Apache-2.0
// One processor: its memory, its streams, and the operations of a multilayer perceptron.
//
// CudaDevice (kernels/cuda) runs on GPUs. HostDevice (kernels/host) runs everywhere and is the reference for
// tests. Both compute the same function of the same arguments: sums may differ in rounding, random numbers
// never differ. Each operation is asynchronous on its stream (synchronous on the host). It takes inputs
// first, then outputs, the stream last. Shape letters: batch rows, in and out units, m n k for GEMM.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kernels/batch_source.h"
#include "kernels/buffer.h"
#include "kernels/gemm_table.h"
#include "kernels/gradient_compression.h"
#include "kernels/product.h"
#include "kernels/stream.h"
#include "src/core/matrix.h"
#include "src/core/records/topology.h"
#include "src/core/step_state.h"

namespace breakeven {

struct NetworkStep;  // network_step.h

// Floats that belong at `begin` of a buffer.
struct FloatsPart {
  const float* from = nullptr;
  std::size_t begin = 0;
  std::size_t count = 0;
};

class Device : public GradientCompression {
 public:
  virtual const DeviceInfo& info() const = 0;

  // A failed allocation throws Failure(environment); its text has the purpose and the bytes.
  virtual void* allocate(std::size_t bytes, bool pinned, std::string_view purpose) = 0;
  virtual void release(void* data, std::size_t bytes, bool pinned) noexcept = 0;
  virtual void copy(void* to, const void* from, std::size_t bytes, Stream& stream) = 0;  // any direction
  virtual void fill_zero(void* data, std::size_t bytes, Stream& stream) = 0;
  // Bytes allocated in the device's own memory, without pinned host memory.
  std::size_t bytes_in_use() const { return bytes_in_use_; }
  std::size_t peak_bytes() const { return peak_bytes_; }
  void reset_peak_bytes() { peak_bytes_ = bytes_in_use_; }

  virtual std::unique_ptr<Stream> make_stream() = 0;
  virtual std::unique_ptr<Event> make_event() = 0;
  // Captures `body` into a graph. CUDA runs the body once without executing its operations; a host graph
  // calls the body at each launch. The body may only call operations on `stream` and record marks.
  virtual std::unique_ptr<Graph> capture(GraphBody body, std::span<Event* const> marks, Stream& stream) = 0;

  // The GEMM kernels of this device that compute in a precision, in every layout or in this one, the default
  // first.
  virtual std::span<const GemmKernel> gemm_kernels(Precision precision) const = 0;
  virtual std::span<const GemmKernel> gemm_kernels(Precision precision, GemmLayout layout) const = 0;

  // From now on GemmKernel::tuned uses this table instead of the one that comes with the program.
  virtual void use_gemm_table(GemmTable table) = 0;

  // All variants by which this device can compute the product, for the tuner. At least one.
  virtual std::vector<GemmVariant> gemm_variants(const Product& product) const = 0;

  // Products that do not depend on each other, in one launch if the device can. Throws Failure(wrong_numbers)
  // for an invalid product or a kernel that gemm_kernels does not list.
  virtual void gemm(std::span<const Product> products, Stream& stream) = 0;
  void gemm(const Product& product, Stream& stream) { gemm({&product, 1}, stream); }

  // The epilogues as separate passes. Matrices have any dtype; biases and their gradients are fp32.
  // y[batch,out] += bias[out], row by row.
  virtual void add_bias(const float* bias, Matrix y, Stream& stream) = 0;

  // h = dropout(relu(h + bias)) in place; the mask's step is state->step; overflow as in ReluDropoutBackward.
  virtual void bias_relu_dropout(const float* bias, const Dropout& dropout, StepState* state, Matrix h,
                                 Stream& stream) = 0;

  // dh = dh * (h != 0) / (1 - rate) in place; overflow as in ReluDropoutBackward.
  virtual void relu_dropout_backward(ConstMatrix h, float rate, StepState* state, Matrix dh,
                                     Stream& stream) = 0;

  // db[out] = column sums of dy[batch,out], added in a fixed order, over the loss scale.
  virtual void bias_gradient(ConstMatrix dy, const StepState* state, float* db, Stream& stream) = 0;

  // values /= loss scale.
  virtual void remove_loss_scale(const StepState* state, Matrix values, Stream& stream) = 0;

  // Losses are means over the global batch. losses[state->step % losses.size()] becomes loss(rows) /
  // global_batch of this device's rows; dy becomes the gradient of that mean, times the loss scale. Summed
  // over the ranks, both equal the single device's. Mean squared error is also a mean over the outputs;
  // target[batch,out] is fp32. dy may be y itself. Sets state->overflow if a gradient is not finite.
  virtual void mean_squared_error(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                  StepState* state, Matrix dy, std::span<float> losses, Stream& stream) = 0;
  // Softmax cross-entropy of logits y against class numbers target[batch,1].
  virtual void softmax_cross_entropy(ConstMatrix y, ConstMatrix target, std::uint32_t global_batch,
                                     StepState* state, Matrix dy, std::span<float> losses,
                                     Stream& stream) = 0;

  // losses[state->step % losses.size()] = sum of `parts`, the losses of micro-batches, added in order.
  virtual void total_of_losses(std::span<const float> parts, const StepState* state, std::span<float> losses,
                               Stream& stream) = 0;

  // Flat buffers of `count` floats. Adam's bias correction counts updates by the state; if the state has an
  // overflow, no parameter changes. `working` is the copy in `dtype` that products read; null for fp32, where
  // products read the parameters themselves.
  virtual void adam(std::size_t count, const float* gradient, const AdamSettings& settings,
                    const StepState* state, const AdamArrays& arrays, void* working, Dtype dtype,
                    Stream& stream) = 0;
  virtual void sgd(std::size_t count, const float* gradient, float learning_rate, const StepState* state,
                   float* parameter, void* working, Dtype dtype, Stream& stream) = 0;

  // copied[i] = values[i] of `count` floats, by loads and stores of the processor: what copy() leaves to the
  // driver. Buffers aligned to 16 bytes are copied 16 bytes at a time.
  virtual void stream_copy(std::size_t count, const float* values, float* copied, Stream& stream) = 0;

  // whole[begin + i] = from[i] for the floats of each part; the rest of `whole` becomes 0.
  virtual void assemble(std::span<const FloatsPart> parts, std::span<float> whole, Stream& stream) = 0;

  // Flat buffers of `count` floats: sum += values; values *= factor. The factor is not rounded to fp32: by
  // that a mean over 3 ranks would grow by 2^-25 each time.
  virtual void add(std::size_t count, const float* values, float* sum, Stream& stream) = 0;
  virtual void scale(std::size_t count, double factor, float* values, Stream& stream) = 0;
  // values *= clip_factor(*sum_of_squares, limit) (clip.h), which makes their norm at most `limit`.
  virtual void clip_to_norm(std::size_t count, const double* sum_of_squares, float limit, float* values,
                            Stream& stream) = 0;

  // values[i] of `count` floats, rounded to nearest even.
  virtual void convert(std::size_t count, const float* values, void* converted, Dtype dtype,
                       Stream& stream) = 0;

  // state->overflow = 1 if any of `count` floats is not finite. For gradients that were summed over ranks.
  virtual void find_overflow(std::size_t count, const float* values, StepState* state, Stream& stream) = 0;

  // *value = state->overflow ? infinity : 0. Ranks sum it and pass the sum to find_overflow.
  virtual void store_overflow(const StepState* state, float* value, Stream& stream) = 0;

  // sums[state->step % sums.size()] = sum of squares of `count` floats, added in a fixed order in double.
  virtual void sum_of_squares(std::size_t count, const float* values, const StepState* state,
                              std::span<double> sums, Stream& stream) = 0;

  // *sum = sum of `parts`, the sums of squares of several ranks or buckets, added in order. Sets
  // state->overflow if it is not finite.
  virtual void total_of_squares(std::span<const double> parts, double* sum, StepState* state,
                                Stream& stream) = 0;

  // Loads the rows of step state->step into features (any dtype) and target (fp32).
  virtual void load_batch(const BatchSource& source, const StepState* state, Matrix features, Matrix target,
                          Stream& stream) = 0;

  // advance() of step_state.h. The last operation of every step.
  virtual void advance_step(const AdamSettings& settings, StepState* state, Stream& stream) = 0;

  // Whole steps in fewer launches than one per operation. Returns false and enqueues nothing if this device
  // cannot do that for the network; the caller then enqueues the operations one by one.
  virtual bool network_step(const NetworkStep&, Stream&) { return false; }

  // w[row,col] = uniform_within(word, bound) with Philox's word for (seed, parameters, step 0, layer, row,
  // col). w is the part of a larger matrix that begins at `at`; at.col is a multiple of 4.
  virtual void fill_uniform(std::uint64_t seed, std::uint32_t layer, Origin at, float bound, Matrix w,
                            Stream& stream) = 0;
  void fill_uniform(std::uint64_t seed, std::uint32_t layer, float bound, Matrix w, Stream& stream) {
    fill_uniform(seed, layer, {}, bound, w, stream);
  }

  // The synthetic data set (synthetic.h): row r of both is sample r.
  virtual void fill_synthetic(std::uint64_t seed, Matrix features, Matrix targets, Stream& stream) = 0;

 protected:
  void count_allocation(std::size_t bytes);
  void count_release(std::size_t bytes) noexcept;

 private:
  std::size_t bytes_in_use_ = 0;
  std::size_t peak_bytes_ = 0;
};

// The device of this process. `gpu` is a CUDA ordinal; a build without CUDA sees no GPU.
int visible_gpus();
std::unique_ptr<Device> make_cuda_device(int gpu);
std::unique_ptr<Device> make_host_device();

// Copies numbers from the device to the host. Waits for all work on the stream.
template <typename T>
std::vector<std::remove_const_t<T>> download(Device& device, std::span<T> from, Stream& stream) {
  std::vector<std::remove_const_t<T>> values(from.size());
  device.copy(values.data(), from.data(), from.size_bytes(), stream);
  stream.synchronize();
  return values;
}

}  // namespace breakeven
