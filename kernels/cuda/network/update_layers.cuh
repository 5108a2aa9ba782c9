// SPDX-License-Identifier: Apache-2.0
// Arguments and launch of the third kernel of a small network's step, which has a form for one GPU
// (update_layers.cu) and one that sums the gradients over several (mpi/peer/update_network.cu).
#pragma once

#include "kernels/cuda/network/launch.cuh"
#include "kernels/cuda/network/update_products.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {

constexpr int update_threads = 2 * update_half;
constexpr int update_warps = update_threads / 32;
constexpr int update_most_rows = 128;  // of the batch, at once in shared memory
static_assert(update_units == 32, "a lane adds up the gradient of one bias");

// Which part of which layer a block has. The block after the last tile ends the step.
struct UpdateTiles {
  int first[most_layers + 1];  // the number of each layer's first tile
  int across[most_layers];     // tiles in a row of W
};

inline UpdateTiles update_tiles(const NetworkArguments& net) {
  UpdateTiles tiles{};
  for (int l = 0; l < net.layers; ++l) {
    const LayerArguments& layer = net.layer[l];
    tiles.across[l] = ceil_div(layer.in, update_inputs);
    tiles.first[l + 1] = tiles.first[l] + ceil_div(layer.out, update_units) * tiles.across[l];
  }
  return tiles;
}
inline int update_blocks(const NetworkArguments& net) { return update_tiles(net).first[net.layers] + 1; }

struct UpdateArguments {
  NetworkArguments network;
  UpdateTiles tiles;
};

// Shared memory: for the exchange between the halves, the sums of the bias, and the rows.
constexpr int given_floats = 2 * 4 * update_threads;
constexpr int bias_floats = update_warps * update_units;
// The number of rows of the batch at a time, in whole steps.
template <typename Products>
__host__ __device__ constexpr int padded_rows(int rows) {
  return ((rows < update_most_rows ? rows : update_most_rows) + Products::step - 1) / Products::step *
         Products::step;
}

template <typename Products>
KernelShape update_shape(const NetworkArguments& net) {
  const auto rows = static_cast<std::size_t>(padded_rows<Products>(net.rows) * (gradient_line + input_line));
  return {.grid = static_cast<unsigned>(update_blocks(net)),
          .threads = update_threads,
          .shared_bytes = (given_floats + bias_floats) * sizeof(float) +
                          rows * sizeof(typename Products::Operands::Stored)};
}

}  // namespace breakeven
