// SPDX-License-Identifier: Apache-2.0
// The first kernel of a small network's step: 16 rows of the batch, gathered from the data set into
// registers, times the weights of a part of the first layer's units. The rows were drawn by the step before
// and the data set never changes, so all of them can be read before that step's last kernel is done; of what
// it has to wait for, only the weights are left.
#include <algorithm>

#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/first_layer_math.cuh"
#include "kernels/cuda/network/unit_factors.cuh"
#include "kernels/divided_up.h"
#include "kernels/sample_order.h"

namespace breakeven {
namespace {

constexpr int most_threads = most_first_inputs / 4;
constexpr int most_units_a_block = 64;

// The step that the rows in the notes were drawn for, plus one; 0 if they are not of this source.
__device__ std::uint32_t number_of_draw(const NetworkArguments& net) {
  const StepNotes& notes = *net.notes;
  const bool is_of_source = __ldcg(&notes.seed) == net.source.seed &&
                            __ldcg(&notes.global_batch) == net.source.global_batch &&
                            __ldcg(&notes.first_sample) == net.source.first_sample &&
                            __ldcg(&notes.samples) == static_cast<std::uint32_t>(net.source.features.rows);
  const std::uint32_t number = __ldcg(&notes.number);
  return is_of_source ? number : 0;
}

// The part of the first layer that a block computes.
struct FirstLayerBlock {
  const NetworkArguments& net;
  int first_row;
  int first_unit;
  int units;              // a multiple of 4
  std::uint32_t* sample;  // [first_rows]
  float* factors;         // [first_rows][units]
  float* bias;            // [units]
  float* sums;            // [warps][first_rows][units]

  __device__ const LayerArguments& layer() const { return net.layer[0]; }
  __device__ int rows() const { return min(first_rows, net.rows - first_row); }
  __device__ int row_of(int i) const { return first_row + min(i, rows() - 1); }

  __device__ void take_drawn_rows() const {
    const auto last = static_cast<std::uint32_t>(net.source.features.rows - 1);
    const int i = static_cast<int>(threadIdx.x);
    if (i < first_rows) sample[i] = min(__ldcg(&net.notes->sample[row_of(i)]), last);
  }
  __device__ void draw_rows(std::uint32_t step) const {
    const int i = static_cast<int>(threadIdx.x);
    if (i >= first_rows) return;
    const std::uint64_t position = std::uint64_t{step} * net.source.global_batch + net.source.first_sample +
                                   static_cast<std::uint64_t>(row_of(i));
    sample[i] = sample_at(net.source.seed, position, static_cast<std::uint32_t>(net.source.features.rows));
  }
  __device__ void draw_factors(std::uint32_t step) const {
    const int quads = units / 4;
    for (int i = static_cast<int>(threadIdx.x); i < first_rows * quads; i += static_cast<int>(blockDim.x)) {
      const int row = i / quads;
      const int col = i % quads * 4;
      store_quad(factors + row * units + col,
                 draw_unit_factors(net.mask, 0, step, first_row + row, first_unit + col));
    }
  }

  // The rows' targets, where the other kernels look for them.
  __device__ void ask_for_targets() const {
    const auto lines = static_cast<int>((net.source.targets.ld + 31) / 32);
    for (int i = static_cast<int>(threadIdx.x); i < rows() * lines; i += static_cast<int>(blockDim.x)) {
      const float* row = net.source.targets.floats() + sample[i / lines] * net.source.targets.ld;
      asm volatile("prefetch.global.L2 [%0];\n" ::"l"(row + i % lines * 32));
    }
  }
  __device__ void copy_targets() const {
    const int outs = static_cast<int>(net.source.targets.cols);
    for (int i = static_cast<int>(threadIdx.x); i < rows() * outs; i += static_cast<int>(blockDim.x)) {
      const int row = i / outs;
      const int col = i % outs;
      net.target[(first_row + row) * net.target_ld + col] =
          net.source.targets.floats()[sample[row] * net.source.targets.ld + col];
    }
  }

  __device__ void read_bias() const {
    for (int i = static_cast<int>(threadIdx.x); i < units; i += static_cast<int>(blockDim.x)) {
      const int unit = first_unit + i;
      bias[i] = unit < layer().out ? __ldcg(layer().bias.parameter + unit) : 0.0f;
    }
  }

  // Bias, ReLU and dropout of the sums over all warps.
  __device__ void finish() const {
    const int quads = units / 4;
    const int warps = static_cast<int>(blockDim.x) / 32;
    for (int i = static_cast<int>(threadIdx.x); i < rows() * quads; i += static_cast<int>(blockDim.x)) {
      const int row = i / quads;
      const int col = i % quads * 4;
      const int left = layer().out - first_unit - col;
      if (left <= 0) continue;
      Quad value = load_quad(bias + col);
      for (int warp = 0; warp < warps; ++warp) {
        const Quad part = load_quad(sums + (warp * first_rows + row) * units + col);
#pragma unroll
        for (int u = 0; u < 4; ++u) value.unit[u] += part.unit[u];
      }
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        value.unit[u] = activation_of(value.unit[u], factors[row * units + col + u]);
      }
      store_quad(layer().output + (first_row + row) * layer().out_ld + first_unit + col, left, true, value);
    }
  }
};

// Grid: groups of units by groups of rows.
template <typename Math>
__global__ __launch_bounds__(most_threads) void first_layer_kernel(
    const __grid_constant__ NetworkArguments net, int units_a_block) {
  extern __shared__ __align__(16) float shared[];
  __shared__ std::uint32_t sample[first_rows];
  const FirstLayerBlock block{net,
                              static_cast<int>(blockIdx.y) * first_rows,
                              static_cast<int>(blockIdx.x) * units_a_block,
                              units_a_block,
                              sample,
                              shared,
                              shared + first_rows * units_a_block,
                              shared + (first_rows + 1) * units_a_block};
  const LayerArguments& layer = net.layer[0];
  const InputQuads inputs{layer.in_ld / 4, layer.in_ld};
  const float* samples = net.source.features.floats();
  const bool copies_targets = blockIdx.x + 1 == gridDim.x;
  Math math;

  const std::uint32_t drawn = number_of_draw(net);
  block.take_drawn_rows();
  __syncthreads();
  math.read_rows(samples, sample, inputs);
  if (copies_targets) block.ask_for_targets();
  block.draw_factors(drawn - 1);

  start_after_predecessor();
  const std::uint32_t step = __ldcg(&net.state->step);
  const auto read_weights = [&](int unit) {
    return Math::read_weights(layer.weight.parameter, block.first_unit + unit, layer.out, inputs);
  };
  typename Math::Weights weights = read_weights(0);
  block.read_bias();
  if (drawn !=
      step + 1) {  // for all threads of all blocks: the first step, or one after steps of another kind
    __syncthreads();
    block.draw_rows(step);
    block.draw_factors(step);
    __syncthreads();
    math.read_rows(samples, sample, inputs);
  }
  if (blockIdx.x == 0)
    math.store_rows(layer.input + std::int64_t{block.first_row} * layer.in_ld, block.rows(), inputs);
  if (copies_targets) block.copy_targets();
  math.prepare();
  float* const sums = block.sums + static_cast<int>(threadIdx.x) / 32 * first_rows * units_a_block;
#pragma unroll 1
  for (int unit = 0; unit < units_a_block; unit += Math::units) {
    typename Math::Weights next{};
    if (unit + Math::units < units_a_block) next = read_weights(unit + Math::units);
    math.multiply(weights, sums + unit, units_a_block);
    weights = next;
  }
  __syncthreads();
  block.finish();
}

template <typename Math>
void launch(const NetworkLaunch& launch) {
  const NetworkArguments& net = launch.network;
  const LayerArguments& layer = net.layer[0];
  // The multiprocessors of the next kernel are left to it: it brings its weights meanwhile.
  const int free = std::max(launch.multiprocessors - launch.later.blocks - 1, launch.multiprocessors / 2);
  const int row_groups = divided_up(net.rows, first_rows);
  const int unit_groups = std::max(free / row_groups, 1);
  constexpr int multiple = std::max(4, Math::units);
  const int units =
      std::min(divided_up(divided_up(layer.out, unit_groups), multiple) * multiple, most_units_a_block);
  const int warps = divided_up(layer.in_ld, 4 * first_warp_quads);
  const std::size_t shared_bytes =
      sizeof(float) * static_cast<std::size_t>(((warps + 1) * first_rows + 1) * units);
  const dim3 grid(static_cast<unsigned>(divided_up(layer.out, units)), static_cast<unsigned>(row_groups));
  launch_network_kernel(first_layer_kernel<Math>, "first_layer_kernel", grid, 32 * warps, shared_bytes,
                        launch.stream, net, units);
}

}  // namespace

void launch_first_layer(const NetworkLaunch& to_launch) {
  to_launch.is_tf32 ? launch<FirstLayerTf32>(to_launch) : launch<FirstLayerFp32>(to_launch);
}

}  // namespace breakeven
