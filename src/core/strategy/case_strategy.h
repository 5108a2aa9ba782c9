// SPDX-License-Identifier: Apache-2.0
// What follows from a case's strategy: its traits, and each rank's work.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "src/core/case.h"
#include "src/core/message.h"
#include "src/core/model/mlp_settings.h"
#include "src/core/strategy/description.h"

namespace breakeven {

// One GPU, without communication: the baseline of every speed-up.
inline constexpr std::string_view single_gpu_strategy = "single";

// The strategy that trains the case. Throws Failure where this program does not know it.
inline const StrategyChoice& strategy_of_case(const Case& what) { return trained_strategy(what).value(); }

// The usual traits where a file of another version names a strategy that this program does not know.
StrategyTraits traits_of(const Case& what);

// Whether it trains one model as one GPU would. True for a strategy that this program does not know: then its
// name is that of the program that recorded it.
bool is_exact(const Case& what);

// Over all GPUs: the case's batch, times the number of independent copies.
double samples_a_step(const Case& what);
std::uint32_t rows_a_gpu(const Case& what);

// The batch of the single GPU that it is compared with: the same global batch for strong scaling, the same
// batch per GPU for weak.
std::uint32_t batch_of_baseline(const Case& what);

// The rows of rank `rank` of `ranks` in a global batch, which they share evenly.
struct Shard {
  std::uint32_t first_sample;
  std::uint32_t rows;
};
Shard shard_of(std::uint32_t global_batch, int rank, int ranks);

// label_of, and with weak scaling the batch of each GPU: "medium b128 2x ddp ... weak total (64 a GPU)".
std::string label_with_rows(const Case& what);

// Why so many GPUs cannot share a global batch, with the nearest batches that they can share; "" where they
// can.
std::string uneven_batch(std::uint32_t batch, int gpus);

// The whole model with the rank's part of the batch. What the case does not say (data, optimizer, seed,
// steps) keeps the default of MlpSettings. Throws Failure where this program does not know the case's words.
MlpSettings mlp_of_case(const Case& what, int rank);

// Ranks whose work differs from that of others: the first ranks, which include every part of a model, and the
// last, whose share may be smaller.
std::vector<int> ranks_that_differ(int ranks);

// Whether this program knows the model's layers and what the strategy does. It does not know those of
// programs that recorded themselves (docs/own-loop.md).
bool has_formula(const Case& what);

// The calls of the rank's communicator in a step; nothing where this program does not know the case's words,
// as in a file of another version.
std::optional<std::vector<Message>> messages_of_case(const Case& what, int rank);

}  // namespace breakeven
