// SPDX-License-Identifier: Apache-2.0
// All layers but the first, for a few rows of the batch in one block. The weights lie in shared memory; the
// forward pass reads them by rows, the data gradients by columns. No block needs another's results.
#pragma once

#include "kernels/cuda/gemm/async_tile.cuh"
#include "kernels/cuda/gemm/fragment.cuh"
#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/network/unit_factors.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {

// A weight matrix in shared memory. Quad q of row r is stored at quad q + r % 8 of its row, cyclically. So
// eight lanes read the same quad of neighbouring rows, or neighbouring quads of a row, without bank
// conflicts.
struct TurnedWeights {
  float* first;
  int ld;
  int quads;
  int turn;  // mask for r % 8; smaller for narrow rows

  __device__ TurnedWeights(float* at, int leading_dimension)
      : first(at),
        ld(leading_dimension),
        quads(ld / 4),
        turn(quads >= 8   ? 7
             : quads >= 4 ? 3
                          : 1) {}
  __device__ float* place(int row, int quad) const {
    const int turned = quad + (row & turn);
    return first + row * ld + 4 * (turned >= quads ? turned - quads : turned);
  }
};

template <int rows, bool is_tf32>
class LaterLayers {
 public:
  __device__ LaterLayers(const NetworkArguments& net, const LaterLayersPlan& plan, float* shared)
      : net_(net), plan_(plan), shared_(shared) {}

  // Starts copying all weights to shared memory, one group of copies per layer, and prepares for rows.
  __device__ void fetch_weights() {
    for (int l = 1; l < net_.layers; ++l) {
      const LayerArguments& layer = net_.layer[l];
      const TurnedWeights w(shared_ + plan_.weight_at[l], layer.in_ld);
      for (int row = warp(); row < layer.out; row += later_warps) {
        const float* const from = layer.weight.parameter + row * layer.in_ld;
        for (int quad = lane(); quad < w.quads; quad += 32) {
          copy_chunk(shared_address(w.place(row, quad)), from + 4 * quad);
        }
      }
      commit_copies();
    }
    for (int l = 1; l < net_.layers; ++l) {
      const LayerArguments& layer = net_.layer[l];
      for (int unit = thread(); unit < layer.out; unit += later_threads) {
        shared_[plan_.bias_at[l] + unit] = __ldcg(layer.bias.parameter + unit);
      }
    }
    // The padding of all values is zero and stays so.
    for (int i = plan_.values_at[1] + thread(); i < plan_.values_end; i += later_threads) shared_[i] = 0;
  }
  // Waits for this thread's copies for layers up to l.
  __device__ void wait_for_weights(int l) {
    switch (net_.layers - 1 - l) {
      case 0:
        return wait_for_all_but<0>();
      case 1:
        return wait_for_all_but<1>();
      default:
        return wait_for_all_but<2>();
    }
  }

  // The block's rows now begin at `first_row` of the batch.
  __device__ void draw_factors(std::uint32_t step, int first_row) {
    first_row_ = first_row;
    for (int l = 1; l + 1 < net_.layers; ++l) {
      const int quads = net_.layer[l].out_ld / 4;
      for (int i = thread(); i < rows * quads; i += later_threads) {
        const int row = i / quads;
        store_quad(shared_ + plan_.factors_at[l] + 4 * i,
                   draw_unit_factors(net_.mask, static_cast<std::uint32_t>(l), step, first_row + row,
                                     4 * (i - row * quads)));
      }
    }
  }
  __device__ void read_rows() {
    const LayerArguments& layer = net_.layer[1];
    read_matrix(layer.input, layer.in_ld, plan_.values_at[1], true);
    read_matrix(net_.target, net_.target_ld, plan_.target_at, false);
  }

  // A warp computes eight units at a time; four lanes share the inputs of each.
  __device__ void forward(int l) {
    const LayerArguments& layer = net_.layer[l];
    const TurnedWeights w(shared_ + plan_.weight_at[l], layer.in_ld);
    const float* x = shared_ + plan_.values_at[l];
    const int slice = lane() / 8;
    for (int group = warp(); 8 * group < layer.out; group += later_warps) {
      const int unit = 8 * group + lane() % 8;
      const int row_of_w = min(unit, layer.out - 1);
      float sum[rows] = {};
#pragma unroll 4
      for (int quad = slice; quad < w.quads; quad += 4) {
        const Quad weight = operand(load_quad(w.place(row_of_w, quad)));
#pragma unroll
        for (int r = 0; r < rows; ++r) {
          const Quad value = load_quad(x + r * layer.in_ld + 4 * quad);
#pragma unroll
          for (int i = 0; i < 4; ++i) sum[r] += weight.unit[i] * value.unit[i];
        }
      }
      float of_row = 0;  // row `slice`
#pragma unroll
      for (int r = 0; r < rows; ++r) {
        sum[r] += __shfl_xor_sync(0xFFFFFFFFu, sum[r], 8);
        sum[r] += __shfl_xor_sync(0xFFFFFFFFu, sum[r], 16);
        if (slice == r) of_row = sum[r];
      }
      if (slice >= rows || unit >= layer.out) continue;
      const float value = of_row + shared_[plan_.bias_at[l] + unit];
      l + 1 < net_.layers ? put_activation(l, slice, unit, value) : put_error(l, slice, unit, value);
    }
  }

  // The gradient of a layer's input, first as sums over slices of its units: a thread has a quad of inputs
  // and one slice.
  __device__ void sum_data_gradient(int l) {
    const LayerArguments& layer = net_.layer[l];
    const TurnedWeights w(shared_ + plan_.weight_at[l], layer.in_ld);
    const float* dy = shared_ + plan_.values_at[l + 1];
    const int bits = bits_of(w.quads);
    const int quad = thread() & ((1 << bits) - 1);
    const int slice = thread() >> bits;
    const int slices = later_threads >> bits;
    const int units = (layer.out + 4 * slices - 1) / (4 * slices) * 4;
    Quad sum[rows] = {};
    if (quad < w.quads) {
      const int end = min((slice + 1) * units, layer.out);
#pragma unroll 2
      for (int unit = slice * units; unit < end; unit += 4) {
        Quad of_row[rows];  // zero beyond the last unit
#pragma unroll
        for (int r = 0; r < rows; ++r) of_row[r] = load_quad(dy + r * layer.out_ld + unit);
#pragma unroll
        for (int u = 0; u < 4; ++u) {
          const Quad weight = operand(load_quad(w.place(min(unit + u, layer.out - 1), quad)));
#pragma unroll
          for (int r = 0; r < rows; ++r) {
#pragma unroll
            for (int i = 0; i < 4; ++i) sum[r].unit[i] += weight.unit[i] * of_row[r].unit[u];
          }
        }
      }
    }
#pragma unroll
    for (int r = 0; r < rows; ++r) store_quad(sums() + 4 * ((slice * rows + r << bits) + quad), sum[r]);
  }
  // Then in total, and back through dropout and ReLU of the layer below. It overwrites the activation.
  __device__ void finish_data_gradient(int l) {
    const LayerArguments& layer = net_.layer[l];
    const int quads = layer.in_ld / 4;
    const int bits = bits_of(quads);
    const int slices = later_threads >> bits;
    for (int i = thread(); i < rows << bits; i += later_threads) {
      const int row = i >> bits;
      const int quad = i & ((1 << bits) - 1);
      if (quad >= quads) continue;
      Quad gradient{};
#pragma unroll 4
      for (int slice = 0; slice < slices; ++slice) {
        const Quad part = load_quad(sums() + 4 * ((slice * rows + row << bits) + quad));
#pragma unroll
        for (int u = 0; u < 4; ++u) gradient.unit[u] += part.unit[u];
      }
      float* const activation = shared_ + plan_.values_at[l] + row * layer.in_ld + 4 * quad;
      relu_dropout_backward(load_quad(activation), net_.mask.kept_scale, gradient);
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        if (4 * quad + u >= layer.in) gradient.unit[u] = 0;
      }
      store_quad(activation, operand(gradient));
      if (first_row_ + row >= net_.rows) continue;
      store_quad(floats(net_.layer[l - 1].output_gradient) + (first_row_ + row) * layer.in_ld + 4 * quad,
                 gradient);
    }
  }

  // Each warp has its own place for its partial sum; update_layers adds them in order.
  __device__ void store_loss(int group) {
    const double of_warp = warp_reduce(squares_, Add{});
    if (lane() == 0) net_.loss_parts[group * later_warps + warp()] = of_warp;
    squares_ = 0;
  }

 private:
  static __device__ int thread() { return static_cast<int>(threadIdx.x); }
  static __device__ int lane() { return thread() % 32; }
  static __device__ int warp() { return thread() / 32; }
  static __device__ int bits_of(int quads) { return 32 - __clz(quads - 1); }  // quads <= 2^bits

  static __device__ float* floats(void* values) { return static_cast<float*>(values); }

  // A value as an operand of a product.
  static __device__ float operand(float value) {
    return is_tf32 ? __uint_as_float(round_to_tf32(__float_as_uint(value))) : value;
  }
  static __device__ Quad operand(Quad quad) {
#pragma unroll
    for (int i = 0; i < 4; ++i) quad.unit[i] = operand(quad.unit[i]);
    return quad;
  }

  __device__ float* sums() const { return shared_ + plan_.sums_at; }

  __device__ void read_matrix(const void* from, int ld, int at, bool as_operand) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
      const float* const row = static_cast<const float*>(from) + min(first_row_ + r, net_.rows - 1) * ld;
      for (int col = 4 * thread(); col < ld; col += 4 * later_threads) {
        const Quad quad = load_changed_quad(row + col);
        store_quad(shared_ + at + r * ld + col, as_operand ? operand(quad) : quad);
      }
    }
  }

  __device__ void put_activation(int l, int row, int unit, float value) {
    const LayerArguments& layer = net_.layer[l];
    const int at = row * layer.out_ld + unit;
    const float h = activation_of(value, shared_[plan_.factors_at[l] + at]);
    shared_[plan_.values_at[l + 1] + at] = operand(h);
    if (first_row_ + row < net_.rows)
      floats(layer.output)[(first_row_ + row) * layer.out_ld + unit] = operand(h);
  }
  __device__ void put_error(int l, int row, int unit, float value) {
    const LayerArguments& layer = net_.layer[l];
    const float difference = value - shared_[plan_.target_at + row * net_.target_ld + unit];
    const float gradient = net_.gradient_scale * difference;
    shared_[plan_.values_at[l + 1] + row * layer.out_ld + unit] = operand(gradient);
    if (first_row_ + row >= net_.rows) return;
    floats(layer.output_gradient)[(first_row_ + row) * layer.out_ld + unit] = gradient;
    squares_ += static_cast<double>(difference) * difference;
  }

  const NetworkArguments& net_;
  const LaterLayersPlan& plan_;
  float* shared_;
  int first_row_ = 0;
  double squares_ = 0;  // of this thread
};

}  // namespace breakeven
