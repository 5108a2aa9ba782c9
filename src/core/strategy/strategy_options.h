// SPDX-License-Identifier: Apache-2.0
// The options of strategies, as in "ddp:buckets=4MB:first-bucket=1MB".
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "src/core/compression/compression.h"

namespace breakeven {

enum class PipelineSchedule { gpipe, one_forward_one_backward };

struct StrategyOptions {
  std::uint64_t bucket_bytes = 0;         // of gradients in a message; 0: all in one
  std::uint64_t first_bucket_bytes = 0;   // of the message that is ready first; 0: like the others
  Compression compression;                // of the gradients that are sent
  float clip_norm = 0;                    // at most the norm of the global batch's gradient; 0: any
  std::uint32_t accumulate = 1;           // micro-batches whose gradients are added up on a rank
  bool checkpoints = false;               // some activations are recomputed instead of kept
  std::uint32_t layers_a_checkpoint = 0;  // 0: about the square root of the model's layers
  PipelineSchedule schedule = PipelineSchedule::one_forward_one_backward;
  std::uint32_t micro_batches = 0;  // of a pipeline; 0: as many as it has stages
  // A mesh of ranks; 0: the others decide. A model is split in one way.
  int data = 0;                 // groups that share the batch
  int tensor = 0;               // ranks that split a model's layers
  int pipeline = 0;             // ranks that are a model's stages
  std::uint32_t period = 16;    // steps from one average of the parameters to the next
  bool outer_nesterov = false;  // the average is taken through an outer step
  float outer_momentum = 0.9f;
  float outer_rate = 0.7f;
};

struct StrategyOptionInfo {
  std::string_view key;
  // Completes "KEY is not ...".
  std::string_view legal;
  bool (*set)(std::string_view value, StrategyOptions& options);  // false: the value is not legal
  std::vector<std::string_view> verified_as;  // the values that `breakeven verify --random` draws from
};

// All options of all strategies. Each strategy names those that it takes (StrategyDescription::options).
std::span<const StrategyOptionInfo> strategy_option_table();

}  // namespace breakeven
