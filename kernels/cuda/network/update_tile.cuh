// SPDX-License-Identifier: Apache-2.0
// A block of the third kernel of a small network's step: the gradients of a tile of 32 x 64 weights, and of
// the biases beside it, and Adam's update. It reads the moments while the second kernel still runs. Only the
// gradients of the layer's output, and inputs that the second kernel computed, have to wait.
#pragma once

#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/loss_scale.cuh"
#include "kernels/cuda/network/end_step.cuh"
#include "kernels/cuda/network/update_layers.cuh"

namespace breakeven {

// How the gradients are summed over GPUs before the update: not at all. Another `Exchange` also has
//   sum(count, quads, has_last, last), by all threads of a block: a thread's `count` first quads, and `last`
//   if it has one, become their sums over the GPUs.
struct NoExchange {
  static constexpr bool is_needed = false;
};

// This GPU, in this step, by the notes: the state may be that of the next already.
__device__ inline bool step_overflowed(const NetworkArguments& net) {
  return __ldcg(&net.notes->overflowed) + 1 == __ldcg(&net.notes->number);
}

template <typename Products, typename Exchange>
class UpdateTile {
  using Operands = typename Products::Operands;
  using Stored = typename Operands::Stored;

 public:
  __device__ UpdateTile(const NetworkArguments& net, int layer_number, int first_unit, int first_input,
                        float* shared, const Exchange& exchange)
      : net_(net),
        layer_(net.layer[layer_number]),
        input_is_early_(layer_number <= 1),  // it comes from the first kernel, which is done
        first_unit_(first_unit),
        first_input_(first_input),
        shared_(shared),
        exchange_(exchange) {}

  __device__ void run() {
    read_parameters();
    if (input_is_early_) fetch_inputs(0);
    start_after_predecessor();
    for (int row = 0; row < net_.rows; row += update_most_rows) {
      if (row > 0) __syncthreads();  // the previous rows have been read
      if (row > 0 || !input_is_early_) fetch_inputs(row);
      fetch<update_units, gradient_line>(layer_.output_gradient, layer_.out_ld, first_unit_, row,
                                         gradients());
      commit_copies();
      if (row == 0) read_factors();
      wait_for_all_but<0>();
      __syncthreads();
      add_rows(min(net_.rows - row, update_most_rows));
    }
    exchange_halves();
    if constexpr (scales_loss<Operands>) remove_loss_scale();
    if constexpr (Exchange::is_needed) sum_over_gpus();
    keep_gradients();
    if constexpr (scales_loss<Operands>) {
      if (has_overflow()) return;
    }
    update_weights(factors());
    if (has_bias_) update_bias(factors());
  }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int lane() { return thread() % 32; }
  static __device__ int warp() { return thread() / 32; }
  static __device__ int half() { return thread() / update_half; }

  // This thread updates two quads of weights.
  static __device__ int own(int i) { return 2 * half() + i; }
  __device__ int unit(int i) const { return first_unit_ + Products::unit(own(i)); }
  __device__ int input(int i) const { return first_input_ + Products::input(own(i)); }
  __device__ bool has(int i) const { return unit(i) < layer_.out && input(i) < layer_.in; }
  __device__ std::int64_t place(int i) const { return std::int64_t{unit(i)} * layer_.in_ld + input(i); }

  __device__ float* given() const { return shared_; }                     // [2][update_threads] quads
  __device__ float* bias_sums() const { return shared_ + given_floats; }  // [update_warps][units]
  __device__ Stored* gradients() const { return reinterpret_cast<Stored*>(bias_sums() + bias_floats); }
  __device__ Stored* inputs() const { return gradients() + padded_rows<Products>(net_.rows) * gradient_line; }

  __device__ void read_parameters() {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (!has(i)) continue;
      parameter_[i] = load_changed_quad(layer_.weight.parameter + place(i));
      first_moment_[i] = load_changed_quad(layer_.weight.first_moment + place(i));
      second_moment_[i] = load_changed_quad(layer_.weight.second_moment + place(i));
    }
    has_bias_ = first_input_ == 0 && warp() == 0 && first_unit_ + lane() < layer_.out;
    if (!has_bias_) return;
    bias_ = __ldcg(layer_.bias.parameter + first_unit_ + lane());
    bias_first_moment_ = __ldcg(layer_.bias.first_moment + first_unit_ + lane());
    bias_second_moment_ = __ldcg(layer_.bias.second_moment + first_unit_ + lane());
  }
  // Written by the second kernel. All blocks read them, each once.
  __device__ void read_factors() const {
    constexpr int count = sizeof(AdamFactors) / sizeof(float);
    const auto* from = reinterpret_cast<const float*>(&net_.notes->factors);
    if (thread() < count) reinterpret_cast<float*>(&factors())[thread()] = __ldcg(from + thread());
  }
  static __device__ AdamFactors& factors() {
    __shared__ AdamFactors of_block;
    return of_block;
  }

  __device__ bool has_overflow() const {
    if constexpr (Exchange::is_needed) return has_overflow_;
    return step_overflowed(net_);
  }
  __device__ void remove_loss_scale() {
    const float inverse = __ldcg(&net_.notes->inverse_loss_scale);
#pragma unroll
    for (int i = 0; i < 2; ++i) {
#pragma unroll
      for (int u = 0; u < 4; ++u) gradient_[i].unit[u] *= inverse;
    }
    bias_gradient_ *= inverse;
  }

  // Copies columns [col, col + width) of the rows from `row` on, with zeros outside the matrix.
  template <int width, int line>
  __device__ void fetch(const void* matrix, int ld, int col, int row, Stored* to) const {
    constexpr int in_chunk = chunk_elements<Stored>;
    constexpr int chunks = width / in_chunk;
    constexpr int rows_at_once = update_threads / chunks;
    const auto* const from = static_cast<const Stored*>(matrix);
    const int at = col + thread() % chunks * in_chunk;
    const int first = thread() / chunks;
    const int left = at < ld ? net_.rows - row : 0;  // then a whole chunk
    const int end = padded_rows<Products>(net_.rows - row);
    const Stored* place = from + std::int64_t{row + first} * ld + at;
    std::uint32_t to_place = shared_address(to + first * line + thread() % chunks * in_chunk);
#pragma unroll 4
    for (int i = first; i < end; i += rows_at_once) {
      copy_part_of_chunk(to_place, i < left ? place : from, i < left ? chunk_bytes : 0);
      place += rows_at_once * ld;
      to_place += rows_at_once * line * sizeof(Stored);
    }
  }
  __device__ void fetch_inputs(int row) const {
    fetch<update_inputs, input_line>(layer_.input, layer_.in_ld, first_input_, row, inputs());
  }

  __device__ void add_rows(int rows) {
    const int middle = padded_rows<Products>(rows) / Products::step / 2 * Products::step;
    products_.add_rows(gradients(), inputs(), half() == 0 ? 0 : middle, half() == 0 ? middle : rows);
    if (first_input_ > 0) return;
#pragma unroll 8
    for (int row = warp(); row < rows; row += update_warps)
      bias_gradient_ += to_float(gradients()[row * gradient_line + lane()]);
  }

  // Each half passes its sums for the weights that the other half updates.
  __device__ void exchange_halves() {
    auto* const place = reinterpret_cast<Quad*>(given());
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      place[i * update_threads + thread()] = half() == 0 ? products_.quad(2 + i) : products_.quad(i);
    }
    bias_sums()[warp() * update_units + lane()] = bias_gradient_;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      gradient_[i] = half() == 0 ? products_.quad(i) : products_.quad(2 + i);
      const Quad other = place[i * update_threads + (thread() ^ update_half)];
#pragma unroll
      for (int u = 0; u < 4; ++u) gradient_[i].unit[u] += other.unit[u];
    }
    if (!has_bias_) return;
    bias_gradient_ = 0;
#pragma unroll
    for (int w = 0; w < update_warps; ++w) bias_gradient_ += bias_sums()[w * update_units + lane()];
  }

  // An overflow of one GPU is one of all. It travels with the gradient of a bias, or instead of one.
  __device__ void sum_over_gpus() {
    Quad last{{bias_gradient_, 0, 0, 0}};
    const bool tells = scales_loss<Operands> && thread() == 0;
    if (tells) last.unit[1] = step_overflowed(net_) ? 1.0f : 0.0f;
    exchange_.sum(has(1) ? 2 : has(0) ? 1 : 0, gradient_, has_bias_ || tells, last);
    bias_gradient_ = last.unit[0];
    if constexpr (scales_loss<Operands>) has_overflow_ = __syncthreads_or(tells && last.unit[1] > 0) != 0;
  }

  // Also where they overflowed: by that the step is known as one without an update.
  __device__ void keep_gradients() {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (!has(i)) continue;
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        if (input(i) + u >= layer_.in) gradient_[i].unit[u] = 0;  // padding stays zero
      }
      if (layer_.weight_gradient != nullptr) put_quad(layer_.weight_gradient + place(i), gradient_[i]);
    }
    if (has_bias_ && layer_.bias_gradient != nullptr)
      layer_.bias_gradient[first_unit_ + lane()] = bias_gradient_;
  }
  __device__ void update_weights(const AdamFactors& factors) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      if (!has(i)) continue;
      adam_update(factors, gradient_[i], parameter_[i], first_moment_[i], second_moment_[i]);
      put_quad(layer_.weight.parameter + place(i), parameter_[i]);
      if constexpr (stores_16_bits<Operands>) {
        store_quad(static_cast<Stored*>(layer_.working_weight) + place(i), parameter_[i]);
      }
      put_quad(layer_.weight.first_moment + place(i), first_moment_[i]);
      put_quad(layer_.weight.second_moment + place(i), second_moment_[i]);
    }
  }
  __device__ void update_bias(const AdamFactors& factors) {
    const int at = first_unit_ + lane();
    adam_update(factors, bias_gradient_, bias_, bias_first_moment_, bias_second_moment_);
    layer_.bias.parameter[at] = bias_;
    layer_.bias.first_moment[at] = bias_first_moment_;
    layer_.bias.second_moment[at] = bias_second_moment_;
  }

  const NetworkArguments& net_;
  const LayerArguments& layer_;
  bool input_is_early_;
  int first_unit_;
  int first_input_;
  float* shared_;
  const Exchange& exchange_;
  Products products_;
  Quad parameter_[2], first_moment_[2], second_moment_[2], gradient_[2];
  bool has_bias_ = false;
  bool has_overflow_ = false;  // where gradients are exchanged
  float bias_ = 0, bias_first_moment_ = 0, bias_second_moment_ = 0, bias_gradient_ = 0;
};

// By the last block: where another GPU has an overflow, this one ends the step as if it were its own.
template <typename Operands, typename Exchange>
__device__ void agree_on_overflow(const NetworkArguments& net, const Exchange& exchange) {
  start_after_predecessor();
  const bool tells = scales_loss<Operands> && threadIdx.x == 0;
  Quad none[2], last{};
  if (tells) last.unit[1] = step_overflowed(net) ? 1.0f : 0.0f;
  exchange.sum(0, none, tells, last);
  if (tells) tell_overflow(net.state, last.unit[1] > 0);
}

// The whole kernel. `shared` has the bytes of update_shape.
template <typename Products, typename Exchange>
__device__ void update_layers(const UpdateArguments& arguments, const Exchange& exchange, float* shared) {
  const NetworkArguments& net = arguments.network;
  const UpdateTiles& tiles = arguments.tiles;
  const int tile = static_cast<int>(blockIdx.x);
  if (tile == tiles.first[net.layers]) {
    if constexpr (Exchange::is_needed) agree_on_overflow<typename Products::Operands>(net, exchange);
    return end_step<update_warps>(net);
  }
  int l = 0;
  while (tile >= tiles.first[l + 1]) ++l;
  const int in_layer = tile - tiles.first[l];
  UpdateTile<Products, Exchange>(net, l, in_layer / tiles.across[l] * update_units,
                                 in_layer % tiles.across[l] * update_inputs, shared, exchange)
      .run();
}

}  // namespace breakeven
