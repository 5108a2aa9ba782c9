// SPDX-License-Identifier: Apache-2.0
// The resident network's backward pass. Each block sends its units' contributions to the gradient of their
// inputs to the inputs' owners, which add them in the order of the blocks.
#pragma once

#include "kernels/cuda/network/resident_outputs.cuh"

namespace breakeven {

// Sends the contribution of this block's units of layer l to the gradient of the layer's input to its owners.
// A thread has one quad of inputs and four rows.
__device__ inline void send_data_gradient(const ResidentBlock& block, int l) {
  if (!block.owns_units_of(l)) return;
  const ResidentLayer& place = block.place(l);
  const ResidentLayer& below = block.place(l - 1);
  const int quads_of_units = place.units / 4;
  const int quads = below.owners * below.units / 4;
  const int row = block.thread() & 3;
  const std::uint32_t dy = block.address_of(place.outputs_at + row * place.units);
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

// The gradient of the output of layer l, back through dropout and ReLU. It overwrites the activation.
__device__ inline void finish_gradient(const ResidentBlock& block, int l) {
  const WarpOutputs own(block.place(l));
  const int bytes = resident_rows * own.place.units * float_bytes;
  for (int output = block.lane(); output < own.count; output += 32) {
    const int at = own.first + output;
    const float sum =
        add_split_sums(block.address_of(own.place.received_at + at), block.place(l + 1).owners, bytes);
    const std::uint32_t place = block.address_of(own.place.outputs_at + at);
    put_float(place, read_float(place) != 0 ? sum * block.net().mask.kept_scale : 0.0f);
  }
}

}  // namespace breakeven
