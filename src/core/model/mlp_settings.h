// SPDX-License-Identifier: Apache-2.0
// What a rank's replica is made of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "src/core/gemm_kernel.h"
#include "src/core/model/dropout.h"
#include "src/core/model/model_shape.h"
#include "src/core/model/optimizer.h"
#include "src/core/model/place_in_model.h"
#include "src/core/precision.h"

namespace breakeven {

enum class LossKind { mean_squared_error, softmax_cross_entropy };

// What of a model's state is cut into shares, of which a rank holds one: each level shards what those before
// it do. The stages of Rajbhandari et al., "ZeRO", SC 2020, section 5; with the parameters it is FSDP (Zhao
// et al., VLDB 2023).
enum class Sharded { nothing, moments, gradients, parameters };

struct Sharding {
  Sharded level = Sharded::nothing;
  int rank = 0;
  int ranks = 1;
  // Every bucket of gradients (make_buckets) is cut by itself; without a limit there is one.
  std::uint64_t bucket_bytes = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t first_bucket_bytes = 0;
};

// Parts of the rows that go through the layers one after another.
struct MicroBatches {
  std::uint32_t count = 1;
  std::uint32_t in_flight = 1;   // of which the activations are kept at a time
  bool loaded_together = false;  // the samples of all lie there at once, else of those in flight

  bool are_several() const { return count > 1; }
};

struct MlpSettings {
  ModelShape shape;    // of what the replica holds
  PlaceInModel place;  // where that lies in the model
  std::uint32_t global_batch = 0;
  std::uint32_t first_sample = 0;  // place of this replica's first row in the global batch
  std::uint32_t rows = 0;          // this replica's part of the batch
  MicroBatches micro_batches;
  // The way forward keeps the input of one layer in so many, and the way back computes the others from there
  // anew (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016, section 3); 0: all are kept. Of
  // rows whose micro-batches are not in flight together.
  std::uint32_t layers_a_checkpoint = 0;
  LossKind loss = LossKind::mean_squared_error;
  OptimizerKind optimizer = OptimizerKind::adam;
  AdamSettings adam;  // its learning rate is SGD's as well
  std::uint64_t seed = 42;
  Precision precision = Precision::fp32;
  GemmKernel gemm = GemmKernel::tuned;
  std::uint32_t total_steps = 0;  // slots of the loss history
  std::uint32_t rows_of_mean =
      0;            // the loss and its gradient are means over so many rows; 0: the global batch
  float share = 1;  // of its loss in the global batch's, which is the sum over the ranks
  Sharding sharding;
  bool keep_gradients = false;  // also where the update is made as they appear: for those who look at them

  std::uint32_t loss_divisor() const { return rows_of_mean != 0 ? rows_of_mean : global_batch; }
  Dtype dtype() const { return info_of(precision).dtype; }
  std::size_t dtype_bytes() const { return static_cast<std::size_t>(bytes_of(dtype())); }
  bool shards(Sharded level) const { return sharding.level >= level; }
  // In 16 bits the products read a working copy, so the parameters in fp32 need to lie with the moments
  // alone.
  bool shards_masters() const {
    return shards(dtype() == Dtype::fp32 ? Sharded::parameters : Sharded::moments);
  }
};

// Of the output of the replica's hidden layer `layer`.
inline Dropout dropout_of(const MlpSettings& settings, std::size_t layer, float rate) {
  return {rate, settings.seed, static_cast<std::uint32_t>(settings.place.first_layer + layer),
          settings.first_sample, settings.place.first_unit(layer + 1)};
}

}  // namespace breakeven
