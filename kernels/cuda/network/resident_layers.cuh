// SPDX-License-Identifier: Apache-2.0
// The resident network's way forward and back through its layers, each with its exchange between the blocks.
//
// A product's sums are first made in parts: forward over slices of the inputs, by threads; backward over the
// units of each block. Then a warp adds the parts of one row of the batch, in their order but for a tree over
// lanes, and finishes it.
#pragma once

#include "kernels/cuda/network/resident_exchange.cuh"
#include "kernels/cuda/network/unit_factors.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {

__device__ inline void add(const Quad& value, Quad& sum) {
#pragma unroll
  for (int i = 0; i < 4; ++i) sum.unit[i] += value.unit[i];
}

// sum.unit[j] += value . weight[j]
__device__ inline void add_products(const Quad& value, const Quad (&weight)[4], Quad& sum) {
#pragma unroll
  for (int j = 0; j < 4; ++j) {
#pragma unroll
    for (int k = 0; k < 4; ++k) sum.unit[j] += value.unit[k] * weight[j].unit[k];
  }
}

// Forward: a thread has one quad of units, eight rows, and one slice of the inputs.
__device__ inline void multiply_values(const ResidentBlock& block, int l, int step) {
  constexpr int rows = resident_rows / 2;
  const ResidentLayer& place = block.place(l);
  const int quads_of_units = place.units / 4;
  const int lane = block.thread() & ((1 << place.lanes_log2) - 1);
  const int slice = block.thread() >> place.lanes_log2;
  const int group = (lane & 1) | (lane >> 2 << 1);
  const int row = lane >> 1 & 1;
  if (group >= quads_of_units || slice >= place.slices) return;
  std::uint32_t w = block.address_of(place.weight_at + group * place.stride + 4 * slice);
  std::uint32_t x = block.address_of(block.input_at(l, step) + row * place.stride + 4 * slice);
  const int w_bytes = quads_of_units * place.stride * float_bytes;
  const int x_bytes = 2 * place.stride * float_bytes;
  const int in = block.layer(l).in_ld;
  Quad sum[rows] = {};
#pragma unroll 1
  for (int k = 4 * slice; k < in; k += 4 * place.slices) {
    Quad weight[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) weight[j] = read_quad(w + j * w_bytes);
#pragma unroll
    for (int i = 0; i < rows; i += 2) {
      const Quad values[2] = {read_quad(x + i * x_bytes), read_quad(x + (i + 1) * x_bytes)};
      add_products(values[0], weight, sum[i]);
      add_products(values[1], weight, sum[i + 1]);
    }
    w += 4 * place.slices * float_bytes;
    x += 4 * place.slices * float_bytes;
  }
  const std::uint32_t to =
      block.address_of(block.sums_at(step) + (slice * resident_rows + row) * place.units + 4 * group);
#pragma unroll
  for (int i = 0; i < rows; ++i) put_quad(to + 2 * i * place.units * float_bytes, sum[i]);
}

// Sixteen lanes finish a row of the batch: a lane has a quad of units, whose sum it shares with some others.
struct RowPart {
  static constexpr int lanes_log2 = 4;
  int row;
  int group;
  int sharer;
  int sharers;
  bool inside;

  __device__ RowPart(const ResidentLayer& place)
      : row(ResidentBlock::thread() >> lanes_log2),
        group(ResidentBlock::thread() & ((1 << place.width_log2) - 1)),
        sharer((ResidentBlock::thread() & ((1 << lanes_log2) - 1)) >> place.width_log2),
        sharers(1 << (lanes_log2 - place.width_log2)),
        inside(4 * group < place.units) {}
  __device__ int at(const ResidentLayer& place) const { return row * place.units + 4 * group; }
};

// The sum of [count][rows][units] at a place, over the first; all lanes of a quad get it.
__device__ inline Quad add_parts(const ResidentBlock& block, int parts_at, int count,
                                 const ResidentLayer& place, const RowPart& own) {
  constexpr int at_once = 4;
  const int end = own.inside ? count : 0;
  const int bytes = resident_rows * place.units * float_bytes;
  const std::uint32_t from = block.address_of(parts_at + own.at(place));
  Quad sum{};
#pragma unroll 1
  for (int part = own.sharer; part < end; part += at_once * own.sharers) {
    Quad other[at_once] = {};
#pragma unroll
    for (int i = 0; i < at_once; ++i) {
      const int number = part + i * own.sharers;
      if (number < end) other[i] = read_quad(from + number * bytes);
    }
#pragma unroll
    for (int i = 0; i < at_once; ++i) add(other[i], sum);
  }
#pragma unroll
  for (int distance = 1 << RowPart::lanes_log2 >> 1; distance > 0; distance /= 2) {
    if (distance < 1 << place.width_log2) break;
#pragma unroll
    for (int i = 0; i < 4; ++i) sum.unit[i] += __shfl_xor_sync(0xFFFFFFFFu, sum.unit[i], distance);
  }
  return sum;
}

__device__ inline Quad add_layer_sums(const ResidentBlock& block, int l, int step, const RowPart& own) {
  const ResidentLayer& place = block.place(l);
  Quad sum = add_parts(block, block.sums_at(step), place.slices, place, own);
  if (own.inside) add(read_quad(block.address_of(place.bias_at + 4 * own.group)), sum);
  return sum;
}

// Hidden layers: the values go to all blocks.
__device__ inline void finish_values(const ResidentBlock& block, int l, int step) {
  const ResidentLayer& place = block.place(l);
  const RowPart own(place);
  Quad value = add_layer_sums(block, l, step, own);
  if (!own.inside) return;
  const Quad factors = read_quad(block.address_of(place.factors_at + own.at(place)));
#pragma unroll
  for (int i = 0; i < 4; ++i) value.unit[i] = activation_of(value.unit[i], factors.unit[i]);
  const ResidentLayer& next = block.place(l + 1);
  const std::uint32_t to =
      block.address_of(next.input_at + own.row * next.stride + block.first_unit(l) + 4 * own.group);
  const std::uint32_t barrier = shared_address(&block.shared.values_arrived[l + 1]);
  for (int other = own.sharer; other < resident_blocks; other += own.sharers) {
    send(address_in_block(to, other), value, address_in_block(barrier, other));
  }
}

// The output layer: the loss, and its gradient.
__device__ inline void finish_outputs(const ResidentBlock& block, int step) {
  const NetworkArguments& net = block.net();
  const int l = net.layers - 1;
  const ResidentLayer& place = block.place(l);
  const RowPart own(place);
  const Quad value = add_layer_sums(block, l, step, own);
  double squares = 0;
  if (own.inside && own.sharer == 0) {
    const Quad target = read_quad(block.address_of(block.targets_at(step) + own.at(place)));
    Quad gradient{};
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const bool exists = own.row < net.rows && block.first_unit(l) + 4 * own.group + i < block.layer(l).out;
      const float difference = exists ? value.unit[i] - target.unit[i] : 0.0f;
      gradient.unit[i] = net.gradient_scale * difference;
      squares += static_cast<double>(difference) * difference;
    }
    put_quad(block.address_of(place.gradient_at + own.at(place)), gradient);
  }
  squares = warp_reduce(squares, Add{});
  if (block.lane() == 0) block.shared.squares[block.warp()] = squares;
}

// Backward: what this block's units of layer l give to the gradient of the layer's input, sent to its owners.
// A thread has one quad of inputs and four rows.
__device__ inline void send_data_gradient(const ResidentBlock& block, int l) {
  if (!block.owns_units_of(l)) return;
  const ResidentLayer& place = block.place(l);
  const ResidentLayer& below = block.place(l - 1);
  const int quads_of_units = place.units / 4;
  const int quads = below.owners * below.units / 4;
  const int row = block.thread() & 3;
  const std::uint32_t dy = block.address_of(place.gradient_at + row * place.units);
  const int dy_bytes = 4 * place.units * float_bytes;
  const int w_bytes = place.stride * float_bytes;
  const int own_part = below.received_at + (block.number * resident_rows + row) * below.units;
#pragma unroll 1
  for (int quad = block.thread() >> 2; quad < quads; quad += resident_threads / 4) {
    const std::uint32_t w = block.address_of(place.weight_at + 4 * quad);
    Quad sum[4] = {};
#pragma unroll 1
    for (int group = 0; group < quads_of_units; ++group) {
      Quad gradient[4];
#pragma unroll
      for (int i = 0; i < 4; ++i)
        gradient[i] = read_quad(dy + i * dy_bytes + group * static_cast<int>(sizeof(Quad)));
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        const Quad weight = read_quad(w + (u * quads_of_units + group) * w_bytes);
#pragma unroll
        for (int i = 0; i < 4; ++i) {
#pragma unroll
          for (int k = 0; k < 4; ++k) sum[i].unit[k] += gradient[i].unit[u] * weight.unit[k];
        }
      }
    }
    const int owner = quad * below.quads_inverse >> 16;
    const std::uint32_t there =
        address_in_block(block.address_of(own_part + 4 * quad - owner * below.units), owner);
    const std::uint32_t barrier =
        address_in_block(shared_address(&block.shared.gradients_arrived[l - 1]), owner);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      send(there + 4 * i * below.units * float_bytes, sum[i], barrier);
    }
  }
}

// The gradient of the output of layer l, back through dropout and ReLU.
__device__ inline void finish_gradient(const ResidentBlock& block, int l) {
  const ResidentLayer& place = block.place(l);
  const ResidentLayer& next = block.place(l + 1);
  const RowPart own(place);
  Quad gradient = add_parts(block, place.received_at, next.owners, place, own);
  if (!own.inside || own.sharer != 0) return;
  const int value_at = next.input_at + own.row * next.stride + block.first_unit(l) + 4 * own.group;
  relu_dropout_backward(read_quad(block.address_of(value_at)), block.net().mask.kept_scale, gradient);
  put_quad(block.address_of(place.gradient_at + own.at(place)), gradient);
}

}  // namespace breakeven
