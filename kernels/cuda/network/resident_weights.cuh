// SPDX-License-Identifier: Apache-2.0
// The parameters of the resident network: W in shared memory, its moments in registers. A thread has a tile
// of 4 units by two quads of inputs, half a row apart, so neighbouring threads read neighbouring quads. It
// computes their gradients and Adam's update at the end of each step.
#pragma once

#include "kernels/cuda/adam.cuh"
#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/network/resident_shared.cuh"

namespace breakeven {

// adam_update of kernels/adam.h, except that a subnormal second moment counts as 0, negligible against
// epsilon. This saves a quarter of the instructions of a quarter of the step.
__device__ inline void update_flushing(const AdamFactors& factors, const Quad& gradient, Quad& parameter,
                                       Quad& first_moment, Quad& second_moment) {
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const float g = gradient.unit[i];
    float& m = first_moment.unit[i];
    float& v = second_moment.unit[i];
    m = factors.beta1 * m + factors.fresh1 * g;
    v = factors.beta2 * v + factors.fresh2 * g * g;
    float root;
    float inverse;
    asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(v));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(root * factors.root_scale + factors.epsilon));
    parameter.unit[i] -= factors.rate * m * inverse;
  }
}

class WeightTile {
 public:
  // Tile `number` of the block, if it exists.
  __device__ WeightTile(const ResidentBlock& block, int number) : block_(block) {
    for (int l = 0; l < block.net().layers; ++l) {
      const ResidentLayer& place = block.place(l);
      const int tile = number - place.first_tile;
      if (tile < 0 || tile >= place.tiles) continue;
      layer_ = l;
      group_ = tile % (place.units / 4);
      quad_ = tile / (place.units / 4);
    }
  }

  __device__ void load_moments() {
    if (layer_ < 0) return;
    for_all([&](int u, int half) {
      if (!has_unit(u)) return;
      first_moment_[u][half] = load_changed_quad(arrays().first_moment + at(u, half));
      second_moment_[u][half] = load_changed_quad(arrays().second_moment + at(u, half));
    });
  }

  // Stores W and the moments to global memory.
  __device__ void store() const {
    if (layer_ < 0) return;
    for_all([&](int u, int half) {
      if (!has_unit(u)) return;
      store_quad(arrays().parameter + at(u, half), read_quad(weights(u, half)));
      store_quad(arrays().first_moment + at(u, half), first_moment_[u][half]);
      store_quad(arrays().second_moment + at(u, half), second_moment_[u][half]);
    });
  }

  // dW = dZ^T X, and the update; stores dW to global memory too if it is kept.
  __device__ void update(int step, bool keeps_gradient) {
    if (layer_ < 0) return;
    const ResidentLayer& place = block_.place(layer_);
    std::uint32_t dy = block_.address_of(place.outputs_at + 4 * group_);
    std::uint32_t x = block_.address_of(block_.input_at(layer_, step) + 4 * quad_);
    const int half_row = layer().in_ld / 2 * float_bytes;
    Quad sum[4][2] = {};
#pragma unroll 4
    for (int row = 0; row < resident_rows; ++row) {
      const Quad gradient = read_quad(dy);
      const Quad value[2] = {read_quad(x), read_quad(x + half_row)};
      for_all([&](int u, int half) {
#pragma unroll
        for (int k = 0; k < 4; ++k) sum[u][half].unit[k] += gradient.unit[u] * value[half].unit[k];
      });
      dy += place.units * float_bytes;
      x += place.stride * float_bytes;
    }
    if (first_input(1) + 4 > layer().in) clear_padding(sum);
    if (keeps_gradient) store_gradient(sum);
    const AdamFactors factors = block_.shared.factors;
    const std::uint32_t w = weights(0, 0);
    const int unit_bytes = place.units / 4 * place.stride * float_bytes;
    for_all([&](int u, int half) {
      const std::uint32_t at = w + u * unit_bytes + half * half_row;
      Quad weight = read_quad(at);
      update_flushing(factors, sum[u][half], weight, first_moment_[u][half], second_moment_[u][half]);
      put_quad(at, weight);
    });
  }

 private:
  template <typename Action>
  static __device__ void for_all(Action action) {
#pragma unroll
    for (int u = 0; u < 4; ++u) {
#pragma unroll
      for (int half = 0; half < 2; ++half) action(u, half);
    }
  }

  __device__ const LayerArguments& layer() const { return block_.layer(layer_); }
  __device__ const AdamArrays& arrays() const { return layer().weight; }
  __device__ int unit(int u) const { return block_.first_unit(layer_) + 4 * group_ + u; }
  __device__ bool has_unit(int u) const { return unit(u) < layer().out; }
  __device__ int first_input(int half) const { return 4 * quad_ + half * (layer().in_ld / 2); }
  __device__ int at(int u, int half) const { return unit(u) * layer().in_ld + first_input(half); }
  __device__ std::uint32_t weights(int u, int half) const {
    const ResidentLayer& place = block_.place(layer_);
    const int row = block_.place_of_unit(layer_, 4 * group_ + u);
    return block_.address_of(place.weight_at + row * place.stride + first_input(half));
  }
  // Padding stays zero.
  __device__ void clear_padding(Quad (&gradient)[4][2]) const {
    for_all([&](int u, int half) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (first_input(half) + k >= layer().in) gradient[u][half].unit[k] = 0;
      }
    });
  }
  __device__ void store_gradient(const Quad (&gradient)[4][2]) const {
    for_all([&](int u, int half) {
      if (has_unit(u)) store_quad(layer().weight_gradient + at(u, half), gradient[u][half]);
    });
  }

  const ResidentBlock& block_;
  int layer_ = -1;  // none
  int group_ = 0;
  int quad_ = 0;
  Quad first_moment_[4][2] = {};
  Quad second_moment_[4][2] = {};
};

// The bias of one of the block's units: its parameter and moments are in shared memory.
struct BiasPlace {
  const ResidentBlock& block;
  int layer;
  int unit;  // of the block's

  __device__ float& value(int i) const {
    const ResidentLayer& place = block.place(layer);
    return block.floats[place.bias_at + i * place.units + unit];
  }
  __device__ float& stored(int i) const {
    const AdamArrays& arrays = block.layer(layer).bias;
    float* const array = i == 0 ? arrays.parameter : i == 1 ? arrays.first_moment : arrays.second_moment;
    return array[block.first_unit(layer) + unit];
  }

  __device__ void load() const {
    for (int i = 0; i < 3; ++i) value(i) = __ldcg(&stored(i));
  }
  __device__ void store() const {
    for (int i = 0; i < 3; ++i) stored(i) = value(i);
  }
  __device__ void update(bool keeps_gradient) const {
    const ResidentLayer& place = block.place(layer);
    const float* dy = block.floats + place.outputs_at + unit;
    float sum = 0;
#pragma unroll
    for (int row = 0; row < resident_rows; ++row) sum += dy[row * place.units];
    if (keeps_gradient) block.layer(layer).bias_gradient[block.first_unit(layer) + unit] = sum;
    adam_update(block.shared.factors, sum, value(0), value(1), value(2));
  }
};

// For the biases of all layers, divided over `threads` threads; `thread` is this thread's index.
template <typename Action>
__device__ void for_biases(const ResidentBlock& block, int thread, int threads, Action action) {
#pragma unroll 1
  for (int l = 0; l < block.net().layers; ++l) {
    const int units = min(block.place(l).units, block.layer(l).out - block.first_unit(l));
    for (int unit = thread; unit < units; unit += threads) action(BiasPlace{block, l, unit});
  }
}

}  // namespace breakeven
