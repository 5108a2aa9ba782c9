// SPDX-License-Identifier: Apache-2.0
// How a network is divided over the blocks of a cluster.
#include <algorithm>
#include <bit>

#include "kernels/cuda/network/places.cuh"
#include "kernels/cuda/network/resident.cuh"
#include "kernels/cuda/network/resident_shared.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

int log2_for(int count) { return std::bit_width(static_cast<unsigned>(count - 1)); }

// At least `floats`.
int stride_for(int floats) { return ceil_div(floats - 8, 32) * 32 + 8; }

ResidentLayer divide(const LayerArguments& layer, int floats_of_input) {
  ResidentLayer divided{};
  divided.units = 4 * ceil_div(ceil_div(layer.out, 4), resident_blocks);
  divided.owners = ceil_div(layer.out, divided.units);
  const int quads = divided.units / 4;
  divided.width_log2 = log2_for(quads);
  divided.quads_inverse = ceil_div(1 << 16, quads);
  divided.stride = stride_for(std::max(layer.in_ld, floats_of_input));
  divided.lanes_log2 = 1 + std::max(divided.width_log2, 1);  // two groups of rows
  divided.slices = std::min(resident_threads >> divided.lanes_log2, layer.in_ld / 4);
  divided.tiles = quads * (layer.in_ld / 8);
  return divided;
}

// Layer 0 comes last, so threads with one tile less belong to the longest layer.
void number_tiles(int layers, ResidentPlan& plan) {
  int next = 0;
  for (int l = 1; l <= layers; ++l) {
    ResidentLayer& layer = plan.layer[l % layers];
    layer.first_tile = next;
    next += layer.tiles;
  }
}

void place(const NetworkArguments& net, ResidentPlan& plan) {
  Places places;
  const ResidentLayer& first = plan.layer[0];
  const int input = resident_rows * std::max(first.stride, first.slices * first.units);
  for (int& at : plan.rows_at) at = places.take(input);
  for (int& at : plan.target_at) at = places.take(resident_rows * plan.layer[net.layers - 1].units);
  // A block may send gradients of one layer while another still reads those of the layer above.
  int received[2] = {};
  for (int l = 0; l + 1 < net.layers; ++l) {
    received[l % 2] =
        std::max(received[l % 2], plan.layer[l + 1].owners * resident_rows * plan.layer[l].units);
  }
  const int received_at[2] = {places.take(received[0]), places.take(received[1])};
  for (int l = 0; l < net.layers; ++l) {
    ResidentLayer& layer = plan.layer[l];
    const int outputs = resident_rows * layer.units;
    layer.input_at = l == 0 ? plan.rows_at[0] : places.take(resident_rows * layer.stride);
    layer.weight_at = places.take(layer.units * layer.stride);
    layer.bias_at = places.take(3 * layer.units);
    layer.outputs_at = places.take(outputs);
    if (l + 1 == net.layers) continue;
    layer.factors_at = places.take(outputs);
    layer.received_at = received_at[l % 2];
  }
  plan.floats = places.taken();
}

}  // namespace

std::optional<ResidentPlan> plan_resident(const NetworkArguments& net, int shared_bytes) {
  if (net.rows > resident_rows) return std::nullopt;
  ResidentPlan plan{};
  int tiles = 0;
  int floats_of_input = 0;
  for (int l = 0; l < net.layers; ++l) {
    ResidentLayer& layer = plan.layer[l];
    layer = divide(net.layer[l], floats_of_input);
    if (layer.units > resident_most_units) return std::nullopt;
    tiles += layer.tiles;
    floats_of_input = layer.owners * layer.units;
  }
  static_assert(resident_most_tiles <= resident_threads);
  if (tiles > resident_most_tiles) return std::nullopt;
  number_tiles(net.layers, plan);
  place(net, plan);
  const int bytes = plan.floats * static_cast<int>(sizeof(float)) + static_cast<int>(sizeof(ResidentShared));
  if (bytes > shared_bytes) return std::nullopt;
  return plan;
}

}  // namespace breakeven
