// SPDX-License-Identifier: Apache-2.0
#include "src/core/strategy/mesh.h"

#include <algorithm>

namespace breakeven {

RankMesh mesh_of(const StrategyOptions& options, int ranks) {
  const int unsaid = options.data > 0 ? std::max(1, ranks / options.data) : ranks % 2 == 0 ? 2 : ranks;
  const int parts = options.tensor > 0 ? options.tensor : options.pipeline > 0 ? options.pipeline : unsaid;
  return {options.data > 0 ? options.data : std::max(1, ranks / parts), parts};
}

MlpSettings with_samples_of_group(MlpSettings whole, const RankMesh& mesh, int rank) {
  whole.rows = whole.global_batch / static_cast<std::uint32_t>(mesh.data);
  whole.first_sample = whole.rows * static_cast<std::uint32_t>(rank / mesh.parts);
  return whole;
}

}  // namespace breakeven
