// SPDX-License-Identifier: Apache-2.0
// The first kernel of a small network's step: multiplies 16 rows of the batch, gathered from the data set
// into registers, with the weights of some of the first layer's units. The previous step drew the rows and
// the data set never changes, so rows are read before that step's last kernel is done. Only the weights have
// to wait.
#include <algorithm>

#include "kernels/cuda/launch_order.cuh"
#include "kernels/cuda/network/draw_ahead.cuh"
#include "kernels/cuda/network/first_layer_math.cuh"
#include "kernels/cuda/network/unit_factors.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

constexpr int most_units_a_block = 64;
// Leaves one block per multiprocessor, and registers for a block of the next kernel, which starts early.
constexpr int most_registers = 144;

// The step for which the rows in the notes were drawn, plus one; 0 if they are not of this source. By one
// thread.
__device__ std::uint32_t number_of_draw(const NetworkArguments& net) {
  const StepNotes& notes = *net.notes;
  const std::uint64_t seed = __ldcg(&notes.seed);
  const std::uint32_t number = __ldcg(&notes.number);
  const std::uint32_t global_batch = __ldcg(&notes.global_batch);
  const std::uint32_t first_sample = __ldcg(&notes.first_sample);
  const std::uint32_t samples = __ldcg(&notes.samples);
  const bool is_of_source = seed == net.source.seed && global_batch == net.source.global_batch &&
                            first_sample == net.source.first_sample &&
                            samples == static_cast<std::uint32_t>(net.source.features.rows);
  return is_of_source ? number : 0;
}

// The rows of a block, and their step.
struct FirstLayerRows {
  std::uint32_t sample[first_rows];
  std::uint32_t step;
};

// The part of the first layer that a block computes.
struct FirstLayerBlock {
  const NetworkArguments& net;
  int first_row;
  int first_unit;
  int units;  // a multiple of 4
  FirstLayerRows& of;
  float* factors;  // [first_rows][units]
  float* bias;     // [units]
  float* sums;     // [warps][first_rows][units]

  __device__ const LayerArguments& layer() const { return net.layer[0]; }
  __device__ int rows() const { return min(first_rows, net.rows - first_row); }
  __device__ int row_of(int i) const { return first_row + min(i, rows() - 1); }

  // The rows that the previous step has drawn, almost always this step's.
  __device__ void take_drawn_rows() const {
    const auto last = static_cast<std::uint32_t>(net.source.features.rows - 1);
    const auto i = threadIdx.x;
    if (i < first_rows) of.sample[i] = min(__ldcg(&net.notes->sample[row_of(static_cast<int>(i))]), last);
    if (i == blockDim.x - 1) of.step = number_of_draw(net) - 1;
  }
  __device__ void draw_rows(std::uint32_t step) const {
    const int i = static_cast<int>(threadIdx.x);
    if (i < first_rows) of.sample[i] = draw_sample(net.source, step, row_of(i));
    if (i == 0) of.step = step;
  }
  __device__ void draw_factors() const {
    const int quads = units / 4;
    for (int i = static_cast<int>(threadIdx.x); i < first_rows * quads; i += static_cast<int>(blockDim.x)) {
      const int row = i / quads;
      const int col = i % quads * 4;
      store_quad(factors + row * units + col,
                 draw_unit_factors(net.mask, 0, of.step, first_row + row, first_unit + col));
    }
  }

  // The rows, rounded as operands, and their targets are stored for the other kernels. Each block copies its
  // share; a thread copies quads of a row.
  __device__ Quad read_quad_of_row(int row) const {
    const int at = 4 * static_cast<int>(threadIdx.x);
    if (row >= rows() || at >= layer().in_ld) return {};
    return load_quad(net.source.features.floats() + of.sample[row] * net.source.features.ld + at);
  }
  template <typename Operands>
  __device__ void put_quad_of_row(int row, const Quad& quad) const {
    using Stored = typename Operands::Stored;
    const int at = 4 * static_cast<int>(threadIdx.x);
    if (row >= rows() || at >= layer().in_ld) return;
    store_quad(static_cast<Stored*>(layer().input) + std::int64_t{first_row + row} * layer().in_ld + at,
               rounded<Operands>(quad));
  }
  template <typename Operands>
  __device__ void copy_rows_from(int row) const {
    for (; row < rows(); row += static_cast<int>(gridDim.x))
      put_quad_of_row<Operands>(row, read_quad_of_row(row));
  }
  // Nobody reads those of the step before any more: its second kernel is done.
  __device__ void copy_targets() const {
    for (int row = static_cast<int>(blockIdx.x); row < rows(); row += static_cast<int>(gridDim.x)) {
      const float* const from = net.source.targets.floats() + of.sample[row] * net.source.targets.ld;
      for (int at = 4 * static_cast<int>(threadIdx.x); at < net.target_ld;
           at += 4 * static_cast<int>(blockDim.x)) {
        put_quad(net.target + (first_row + row) * net.target_ld + at, load_quad(from + at));
      }
    }
  }

  __device__ void read_bias() const {
    for (int i = static_cast<int>(threadIdx.x); i < units; i += static_cast<int>(blockDim.x)) {
      const int unit = first_unit + i;
      bias[i] = unit < layer().out ? __ldcg(layer().bias.parameter + unit) : 0.0f;
    }
  }

  // Bias, ReLU and dropout of the sums over all warps. Stored rounded, because readers only multiply it.
  template <typename Operands>
  __device__ void finish() const {
    auto* const output = static_cast<typename Operands::Stored*>(layer().output);
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
      store_quad(output + (first_row + row) * layer().out_ld + first_unit + col, left, true,
                 rounded<Operands>(value));
      if constexpr (scales_loss<Operands>) {
        if (!stays_finite<typename Operands::Stored>(value)) note_overflow(net);
      }
    }
  }
};

// This warp's part of the block's sums, over its inputs. The next weights are loaded meanwhile.
template <typename Math>
__device__ void multiply_units(const FirstLayerBlock& block, const InputQuads& inputs, const Math& math,
                               typename Math::Weights weights) {
  float* const sums = block.sums + static_cast<int>(threadIdx.x) / 32 * first_rows * block.units;
  const LayerArguments& layer = block.layer();
#pragma unroll 1
  for (int unit = 0; unit < block.units; unit += Math::units) {
    typename Math::Weights next{};
    if (unit + Math::units < block.units) {
      next = Math::read_weights(weights_of<typename Math::Operands>(layer),
                                block.first_unit + unit + Math::units, layer.out, inputs);
    }
    math.multiply(weights, sums + unit, block.units);
    weights = next;
  }
}

// Grid: groups of units by groups of rows. Computes with the rows drawn ahead before it knows whether they
// are this step's. They are not in the first step, or after steps of another kind; then it computes again.
template <typename Math>
__global__ __maxnreg__(most_registers) void first_layer_kernel(const __grid_constant__ NetworkArguments net,
                                                               int units_a_block) {
  using Operands = typename Math::Operands;
  extern __shared__ __align__(16) float shared[];
  __shared__ FirstLayerRows of;
  const FirstLayerBlock block{net,
                              static_cast<int>(blockIdx.y) * first_rows,
                              static_cast<int>(blockIdx.x) * units_a_block,
                              units_a_block,
                              of,
                              shared,
                              shared + first_rows * units_a_block,
                              shared + (first_rows + 1) * units_a_block};
  const InputQuads inputs{net.layer[0].in_ld / 4, net.layer[0].in_ld};
  const int share = static_cast<int>(blockIdx.x);
  block.take_drawn_rows();
  for (bool is_anew = false;; is_anew = true) {
    __syncthreads();
    Math math;
    math.read_rows(net.source.features.floats(), of.sample, inputs);
    const Quad of_share = block.read_quad_of_row(share);
    block.copy_targets();
    block.draw_factors();
    math.prepare();
    if (!is_anew) start_after_predecessor();
    const auto weights =
        Math::read_weights(weights_of<Operands>(net.layer[0]), block.first_unit, net.layer[0].out, inputs);
    const std::uint32_t step = threadIdx.x == 0 ? __ldcg(&net.state->step) : of.step;
    block.read_bias();
    block.put_quad_of_row<Operands>(share, of_share);
    multiply_units(block, inputs, math, weights);
    if (__syncthreads_or(step != of.step) == 0) break;
    block.draw_rows(__ldcg(&net.state->step));
  }
  block.finish<Operands>();
  block.copy_rows_from<Operands>(share + static_cast<int>(gridDim.x));
}

template <typename Math>
void launch(const NetworkLaunch& launch) {
  const NetworkArguments& net = launch.network;
  const LayerArguments& layer = net.layer[0];
  const int row_groups = ceil_div(net.rows, first_rows);
  const int unit_groups = std::max(launch.multiprocessors / row_groups, 1);
  constexpr int multiple = std::max(4, Math::units);
  const int units =
      std::min(ceil_div(ceil_div(layer.out, unit_groups), multiple) * multiple, most_units_a_block);
  const int warps = ceil_div(layer.in_ld, 4 * first_warp_quads);
  const std::size_t shared_bytes =
      sizeof(float) * static_cast<std::size_t>(((warps + 1) * first_rows + 1) * units);
  const dim3 grid(static_cast<unsigned>(ceil_div(layer.out, units)), static_cast<unsigned>(row_groups));
  const KernelShape shape{.grid = grid, .threads = 32 * warps, .shared_bytes = shared_bytes};
  launch_network_kernel(first_layer_kernel<Math>, "first_layer_kernel", shape, launch.stream, net, units);
}

}  // namespace

void launch_first_layer(const NetworkLaunch& to_launch) {
  with_operands(to_launch.precision,
                [&](auto operands) { launch<typename FirstLayerOf<decltype(operands)>::Math>(to_launch); });
}

}  // namespace breakeven
