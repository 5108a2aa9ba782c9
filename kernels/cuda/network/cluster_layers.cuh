// SPDX-License-Identifier: Apache-2.0
// All layers but the first, for a few rows of the batch in a cluster of thread blocks. A block computes a
// slice of the units of every layer. It has the rows of W for their values and the columns of W for their
// gradients, so two blocks of a cluster read each weight. It sends its values to the shared memory of all
// other blocks, whose barriers count the bytes: a product waits for nothing else.
//
// A product takes less time than computing its addresses and receivers, so these are computed while the
// previous product's values are still on their way.
#pragma once

#include "kernels/cuda/block_barrier.cuh"
#include "kernels/cuda/network/cluster_block.cuh"
#include "kernels/cuda/network/cluster_products.cuh"
#include "kernels/cuda/network/draw_ahead.cuh"
#include "kernels/cuda/random_delay.cuh"
#include "kernels/cuda/reduction.cuh"

namespace breakeven {

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

// Forces the compiler to compute the values here, not later where they are used.
template <typename... Values>
__device__ void settle(Values&... values) {
  (..., [&] { asm volatile("" : "+r"(values)); }());
}

// This warp's part of a product: a tile of outputs, a group of rows and a slice of k.
template <typename Slice>
struct WarpPart {
  float* shared;
  int matrix_at, values_at, sums_at;
  int line, sums_line;
  int outputs;  // from the tile's first on
  int steps;
  typename Slice::Step first;  // of the matrix

  __device__ WarpPart(const ClusterBlock& block, const ClusterProduct& product)
      : shared(block.shared), line(product.line), sums_line(product.sums_line) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int slice = warp & ((1 << product.slices_log2) - 1);
    const int row = (warp >> product.slices_log2) * row_group & (block.plan.rows - 1);
    const int output = (warp >> (product.slices_log2 + block.plan.rows_log2 - row_group_log2)) * Slice::tile;
    const int step = slice * product.slice_steps;
    outputs = block.own_outputs(product) - output;
    steps = max(0, min(product.slice_steps, product.steps - step));
    matrix_at = product.matrix_at + output * line + step * product_step;
    values_at = product.values_at + row * line + step * product_step;
    sums_at = product.sums_at + ((slice << block.plan.rows_log2) + row) * sums_line + output;
    if (outputs > 0 && steps > 0) first = Slice::read_matrix(shared + matrix_at, line, outputs);
    settle(matrix_at, values_at, sums_at, line, sums_line, outputs, steps);
  }

  __device__ void multiply() const {
    if (outputs <= 0) return;
    Slice slice;
    if (steps > 0) slice.multiply(first, shared + values_at, line);
#pragma unroll 1
    for (int at = product_step; at < steps * product_step; at += product_step) {
      slice.multiply(Slice::read_matrix(shared + matrix_at + at, line, outputs), shared + values_at + at,
                     line);
    }
    slice.store(shared + sums_at, sums_line);
  }
};

// This thread's quad of a product's outputs: its sums and its receivers. If there are more threads than
// quads, several threads have the same quad, each for some of the receivers.
template <typename Stored>
struct OwnQuad {
  ClusterProductKind kind;
  int inside;      // values of it in the product
  bool is_stored;  // by this thread
  int sums_at;
  int slices, slice_floats;
  int bias_at, factor_at;
  Quad bias, factor;
  Stored* result;
  std::uint32_t send_to;
  int receiver, receiver_step;

  __device__ OwnQuad(const ClusterBlock& block, const ClusterProduct& product) : kind(product.kind) {
    const int thread = static_cast<int>(threadIdx.x);
    const int log2 = product.slice_quads_log2 + block.plan.rows_log2;
    const int quad = thread & ((1 << log2) - 1);
    const int row = quad >> product.slice_quads_log2;
    const int at = (quad & ((1 << product.slice_quads_log2) - 1)) * 4;
    const int output = block.first_output(product) + at;
    inside = block.own_outputs(product) - at;
    receiver = thread >> log2;
    receiver_step = cluster_threads >> log2;
    is_stored = receiver == 0 && block.first_row + row < block.net.rows;
    slices = 1 << product.slices_log2;
    slice_floats = product.sums_line << block.plan.rows_log2;
    sums_at = product.sums_at + row * product.sums_line + at;
    bias_at = product.bias_at + at;
    factor_at =
        product.factor_at + row * product.factor_line + (kind == ClusterProductKind::gradient ? output : at);
    result = static_cast<Stored*>(product.result) + std::int64_t{block.first_row + row} * product.result_ld +
             output;
    send_to = shared_address(block.shared + product.send_at + row * product.send_line + output);
    settle(inside, sums_at, slices, slice_floats, bias_at, factor_at, send_to, receiver, receiver_step);
  }

  // The first product's values come only with the rows.
  __device__ void read_addends(const float* shared) {
    if (inside <= 0) return;
    factor = load_quad(shared + factor_at);
    if (kind != ClusterProductKind::gradient) bias = load_quad(shared + bias_at);
  }
  __device__ Quad sum_of_slices(const float* shared) const {
    constexpr int at_once = 4;
    Quad sum{};
#pragma unroll 1
    for (int first = 0; first < slices; first += at_once) {
      Quad part[at_once] = {};
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        if (first + i < slices) part[i] = load_quad(shared + sums_at + (first + i) * slice_floats);
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
#pragma unroll
        for (int u = 0; u < 4; ++u) sum.unit[u] += part[i].unit[u];
      }
    }
    return sum;
  }
};

// `Slice` is one of cluster_products.cuh.
template <typename Slice>
class ClusterLayers {
  using Operands = typename Slice::Operands;
  using Stored = typename Operands::Stored;

 public:
  __device__ explicit ClusterLayers(const ClusterBlock& block) : block_(block) {}

  __device__ void prepare() {
    start_counting_all(block_);
    if (block_.plan.has_padding) clear_padding(block_);
    meet();
    asm volatile("barrier.cluster.arrive.relaxed;\n" ::: "memory");
    bring_rows_of_weights(block_);
    asm volatile("barrier.cluster.wait;\n" ::: "memory");  // all blocks are counting
    wait_for_bytes(block_.arrivals(0));
    if (!Operands::rounds) return;
    make_operands_of_rows<Slice>(block_);
    meet();
  }

  // Runs all products; `read_values` loads the values of the first.
  template <typename ReadValues>
  __device__ void run(const ReadValues& read_values) {
    const ClusterPlan& plan = block_.plan;
#pragma unroll 1
    for (int i = 0; i < plan.products; ++i) {
      const ClusterProduct& product = plan.product[i];
      if (i == plan.products / 2) wait_until(HelpersHave::brought_columns);
      const WarpPart<Slice> part(block_, product);
      OwnQuad<Stored> own(block_, product);
      if (i == 0) {
        read_values();
      } else {
        wait_for_bytes(block_.arrivals(i));
      }
      be_late_at_random();
      part.multiply();
      own.read_addends(block_.shared);
      meet();
      be_late_at_random();
      if (own.inside > 0) finish(own, i + 1);
    }
  }

  // Each warp has its own place for its partial sum; update_layers adds them in order.
  __device__ void store_loss() const {
    const double of_warp = warp_reduce(squares_, Add{});
    const int place = static_cast<int>(blockIdx.x) * cluster_warps + warp();
    if (static_cast<int>(threadIdx.x) % 32 == 0) block_.net.loss_parts[place] = of_warp;
  }

 private:
  static __device__ int warp() { return static_cast<int>(threadIdx.x) / 32; }
  // All compute warps.
  static __device__ void meet() { meet_at_barrier(1, cluster_threads); }

  __device__ void finish(const OwnQuad<Stored>& own, int next) {
    Quad value = own.sum_of_slices(block_.shared);
    if (own.kind == ClusterProductKind::gradient) {
      relu_dropout_backward(own.factor, block_.net.mask.kept_scale, value);
    } else {
#pragma unroll
      for (int u = 0; u < 4; ++u) value.unit[u] += own.bias.unit[u];
      if (own.kind == ClusterProductKind::hidden) {
#pragma unroll
        for (int u = 0; u < 4; ++u) value.unit[u] = activation_of(value.unit[u], own.factor.unit[u]);
      } else {
        value = gradient_of_error(own, value);
      }
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) value.unit[u] = u < own.inside ? value.unit[u] : 0.0f;  // padding stays zero
    const Quad operand = rounded<Operands>(value);
    if (next < block_.plan.products) {
      for (int block = own.receiver; block < block_.plan.blocks; block += own.receiver_step) {
        send(address_in_block(own.send_to, block), operand, address_in_block(block_.arrivals(next), block));
      }
    }
    if (!own.is_stored) return;
    if (own.kind == ClusterProductKind::hidden) {
      store_quad(own.result, operand);
    } else {
      store_quad(own.result, value);
    }
    if constexpr (scales_loss<Operands>) {
      if (!stays_finite<Stored>(value)) note_overflow(block_.net);
    }
  }
  // Also adds the squares of the errors.
  __device__ Quad gradient_of_error(const OwnQuad<Stored>& own, Quad value) {
    float scale = block_.net.gradient_scale;
    if constexpr (scales_loss<Operands>) scale *= __ldcg(&block_.net.state->loss_scale);
    float squares = 0;
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      const float error = value.unit[u] - own.factor.unit[u];
      if (u < own.inside) squares += error * error;
      value.unit[u] = scale * error;
    }
    if (own.is_stored) squares_ += squares;
    return value;
  }

  const ClusterBlock& block_;
  double squares_ = 0;  // of this thread
};

#endif

}  // namespace breakeven
