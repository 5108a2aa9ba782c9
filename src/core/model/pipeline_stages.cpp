// SPDX-License-Identifier: Apache-2.0
#include "src/core/model/pipeline_stages.h"

#include <algorithm>
#include <limits>

namespace breakeven {

double layer_cost(const ModelShape& shape, std::size_t layer, std::uint32_t batch,
                  std::uint32_t micro_batches) {
  const double in = shape.widths[layer];
  const double out = shape.widths[layer + 1];
  const double products = layer == 0 ? 2 : 3;  // the batch needs no gradient
  const double flops = products * 2 * batch * in * out;
  // Each product of each micro-batch reads or writes the weights once; the update reads four arrays and
  // writes three. Activations and their gradients are written once and read twice.
  const double floats = (products * micro_batches + 7) * in * out + 3.0 * batch * (in + out);
  return flops / flops_a_byte + floats * sizeof(float);
}

std::vector<std::size_t> stage_borders(const ModelShape& shape, std::uint32_t batch,
                                       std::uint32_t micro_batches, std::size_t stages) {
  const std::size_t layers = shape.layers();
  constexpr double never = std::numeric_limits<double>::infinity();
  // longest[s][l]: of the best cut of the layers before l into s stages; cut[s][l]: where its last one
  // begins.
  std::vector longest(stages + 1, std::vector<double>(layers + 1, never));
  std::vector cut(stages + 1, std::vector<std::size_t>(layers + 1, 0));
  longest[0][0] = 0;
  for (std::size_t s = 1; s <= stages; ++s) {
    for (std::size_t end = s; end <= layers; ++end) {
      double last = 0;
      for (std::size_t begin = end; begin-- > s - 1;) {
        last += layer_cost(shape, begin, batch, micro_batches);
        const double of_cut = std::max(longest[s - 1][begin], last);
        if (of_cut < longest[s][end]) {
          longest[s][end] = of_cut;
          cut[s][end] = begin;
        }
      }
    }
  }
  std::vector<std::size_t> borders(stages + 1, layers);
  for (std::size_t s = stages; s > 0; --s) borders[s - 1] = cut[s][borders[s]];
  return borders;
}

MlpSettings pipeline_part_of(const MlpSettings& whole, std::size_t first_layer, std::size_t end_layer,
                             MicroBatches micro_batches) {
  MlpSettings part = whole;
  const auto widths = whole.shape.widths.begin();
  part.shape.widths.assign(widths + static_cast<std::ptrdiff_t>(first_layer),
                           widths + static_cast<std::ptrdiff_t>(end_layer) + 1);
  part.place.first_layer = first_layer;
  part.place.ends_model = end_layer == whole.shape.layers();
  part.micro_batches = micro_batches;
  return part;
}

}  // namespace breakeven
