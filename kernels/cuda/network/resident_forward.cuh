// SPDX-License-Identifier: Apache-2.0
// The resident network's forward pass. In the first, long layer all warps share the inputs, and their sums
// are added in shared memory. In later layers the lanes of a warp share the inputs.
#pragma once

#include "kernels/cuda/network/resident_outputs.cuh"
#include "kernels/cuda/network/unit_factors.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {

// Finishes an output whose sum is complete.
__device__ inline void put_activation(const ResidentBlock& block, const WarpOutputs& own, int output,
                                      float sum) {
  const int at = own.first + output;
  const float value = sum + read_float(block.address_of(own.place.bias_at + own.unit_of(output)));
  const float factor = read_float(block.address_of(own.place.factors_at + at));
  put_float(block.address_of(own.place.outputs_at + at), activation_of(value, factor));
}

// For the output layer: stores the error, and returns its square.
__device__ inline double put_error(const ResidentBlock& block, const WarpOutputs& own, int output, float sum,
                                   int step) {
  const NetworkArguments& net = block.net();
  const int l = net.layers - 1;
  const int at = own.first + output;
  const int row = rows_a_warp * block.warp() + own.row_of(output);
  const float value = sum + read_float(block.address_of(own.place.bias_at + own.unit_of(output)));
  const float target = read_float(block.address_of(block.targets_at(step) + at));
  const bool exists = row < net.rows && block.first_unit(l) + own.unit_of(output) < block.layer(l).out;
  const float difference = exists ? value - target : 0.0f;
  put_float(block.address_of(own.place.outputs_at + at), net.gradient_scale * difference);
  return static_cast<double>(difference) * difference;
}

// Sends the warp's rows of hidden layer l to all blocks. Neighbouring lanes send neighbouring quads.
__device__ inline void send_values(const ResidentBlock& block, int l) {
  const WarpOutputs own(block.place(l));
  const ResidentLayer& next = block.place(l + 1);
  const int lanes_log2 = own.place.width_log2 + 1;
  const int output = 4 * (block.lane() & ((1 << lanes_log2) - 1));
  __syncwarp();
  if (output >= own.count) return;
  const Quad values = read_quad(block.address_of(own.place.outputs_at + own.first + output));
  const int row = rows_a_warp * block.warp() + own.row_of(output);
  const std::uint32_t to =
      block.address_of(next.input_at + row * next.stride + block.first_unit(l) + own.unit_of(output));
  const std::uint32_t barrier = shared_address(&block.shared.values_arrived[l + 1]);
#pragma unroll 2
  for (int other = block.lane() >> lanes_log2; other < resident_blocks; other += 32 >> lanes_log2) {
    send(address_in_block(to, other), values, address_in_block(barrier, other));
  }
}

// sum.unit[j] += value . weight[j]
__device__ inline void add_products(const Quad& value, const Quad (&weight)[4], Quad& sum) {
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum.unit[j] += value.unit[k] * weight[j].unit[k];
  }
}

// The first layer: a thread has one quad of units, eight rows and one slice of the inputs. It loads the next
// operands while it multiplies.
__device__ inline void multiply_first_layer(const ResidentBlock& block, int step) {
  constexpr int rows = resident_rows / 2;
  const ResidentLayer& place = block.place(0);
  const int quads_of_units = place.units / 4;
  const int lane = block.thread() & ((1 << place.lanes_log2) - 1);
  const int slice = block.thread() >> place.lanes_log2;
  const int group = (lane & 1) | (lane >> 2 << 1);
  const int row = lane >> 1 & 1;
  if (group >= quads_of_units || slice >= place.slices) return;
  std::uint32_t w = block.address_of(place.weight_at + group * place.stride + 4 * slice);
  std::uint32_t x = block.address_of(block.rows_at(step) + row * place.stride + 4 * slice);
  const int w_bytes = quads_of_units * place.stride * float_bytes;
  const int x_bytes = 2 * place.stride * float_bytes;
  const int slice_bytes = 4 * place.slices * float_bytes;
  Quad sum[rows] = {};
  Quad weight[4];
#pragma unroll
  for (int j = 0; j < 4; ++j) weight[j] = read_quad(w + j * w_bytes);
#pragma unroll 1
  for (int left = block.layer(0).in_ld - 4 * slice; left > 0; left -= 4 * place.slices) {
    Quad value[2] = {read_quad(x), read_quad(x + x_bytes)};
    Quad next_weight[4];
    w += slice_bytes;
#pragma unroll
    for (int i = 0; i < rows; i += 2) {
      Quad next[2];
      if (i + 2 < rows) {
        next[0] = read_quad(x + (i + 2) * x_bytes);
        next[1] = read_quad(x + (i + 3) * x_bytes);
      } else {  // after the last slice it reads data that are not used
#pragma unroll
        for (int j = 0; j < 4; ++j) next_weight[j] = read_quad(w + j * w_bytes);
      }
      add_products(value[0], weight, sum[i]);
      add_products(value[1], weight, sum[i + 1]);
      value[0] = next[0];
      value[1] = next[1];
    }
#pragma unroll
    for (int j = 0; j < 4; ++j) weight[j] = next_weight[j];
    x += slice_bytes;
  }
  const std::uint32_t to =
      block.address_of(block.sums_at(step) + (slice * resident_rows + row) * place.units + 4 * group);
#pragma unroll
  for (int i = 0; i < rows; ++i) put_quad(to + 2 * i * place.units * float_bytes, sum[i]);
}

__device__ inline void finish_first_layer(const ResidentBlock& block, int step) {
  const WarpOutputs own(block.place(0));
  const int bytes = resident_rows * own.place.units * float_bytes;
  for (int output = block.lane(); output < own.count; output += 32) {
    const std::uint32_t sums = block.address_of(block.sums_at(step) + own.first + output);
    put_activation(block, own, output, add_split_sums(sums, own.place.slices, bytes));
  }
  send_values(block, 0);
}

// Sums value[o] over all lanes; a lane gets the sum for o, the upper bits of its index. Each step exchanges
// half of the remaining values, or adds if only one is left.
template <int left, int distance, int count>
__device__ float sum_over_lanes(float (&value)[count]) {
  if constexpr (distance == 0) {
    return value[0];
  } else if constexpr (left == 1) {
    value[0] += __shfl_xor_sync(0xFFFFFFFFu, value[0], distance);
    return sum_over_lanes<1, distance / 2>(value);
  } else {
    const bool upper = (threadIdx.x & distance) != 0;
#pragma unroll
    for (int i = 0; i < left / 2; ++i) {
      const float given = upper ? value[i] : value[i + left / 2];
      const float kept = upper ? value[i + left / 2] : value[i];
      value[i] = kept + __shfl_xor_sync(0xFFFFFFFFu, given, distance);
    }
    return sum_over_lanes<left / 2, distance / 2>(value);
  }
}

// A later layer: `groups` quads of units from index `group` on, for the warp's rows. Every lane gets the sum
// of one output; if there are more lanes than outputs, neighbours get the same.
template <int groups>
__device__ float multiply_values(const ResidentBlock& block, int l, int group) {
  const ResidentLayer& place = block.place(l);
  const int offset = 4 * block.lane();
  std::uint32_t w = block.address_of(place.weight_at + group * place.stride + offset);
  std::uint32_t x = block.address_of(place.input_at + rows_a_warp * block.warp() * place.stride + offset);
  const int row_bytes = place.stride * float_bytes;
  const int unit_bytes = place.units / 4 * row_bytes;
  float sum[rows_a_warp * 4 * groups] = {};  // [row][unit]
#pragma unroll 1
  for (int left = block.layer(l).in_ld - offset; left > 0; left -= 4 * 32) {
    const Quad value[rows_a_warp] = {read_quad(x), read_quad(x + row_bytes)};
    Quad weight[4 * groups];
#pragma unroll
    for (int u = 0; u < 4 * groups; ++u) weight[u] = read_quad(w + u % 4 * unit_bytes + u / 4 * row_bytes);
#pragma unroll
    for (int r = 0; r < rows_a_warp; ++r) {
#pragma unroll
      for (int u = 0; u < 4 * groups; ++u) {
#pragma unroll
        for (int k = 0; k < 4; ++k) sum[r * 4 * groups + u] += value[r].unit[k] * weight[u].unit[k];
      }
    }
    w += 32 * sizeof(Quad);
    x += 32 * sizeof(Quad);
  }
  return sum_over_lanes<rows_a_warp * 4 * groups, 16>(sum);
}

__device__ inline void make_later_layer(const ResidentBlock& block, int l, int step) {
  const WarpOutputs own(block.place(l));
  const bool is_last = l + 1 == block.net().layers;
  const int lane = block.lane();
  const int row_at = lane / 16 * own.place.units;
  double squares = 0;
  const auto finish = [&](int output, float sum) {
    if (is_last) {
      squares += put_error(block, own, output, sum, step);
    } else {
      put_activation(block, own, output, sum);
    }
  };
  int unit = 0;
#pragma unroll 1
  for (; unit + 8 <= own.place.units; unit += 8) {
    const float sum = multiply_values<2>(block, l, unit / 4);
    if (lane % 2 == 0) finish(row_at + unit + lane / 2 % 8, sum);
  }
  if (unit < own.place.units) {
    const float sum = multiply_values<1>(block, l, unit / 4);
    if (lane % 4 == 0) finish(row_at + unit + lane / 4 % 4, sum);
  }
  if (!is_last) return send_values(block, l);
  squares = warp_reduce(squares, Add{});
  if (lane == 0) block.shared.squares[block.warp()] = squares;
}

}  // namespace breakeven
