// SPDX-License-Identifier: Apache-2.0
// The third kernel of a small network's step: the gradients of all weights and biases, and Adam's update. A
// block has 32 x 64 weights, whose moments it reads while the second kernel still runs. Only the gradients of
// the layer's output, and inputs that the second kernel computed, have to wait. One extra block adds up the
// loss and ends the step.
#include <algorithm>

#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/end_step.cuh"
#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/network/update_products.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

constexpr int update_threads = 2 * update_half;
constexpr int warps = update_threads / 32;
constexpr int most_rows_at_once = 128;  // of the batch, in shared memory
static_assert(update_units == 32, "a lane adds up the gradient of one bias");

// Which part of which layer a block has.
struct UpdateTiles {
  int first[most_layers + 1];  // the number of each layer's first tile
  int across[most_layers];     // tiles in a row of W
};

struct UpdateArguments {
  NetworkArguments network;
  UpdateTiles tiles;
};

// Shared memory: for the exchange between the halves, the sums of the bias, and the rows.
constexpr int given_floats = 2 * 4 * update_threads;
constexpr int bias_floats = warps * update_units;
// The number of rows of the batch at a time, in whole steps.
template <typename Products>
__host__ __device__ constexpr int padded_rows(int rows) {
  return ((rows < most_rows_at_once ? rows : most_rows_at_once) + Products::step - 1) / Products::step *
         Products::step;
}
template <typename Products>
constexpr std::size_t shared_bytes_for(int rows) {
  return (given_floats + bias_floats) * sizeof(float) +
         static_cast<std::size_t>(padded_rows<Products>(rows) * (gradient_line + input_line)) *
             sizeof(typename Products::Operands::Stored);
}

template <typename Products>
class UpdateTile {
  using Operands = typename Products::Operands;
  using Stored = typename Operands::Stored;

 public:
  __device__ UpdateTile(const NetworkArguments& net, int layer_number, int first_unit, int first_input,
                        float* shared)
      : net_(net),
        layer_(net.layer[layer_number]),
        input_is_early_(layer_number <= 1),  // it comes from the first kernel, which is done
        first_unit_(first_unit),
        first_input_(first_input),
        shared_(shared) {}

  __device__ void run() {
    read_parameters();
    if (input_is_early_) fetch_inputs(0);
    start_after_predecessor();
    for (int row = 0; row < net_.rows; row += most_rows_at_once) {
      if (row > 0) __syncthreads();  // the previous rows have been read
      if (row > 0 || !input_is_early_) fetch_inputs(row);
      fetch<update_units, gradient_line>(layer_.output_gradient, layer_.out_ld, first_unit_, row,
                                         gradients());
      commit_copies();
      if (row == 0) read_factors();
      wait_for_all_but<0>();
      __syncthreads();
      add_rows(min(net_.rows - row, most_rows_at_once));
    }
    exchange_halves();
    if constexpr (scales_loss<Operands>) remove_loss_scale();
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
  __device__ float* bias_sums() const { return shared_ + given_floats; }  // [warps][units]
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

  // Of this step, by the notes: the state may be that of the next already.
  __device__ bool has_overflow() const {
    return __ldcg(&net_.notes->overflowed) + 1 == __ldcg(&net_.notes->number);
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
    for (int row = warp(); row < rows; row += warps)
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
    for (int w = 0; w < warps; ++w) bias_gradient_ += bias_sums()[w * update_units + lane()];
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
  Products products_;
  Quad parameter_[2], first_moment_[2], second_moment_[2], gradient_[2];
  bool has_bias_ = false;
  float bias_ = 0, bias_first_moment_ = 0, bias_second_moment_ = 0, bias_gradient_ = 0;
};

template <typename Products>
__global__ __launch_bounds__(update_threads,
                             2) void update_layers_kernel(const __grid_constant__ UpdateArguments arguments) {
  extern __shared__ __align__(16) float shared[];
  const NetworkArguments& net = arguments.network;
  const UpdateTiles& tiles = arguments.tiles;
  const int tile = static_cast<int>(blockIdx.x);
  if (tile == tiles.first[net.layers]) return end_step<warps>(net);
  int l = 0;
  while (tile >= tiles.first[l + 1]) ++l;
  const int in_layer = tile - tiles.first[l];
  UpdateTile<Products>(net, l, in_layer / tiles.across[l] * update_units,
                       in_layer % tiles.across[l] * update_inputs, shared)
      .run();
}

}  // namespace

void launch_update_layers(const NetworkLaunch& launch) {
  UpdateArguments arguments{launch.network, {}};
  for (int l = 0; l < launch.network.layers; ++l) {
    const LayerArguments& layer = launch.network.layer[l];
    arguments.tiles.across[l] = ceil_div(layer.in, update_inputs);
    arguments.tiles.first[l + 1] =
        arguments.tiles.first[l] + ceil_div(layer.out, update_units) * arguments.tiles.across[l];
  }
  const int tiles = arguments.tiles.first[launch.network.layers];
  with_operands(launch.precision, [&](auto operands) {
    using Products = typename UpdateOf<decltype(operands)>::Products;
    const KernelShape shape{.grid = static_cast<unsigned>(tiles + 1),
                            .threads = update_threads,
                            .shared_bytes = shared_bytes_for<Products>(launch.network.rows)};
    launch_network_kernel(update_layers_kernel<Products>, "update_layers_kernel", shape, launch.stream,
                          arguments);
  });
}

}  // namespace breakeven
