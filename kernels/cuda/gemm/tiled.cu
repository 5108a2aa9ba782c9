// SPDX-License-Identifier: Apache-2.0
// Plans a tiled product, and launches it with the tile, layout and kind of loads that it needs.
#include <algorithm>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/gemm/gemm_code.h"
#include "kernels/cuda/gemm/tiled.h"
#include "kernels/cuda/gemm/tiled_kernel.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

//                              BM   BN  BK TM TN slices, of 256 threads each
using SmallTile = TileShape<32, 32, 32, 4, 4, 4>;
using MediumTile = TileShape<64, 64, 16, 4, 4, 1>;
using LargeTile = TileShape<128, 128, 8, 8, 8, 1>;

template <typename Tile>
std::int64_t tiles(std::int64_t m, std::int64_t n) {
  return ceil_div(m, Tile::BM) * ceil_div(n, Tile::BN);
}

// Enough parts for two blocks per multiprocessor, which hide each other's latency; but each part long enough
// to be worth adding, and few enough for the block that adds them.
template <typename Tile>
int useful_split_k(std::int64_t m, std::int64_t n, std::int64_t k, int multiprocessors) {
  constexpr std::int64_t max_split_k = 8;
  constexpr std::int64_t least_depth = 128;
  const std::int64_t wanted = ceil_div(2 * multiprocessors, std::max<std::int64_t>(1, tiles<Tile>(m, n)));
  return static_cast<int>(std::clamp<std::int64_t>(std::min(wanted, k / least_depth), 1, max_split_k));
}

// Splits k at whole steps, so quads of every part are aligned.
template <typename Tile>
TiledSplitK cut(const TiledProblem& p, int wanted, CudaStream& stream) {
  const std::int64_t tile_count = tiles<Tile>(p.m, p.n);
  if (wanted <= 1 || p.k <= Tile::BK) return {1, p.k, nullptr, nullptr};
  const GemmScratch scratch = stream.gemm_scratch();
  const auto tile_bytes = static_cast<std::int64_t>(sizeof(float)) * Tile::BM * Tile::BN;
  const std::int64_t room = static_cast<std::int64_t>(scratch.sums_bytes) / (tile_count * tile_bytes);
  const std::int64_t most = std::min<std::int64_t>(wanted, room);
  if (most <= 1 || tile_count > scratch.counters) return {1, p.k, nullptr, nullptr};
  const std::int64_t depth = ceil_div(ceil_div(p.k, most), Tile::BK) * Tile::BK;
  return {static_cast<unsigned>(ceil_div(p.k, depth)), depth, scratch.sums, scratch.arrived};
}

template <typename Tile, GemmLayout layout>
void launch(const TiledProblem& p, int wanted_split_k, bool vectorised, CudaStream& stream) {
  const TiledSplitK split_k = cut<Tile>(p, wanted_split_k, stream);
  const auto blocks = static_cast<unsigned>(tiles<Tile>(p.m, p.n) * split_k.count);
  const auto tiles_m = static_cast<unsigned>(ceil_div(p.m, Tile::BM));
  const auto kernel =
      vectorised ? gemm_tiled_kernel<Tile, layout, true> : gemm_tiled_kernel<Tile, layout, false>;
  kernel<<<blocks, Tile::threads, 0, stream.raw()>>>(p, tiles_m, split_k);
  CHECK_LAUNCH("gemm_tiled_kernel", p.m, p.n, p.k);
}

template <typename Tile>
void launch_for_layout(GemmLayout layout, const TiledProblem& p, int split_k, bool vectorised,
                       CudaStream& stream) {
  switch (layout) {
    case GemmLayout::nt:
      return launch<Tile, GemmLayout::nt>(p, split_k, vectorised, stream);
    case GemmLayout::nn:
      return launch<Tile, GemmLayout::nn>(p, split_k, vectorised, stream);
    case GemmLayout::tn:
      return launch<Tile, GemmLayout::tn>(p, split_k, vectorised, stream);
  }
}

}  // namespace

GemmPlan plan_gemm(std::int64_t m, std::int64_t n, std::int64_t k, int multiprocessors) {
  if (tiles<LargeTile>(m, n) >= multiprocessors) return {GemmTile::large, 1};
  const int medium_split_k = useful_split_k<MediumTile>(m, n, k, multiprocessors);
  if (tiles<MediumTile>(m, n) * medium_split_k >= multiprocessors) return {GemmTile::medium, medium_split_k};
  return {GemmTile::small, useful_split_k<SmallTile>(m, n, k, multiprocessors)};
}

void gemm_tiled(GemmLayout layout, const GemmPlan& plan, ConstMatrix a, ConstMatrix b, Matrix c,
                CudaStream& stream) {
  if (c.rows == 0 || c.cols == 0) return;
  const std::int64_t k = layout == GemmLayout::tn ? a.rows : a.cols;
  const TiledProblem problem{.a = a.floats(),
                             .b = b.floats(),
                             .c = c.floats(),
                             .lda = a.ld,
                             .ldb = b.ld,
                             .ldc = c.ld,
                             .m = c.rows,
                             .n = c.cols,
                             .k = k};
  const bool vectorised = on_border(a) && on_border(b) && on_border(c);
  switch (plan.tile) {
    case GemmTile::small:
      return launch_for_layout<SmallTile>(layout, problem, plan.split_k, vectorised, stream);
    case GemmTile::medium:
      return launch_for_layout<MediumTile>(layout, problem, plan.split_k, vectorised, stream);
    case GemmTile::large:
      return launch_for_layout<LargeTile>(layout, problem, plan.split_k, vectorised, stream);
  }
}

namespace {

void compute(const GemmCall& call) {
  const Product& p = call.product;
  const GemmShape shape = shape_of(p);
  const GemmPlan plan = plan_gemm(shape.m, shape.n, shape.k, call.device.info().multiprocessors);
  gemm_tiled(p.layout, plan, p.a, p.b, p.c, call.stream);
}

}  // namespace

const GemmCode gemm_codes::tiled{.computes = [](Precision precision, GemmLayout,
                                                const DeviceInfo&) { return precision == Precision::fp32; },
                                 .compute = compute};

}  // namespace breakeven
