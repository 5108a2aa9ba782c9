// SPDX-License-Identifier: Apache-2.0
// Shared memory of a block of a cluster before any rows arrive: its rows and columns of all weights, and the
// dropout factors of its units.
#pragma once

#include "kernels/cuda/block_barrier.cuh"
#include "kernels/cuda/gemm/split_k.cuh"
#include "kernels/cuda/network/cluster_plan.cuh"
#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/network/unit_factors.cuh"

namespace breakeven {

constexpr int cluster_threads_log2 = 8;
constexpr int cluster_threads = 1 << cluster_threads_log2;
static_assert(cluster_threads == 32 * cluster_warps);
constexpr int helper_threads = 32 * cluster_helpers;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900

__device__ inline int rank_in_cluster() {
  int rank;
  asm("mov.u32 %0, %%cluster_ctarank;\n" : "=r"(rank));
  return rank;
}

// The barrier of compute threads and helpers; helpers only arrive.
enum class HelpersHave : int { brought_biases_and_factors = 2, brought_columns = 3 };
__device__ inline void tell(HelpersHave what) {
  arrive_at_barrier(static_cast<int>(what), cluster_threads + helper_threads);
}
__device__ inline void wait_until(HelpersHave what) {
  meet_at_barrier(static_cast<int>(what), cluster_threads + helper_threads);
}

struct ClusterBlock {
  const NetworkArguments& net;
  const ClusterPlan& plan;
  float* shared;
  int rank;
  int first_row;  // the cluster's first row of the batch

  __device__ int first_output(const ClusterProduct& product) const { return rank * product.slice; }
  __device__ int own_outputs(const ClusterProduct& product) const {
    return max(0, min(product.slice, product.outputs - first_output(product)));
  }

  // Count the bytes received for each product's values; the first product's also counts the rows of all
  // weights.
  static __device__ std::uint32_t arrivals(int product) {
    __shared__ std::uint64_t arrived[most_products];
    return shared_address(arrived + product);
  }
};

// `count` threads arrive, each announcing bytes.
__device__ inline void set_up_arrivals(std::uint32_t arrivals, int count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;\n" ::"r"(arrivals), "r"(count));
  asm volatile("fence.mbarrier_init.release.cluster;\n" ::: "memory");
}
__device__ inline void expect_bytes(std::uint32_t arrivals, int bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n" ::"r"(arrivals), "r"(bytes)
               : "memory");
}
// Copies `bytes`, a multiple of 16, by TMA; the receiver's barrier counts them.
__device__ inline void copy_row(float* to, const float* from, int bytes, std::uint32_t arrivals) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];\n" ::"r"(
          shared_address(to)),
      "l"(from), "r"(bytes), "r"(arrivals)
      : "memory");
}

// From here on all arrivals are counted. By one of the compute threads, which then synchronize: racecheck takes
// the initialisations by several threads of a warp for those of one.
__device__ inline void start_counting_all(const ClusterBlock& block) {
  if (threadIdx.x != 0) return;
  const ClusterPlan& plan = block.plan;
  set_up_arrivals(block.arrivals(0), plan.products / 2);
  for (int i = 1; i < plan.products; ++i)
    start_counting(block.arrivals(i),
                   plan.rows * ((plan.product[i].k + 3) / 4) * static_cast<int>(sizeof(Quad)));
}
// A warp for the rows of a layer's weights.
__device__ inline void bring_rows_of_weights(const ClusterBlock& block) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) / 32; i < block.plan.products / 2; i += cluster_warps) {
    const ClusterProduct& product = block.plan.product[i];
    const int rows = block.own_outputs(product);
    const int bytes = product.weight_ld * static_cast<int>(sizeof(float));
    if (lane == 0) expect_bytes(block.arrivals(0), rows * bytes);
    __syncwarp();
    for (int row = lane; row < rows; row += 32) {
      copy_row(block.shared + product.matrix_at + row * product.line,
               product.weight + std::int64_t{block.first_output(product) + row} * product.weight_ld, bytes,
               block.arrivals(0));
    }
  }
}
// By all compute threads, once the data have arrived.
template <typename Slice>
__device__ void make_operands_of_rows(const ClusterBlock& block) {
#pragma unroll 2
  for (int at = 4 * static_cast<int>(threadIdx.x); at < block.plan.rows_of_weights;
       at += 4 * cluster_threads) {
    put_quad(block.shared + at, rounded<typename Slice::Operands>(load_quad(block.shared + at)));
  }
}

// By all compute threads: writes zeros up to whole steps of k, where nobody else writes.
__device__ inline void clear_padding(const ClusterBlock& block) {
  const int row = static_cast<int>(threadIdx.x) / 4;
  const int quad = static_cast<int>(threadIdx.x) % 4;
#pragma unroll 1
  for (int i = 0; i < block.plan.products; ++i) {
    const ClusterProduct& product = block.plan.product[i];
    const int sent = (product.k + 3) / 4 * 4 + 4 * quad;
    if (row < block.plan.rows && sent < product.steps * product_step) {
      put_quad(block.shared + product.values_at + row * product.line + sent, Quad{});
    }
    const int brought = product.weight_ld + 4 * quad;
    if (product.kind == ClusterProductKind::gradient || brought >= product.steps * product_step) continue;
#pragma unroll 1
    for (int output = row; output < product.slice; output += cluster_threads / 4) {
      put_quad(block.shared + product.matrix_at + output * product.line + brought, Quad{});
    }
  }
}

// By the helpers: copies columns [column, column + 4) of W as rows, with zeros after the last unit.
template <typename Slice>
__device__ void bring_columns(const ClusterBlock& block, const ClusterProduct& product, int column,
                              int unit) {
  const float* const from =
      product.weight + std::int64_t{unit} * product.weight_ld + block.first_output(product) + column;
  Quad of_unit[4] = {};
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    if (unit + i < product.k) of_unit[i] = load_changed_quad(from + i * product.weight_ld);
  }
  float* const place = block.shared + product.matrix_at + column * product.line + unit;
#pragma unroll
  for (int c = 0; c < 4; ++c) {
    const Quad of_column = {{of_unit[0].unit[c], of_unit[1].unit[c], of_unit[2].unit[c], of_unit[3].unit[c]}};
    put_quad(place + c * product.line, rounded<typename Slice::Operands>(of_column));
  }
}
template <typename Slice>
__device__ void bring_columns_of_weights(const ClusterBlock& block) {
  const int helper = static_cast<int>(threadIdx.x) - cluster_threads;
  for (int i = block.plan.products / 2; i < block.plan.products; ++i) {
    const ClusterProduct& product = block.plan.product[i];
    const int lanes = product.steps * product_step / 4;  // per column
    for (int tile = helper; tile < (block.own_outputs(product) + 3) / 4 * lanes; tile += helper_threads) {
      bring_columns<Slice>(block, product, tile / lanes * 4, tile % lanes * 4);
    }
  }
}

// By the helpers, one warp per product.
__device__ inline void bring_biases(const ClusterBlock& block) {
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int i = static_cast<int>(threadIdx.x) / 32 - cluster_warps; i < block.plan.products / 2;
       i += cluster_helpers) {
    const ClusterProduct& product = block.plan.product[i];
    const float* const from = product.bias + block.first_output(product);
    for (int at = lane; at < block.own_outputs(product); at += 32) {
      block.shared[product.bias_at + at] = __ldcg(from + at);
    }
  }
}

// By the helpers: the dropout factors of the block's units.
__device__ inline void draw_factors(const ClusterBlock& block, std::uint32_t step) {
  int helper = static_cast<int>(threadIdx.x) - cluster_threads;
  for (int i = 0; block.plan.product[i].kind == ClusterProductKind::hidden; ++i) {
    const ClusterProduct& product = block.plan.product[i];
    const int log2 = product.slice_quads_log2;
    const int quads = block.plan.rows << log2;
    for (; helper < quads; helper += helper_threads) {
      const int row = helper >> log2;
      const int at = (helper & ((1 << log2) - 1)) * 4;
      if (at >= block.own_outputs(product)) continue;
      put_quad(block.shared + product.factor_at + row * product.slice + at,
               draw_unit_factors(block.net.mask, static_cast<std::uint32_t>(product.layer), step,
                                 block.first_row + row, block.first_output(product) + at));
    }
    helper -= quads;  // the remaining helpers begin with the next product
  }
}

// Copies a row's values to shared memory as floats; `lane` of the row's lanes takes every quad `stride`
// values apart from quad `lane` on. 16-bit values are widened on the way, so the loads of several quads come
// before their stores.
template <typename Stored>
__device__ void copy_values(const Stored* from, int count, int lane, int stride, float* to) {
  if constexpr (sizeof(Stored) == sizeof(float)) {
    for (int at = 4 * lane; at < count; at += stride) copy_chunk(shared_address(to + at), from + at);
  } else {
    constexpr int at_once = 4;
    for (int first = 4 * lane; first < count; first += at_once * stride) {
      StoredQuad<Stored> part[at_once] = {};
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        if (first + i * stride < count) part[i] = load_changed_stored(from + first + i * stride);
      }
#pragma unroll
      for (int i = 0; i < at_once; ++i) {
        if (first + i * stride < count) put_quad(to + first + i * stride, load_quad(part[i].unit));
      }
    }
  }
}

// By all compute threads: loads the first kernel's results, which are the values of the first product and the
// targets.
template <typename Stored>
__device__ void read_rows(const ClusterBlock& block) {
  const ClusterProduct& first = block.plan.product[0];
  const ClusterProduct& output = block.plan.product[block.plan.products / 2 - 1];
  const int lanes_log2 = cluster_threads_log2 - block.plan.rows_log2;  // per row
  const int row = static_cast<int>(threadIdx.x) >> lanes_log2;
  const int lane = static_cast<int>(threadIdx.x) & ((1 << lanes_log2) - 1);
  const std::int64_t in_batch = min(block.first_row + row, block.net.rows - 1);
  const auto* const values =
      static_cast<const Stored*>(block.net.layer[1].input) + in_batch * first.weight_ld;
  const float* const targets = block.net.target + in_batch * block.net.target_ld + block.first_output(output);
  float* const to = block.shared + first.values_at + row * first.line;
  float* const targets_to = block.shared + output.factor_at + row * output.factor_line;
  copy_values(values, first.k, lane, 4 << lanes_log2, to);
  for (int at = 4 * lane; at < block.own_outputs(output); at += 4 << lanes_log2) {
    copy_chunk(shared_address(targets_to + at), targets + at);
  }
  commit_copies();
  wait_for_all_but<0>();
}

#endif

}  // namespace breakeven
