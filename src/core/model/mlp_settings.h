// SPDX-License-Identifier: Apache-2.0
// The settings of a rank's network: its part of the model and of the batch, and the training.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "src/core/gemm_kernel.h"
#include "src/core/model/dropout.h"
#include "src/core/model/model_shape.h"
#include "src/core/model/optimizer.h"
#include "src/core/precision.h"

namespace breakeven {

enum class LossKind { mean_squared_error, softmax_cross_entropy };

// Which parts of a model's state are cut into shares, one on each rank. Each level also shards what the
// levels before it shard. The stages of Rajbhandari et al., "ZeRO", SC 2020, section 5; with the parameters
// it is FSDP (Zhao et al., VLDB 2023).
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
  std::uint32_t in_flight = 1;   // whose activations are kept at a time
  bool loaded_together = false;  // the samples of all are in memory at once; false: only of those in flight

  bool are_several() const { return count > 1; }
};

// A run of a layer's units.
struct UnitRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

// Where a rank's part of a model lies in it: some of its layers, and a share of their units. The default is
// the whole model.
struct PlaceInModel {
  std::size_t first_layer = 0;
  // For each of the part's widths: the number of its first unit in the model, and the model's width. Empty:
  // the part has all units.
  std::vector<std::uint32_t> first_units;
  std::vector<std::uint32_t> whole_widths;

  bool ends_model = true;  // its last layer is the model's: it knows the loss

  std::uint32_t first_unit(std::size_t width) const { return first_units.empty() ? 0 : first_units[width]; }
};

struct MlpSettings {
  ModelShape shape;  // of what the rank holds
  PlaceInModel place;
  std::uint32_t global_batch = 0;
  std::uint32_t first_sample = 0;  // place of the rank's first row in the global batch
  std::uint32_t rows = 0;          // the rank's part of the batch
  MicroBatches micro_batches;
  // Activation checkpointing: the forward pass keeps the input of one layer in so many, and the backward pass
  // recomputes the others (Chen et al., "Training Deep Nets with Sublinear Memory Cost", 2016, section 3).
  // 0: all are kept. Only where micro-batches are not in flight together.
  std::uint32_t layers_a_checkpoint = 0;
  LossKind loss = LossKind::mean_squared_error;
  OptimizerKind optimizer = OptimizerKind::adam;
  AdamSettings adam;  // its learning rate is SGD's as well
  std::uint64_t seed = 42;
  Precision precision = Precision::fp32;
  GemmKernel gemm = GemmKernel::tuned;
  std::uint32_t total_steps = 0;  // slots of the loss history
  // The loss and its gradient are means over so many rows; 0: over the global batch.
  std::uint32_t rows_of_mean = 0;
  float share = 1;  // of its loss in the global batch's, which is the sum over the ranks
  Sharding sharding;
  // For verification: gradients stay even where the update is fused into the backward pass, and an
  // asynchronous server's reads are kept.
  bool keep_evidence = false;

  std::uint32_t loss_divisor() const { return rows_of_mean != 0 ? rows_of_mean : global_batch; }
  Dtype dtype() const { return info_of(precision).dtype; }
  std::size_t dtype_bytes() const { return static_cast<std::size_t>(bytes_of(dtype())); }
  bool shards(Sharded level) const { return sharding.level >= level; }
  // In 16 bits the products read a working copy. Only the update reads the fp32 parameters, so they are
  // sharded with the moments.
  bool shards_masters() const {
    return shards(dtype() == Dtype::fp32 ? Sharded::parameters : Sharded::moments);
  }
};

// The dropout of the output of hidden layer `layer` of the rank's part.
inline Dropout dropout_of(const MlpSettings& settings, std::size_t layer, float rate) {
  return {.rate = rate,
          .seed = settings.seed,
          .layer = static_cast<std::uint32_t>(settings.place.first_layer + layer),
          .first_sample = settings.first_sample,
          .first_unit = settings.place.first_unit(layer + 1)};
}

}  // namespace breakeven
