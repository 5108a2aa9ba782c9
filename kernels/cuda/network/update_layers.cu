// SPDX-License-Identifier: Apache-2.0
// The third kernel of a small network's step: the gradients of all weights and biases, and Adam's update with
// them. A block has 32 x 64 weights, whose moments it reads while the second kernel still runs; of what it
// has to wait for, only the gradients of the layer's output (and inputs that the second kernel made) are
// left. One block more adds up the loss and ends the step.
#include <algorithm>

#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/clock.cuh"
#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/reduction.cuh"
#include "kernels/divided_up.h"

namespace breakeven {
namespace {

constexpr int BM = 32, BN = 64;  // units and inputs of a block
constexpr int TM = 4, TN = 4;    // of a thread
constexpr int threads = BM / TM * (BN / TN);
constexpr int most_rows_at_once = 128;  // of the batch, in shared memory

// Which part of which layer a block has.
struct UpdateTiles {
  int first[most_layers + 1];  // the number of each layer's first tile
  int across[most_layers];     // tiles in a row of W
};

struct UpdateArguments {
  NetworkArguments network;
  UpdateTiles tiles;
};

template <bool is_tf32>
class UpdateTile {
 public:
  __device__ UpdateTile(const NetworkArguments& net, int layer_number, int first_unit, int first_input,
                        float* shared)
      : net_(net),
        layer_(net.layer[layer_number]),
        input_is_early_(layer_number <= 1),  // the first kernel's, which is done
        first_unit_(first_unit),
        first_input_(first_input),
        gradients_(shared),
        inputs_(shared + min(net.rows, most_rows_at_once) * BM) {}

  __device__ void run() {
    read_parameters();
    if (input_is_early_) fetch_inputs(0);
    start_after_predecessor();
    const AdamFactors factors = read_factors();
    for (int row = 0; row < net_.rows; row += most_rows_at_once) {
      if (row > 0) __syncthreads();  // the rows before are read
      if (row > 0 || !input_is_early_) fetch_inputs(row);
      fetch(layer_.output_gradient, layer_.out_ld, first_unit_, row, BM, gradients_);
      commit_copies();
      wait_for_all_but<0>();
      add_rows(min(net_.rows - row, most_rows_at_once));
    }
    update_weights(factors);
    if (has_bias_) update_bias(factors);
  }

 private:
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ int unit(int i) const { return first_unit_ + thread() / (BN / TN) * TM + i; }
  __device__ int input() const { return first_input_ + thread() % (BN / TN) * TN; }
  __device__ bool has(int i) const { return unit(i) < layer_.out && input() < layer_.in; }
  __device__ std::int64_t place(int i) const { return std::int64_t{unit(i)} * layer_.in_ld + input(); }

  __device__ void read_parameters() {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      if (!has(i)) continue;
      parameter_[i] = load_changed_quad(layer_.weight.parameter + place(i));
      first_moment_[i] = load_changed_quad(layer_.weight.first_moment + place(i));
      second_moment_[i] = load_changed_quad(layer_.weight.second_moment + place(i));
    }
    has_bias_ = first_input_ == 0 && thread() < BM && first_unit_ + thread() < layer_.out;
    if (!has_bias_) return;
    bias_ = __ldcg(layer_.bias.parameter + first_unit_ + thread());
    bias_first_moment_ = __ldcg(layer_.bias.first_moment + first_unit_ + thread());
    bias_second_moment_ = __ldcg(layer_.bias.second_moment + first_unit_ + thread());
  }
  // By all threads at once from the L2 cache: the second kernel wrote them.
  __device__ AdamFactors read_factors() const {
    const AdamFactors& at = net_.notes->factors;
    return {__ldcg(&at.beta1), __ldcg(&at.fresh1),     __ldcg(&at.beta2),  __ldcg(&at.fresh2),
            __ldcg(&at.rate),  __ldcg(&at.root_scale), __ldcg(&at.epsilon)};
  }

  // Columns [col, col + width) of the rows from `row` on.
  __device__ void fetch(const float* from, int ld, int col, int row, int width, float* to) const {
    const int rows = min(net_.rows - row, most_rows_at_once);
    const int quads = width / 4;
    for (int i = thread(); i < rows * quads; i += threads) {
      const int at = col + i % quads * 4;
      const bool inside = at < ld;  // a whole quad then
      copy_part_of_chunk(shared_address(to + 4 * i), from + (row + i / quads) * ld + (inside ? at : 0),
                         inside ? chunk_bytes : 0);
    }
  }
  __device__ void fetch_inputs(int row) const {
    fetch(layer_.input, layer_.in_ld, first_input_, row, BN, inputs_);
  }

  // Rounds what this thread has brought, of `count` quads in all.
  __device__ static void round_own(float* tile, int count) {
    for (int i = thread(); i < count; i += threads) {
      Quad quad = load_quad(tile + 4 * i);
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        quad.unit[u] = __uint_as_float(round_to_tf32(__float_as_uint(quad.unit[u])));
      }
      store_quad(tile + 4 * i, quad);
    }
  }

  __device__ void add_rows(int rows) {
    if (first_input_ == 0) {  // a bias has the gradients as they are, before any are rounded
      __syncthreads();
      if (has_bias_) {
#pragma unroll 8
        for (int k = 0; k < rows; ++k) bias_gradient_ += gradients_[k * BM + thread()];
      }
      if constexpr (is_tf32) __syncthreads();
    }
    if constexpr (is_tf32) {
      round_own(gradients_, rows * BM / 4);
      round_own(inputs_, rows * BN / 4);
    }
    __syncthreads();
    const float* dy = gradients_ + thread() / (BN / TN) * TM;
    const float* x = inputs_ + thread() % (BN / TN) * TN;
#pragma unroll 8
    for (int k = 0; k < rows; ++k) {
      const Quad a = load_quad(dy + k * BM);
      const Quad b = load_quad(x + k * BN);
#pragma unroll
      for (int i = 0; i < TM; ++i) {
#pragma unroll
        for (int j = 0; j < TN; ++j) sum_[i].unit[j] += a.unit[i] * b.unit[j];
      }
    }
  }

  __device__ void update_weights(const AdamFactors& factors) {
#pragma unroll
    for (int i = 0; i < TM; ++i) {
      if (!has(i)) continue;
#pragma unroll
      for (int j = 0; j < TN; ++j) {
        if (input() + j >= layer_.in) sum_[i].unit[j] = 0;  // padding stays zero whatever the gradients are
      }
      if (layer_.weight_gradient != nullptr) store_quad(layer_.weight_gradient + place(i), sum_[i]);
      adam_update(factors, sum_[i], parameter_[i], first_moment_[i], second_moment_[i]);
      store_quad(layer_.weight.parameter + place(i), parameter_[i]);
      store_quad(layer_.weight.first_moment + place(i), first_moment_[i]);
      store_quad(layer_.weight.second_moment + place(i), second_moment_[i]);
    }
  }
  __device__ void update_bias(const AdamFactors& factors) {
    const int at = first_unit_ + thread();
    if (layer_.bias_gradient != nullptr) layer_.bias_gradient[at] = bias_gradient_;
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
  float* gradients_;  // [rows][BM]
  float* inputs_;     // [rows][BN]
  Quad parameter_[TM], first_moment_[TM], second_moment_[TM];
  Quad sum_[TM] = {};
  bool has_bias_ = false;
  float bias_ = 0, bias_first_moment_ = 0, bias_second_moment_ = 0, bias_gradient_ = 0;
};

// By one warp. All other readers of the state have ended, or take what they need of it from the notes.
__device__ void end_step(const NetworkArguments& net) {
  start_after_predecessor();
  double sum = 0;
  for (int i = static_cast<int>(threadIdx.x); i < net.loss_part_count; i += 32)
    sum += __ldcg(net.loss_parts + i);
  sum = warp_reduce(sum, Add{});
  if (threadIdx.x != 0) return;
  StepState& state = *net.state;
  net.losses[state.step % net.loss_slots] = static_cast<float>(sum * net.loss_scale);
  if (net.step_ends != nullptr) net.step_ends[state.step % net.loss_slots] = nanoseconds();
  advance(state, net.adam.beta1, net.adam.beta2);
}

template <bool is_tf32>
__global__ __launch_bounds__(threads) void update_layers_kernel(
    const __grid_constant__ UpdateArguments arguments) {
  extern __shared__ __align__(16) float shared[];
  const NetworkArguments& net = arguments.network;
  const UpdateTiles& tiles = arguments.tiles;
  const int tile = static_cast<int>(blockIdx.x);
  if (tile == tiles.first[net.layers]) {
    if (threadIdx.x < 32) end_step(net);
    return;
  }
  int l = 0;
  while (tile >= tiles.first[l + 1]) ++l;
  const int in_layer = tile - tiles.first[l];
  UpdateTile<is_tf32>(net, l, in_layer / tiles.across[l] * BM, in_layer % tiles.across[l] * BN, shared).run();
}

}  // namespace

void launch_update_layers(const NetworkLaunch& launch) {
  UpdateArguments arguments{launch.network, {}};
  for (int l = 0; l < launch.network.layers; ++l) {
    const LayerArguments& layer = launch.network.layer[l];
    arguments.tiles.across[l] = divided_up(layer.in, BN);
    arguments.tiles.first[l + 1] =
        arguments.tiles.first[l] + divided_up(layer.out, BM) * arguments.tiles.across[l];
  }
  const int tiles = arguments.tiles.first[launch.network.layers];
  const int rows = std::min(launch.network.rows, most_rows_at_once);
  const std::size_t shared_bytes = sizeof(float) * static_cast<std::size_t>(rows * (BM + BN));
  const auto kernel = launch.is_tf32 ? update_layers_kernel<true> : update_layers_kernel<false>;
  launch_network_kernel(kernel, "update_layers_kernel", static_cast<unsigned>(tiles + 1), threads,
                        shared_bytes, launch.stream, arguments);
}

}  // namespace breakeven
