// SPDX-License-Identifier: Apache-2.0
// Cases drawn at random, for `breakeven verify --random`.
#pragma once

#include <cstdint>
#include <string>

#include "src/core/case.h"
#include "src/measure/plan/options.h"
#include "src/measure/plan/plan.h"

namespace breakeven::verify {

struct RandomCase {
  Case what;
  measure::RunOptions options;  // the launch's, with the drawn steps, optimizer, samples and seed
};

// Draws case `index`: model, batch, strategy with options, number of ranks and every other axis of the offer,
// optimizer, steps, samples, seed. Depends on the seed, the index and what the launch offers only. Strategies
// take turns. What cannot be measured, and what computes more than `most_flops` a step, is drawn again; a
// strategy that allows nothing in 1,000 draws gives its turn to the next.
RandomCase draw_case(std::uint64_t seed, std::uint32_t index, const measure::RunOptions& launch,
                     const measure::Offer& offer, double most_flops);

// "37-31-19 b24 3x ddp fp32 openblas mpi graph total, sgd at 0.001, 9 steps"
std::string in_words(const RandomCase& drawn);

}  // namespace breakeven::verify
