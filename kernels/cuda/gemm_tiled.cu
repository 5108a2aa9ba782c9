// SPDX-License-Identifier: Apache-2.0
// Launches the tiled product with the tile, the layout and the kind of loads that a problem asks for.
#include "kernels/cuda/gemm_tiled.h"

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/gemm_tile.cuh"

namespace breakeven {
namespace {

//                              BM   BN  BK TM TN slices, of 256 threads each
using SmallTile = TileShape<32, 32, 32, 4, 4, 4>;
using MediumTile = TileShape<64, 64, 16, 4, 4, 1>;
using LargeTile = TileShape<128, 128, 8, 8, 8, 1>;

std::int64_t tiles(std::int64_t size, int tile) { return (size + tile - 1) / tile; }

template <typename Tile, GemmLayout layout>
void launch(const GemmProblem& p, bool vectorised, cudaStream_t stream) {
  const std::int64_t tiles_m = tiles(p.m, Tile::BM);
  const auto blocks = static_cast<unsigned>(tiles_m * tiles(p.n, Tile::BN));
  const auto kernel =
      vectorised ? gemm_tiled_kernel<Tile, layout, true> : gemm_tiled_kernel<Tile, layout, false>;
  kernel<<<blocks, Tile::threads, 0, stream>>>(p, static_cast<unsigned>(tiles_m));
  CHECK_LAUNCH("gemm_tiled_kernel", p.m, p.n, p.k);
}

template <typename Tile>
void launch_for_layout(GemmLayout layout, const GemmProblem& p, bool vectorised, cudaStream_t stream) {
  switch (layout) {
    case GemmLayout::nt:
      return launch<Tile, GemmLayout::nt>(p, vectorised, stream);
    case GemmLayout::nn:
      return launch<Tile, GemmLayout::nn>(p, vectorised, stream);
    case GemmLayout::tn:
      return launch<Tile, GemmLayout::tn>(p, vectorised, stream);
  }
}

}  // namespace

GemmTile choose_tile(std::int64_t m, std::int64_t n, int multiprocessors) {
  if (tiles(m, LargeTile::BM) * tiles(n, LargeTile::BN) >= multiprocessors) return GemmTile::large;
  if (tiles(m, MediumTile::BM) * tiles(n, MediumTile::BN) >= multiprocessors) return GemmTile::medium;
  return GemmTile::small;
}

void gemm_tiled(GemmLayout layout, GemmTile tile, ConstMatrix a, ConstMatrix b, Matrix c,
                cudaStream_t stream) {
  if (c.rows == 0 || c.cols == 0) return;
  const std::int64_t k = layout == GemmLayout::tn ? a.rows : a.cols;
  const GemmProblem problem{a.data, b.data, c.data, a.ld, b.ld, c.ld, c.rows, c.cols, k};
  const bool vectorised = on_border(a) && on_border(b) && on_border(c);
  switch (tile) {
    case GemmTile::small:
      return launch_for_layout<SmallTile>(layout, problem, vectorised, stream);
    case GemmTile::medium:
      return launch_for_layout<MediumTile>(layout, problem, vectorised, stream);
    case GemmTile::large:
      return launch_for_layout<LargeTile>(layout, problem, vectorised, stream);
  }
}

}  // namespace breakeven
