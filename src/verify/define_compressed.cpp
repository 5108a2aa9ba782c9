// SPDX-License-Identifier: Apache-2.0
// Data parallelism with compressed gradients, bucket by bucket, with a residual a rank.
//
// The forms are the strategy's own (src/exchange): that each is what it is called,
// tests/mpi/test_gradient_sum holds against plain loops. What is defined here is all around them: whose
// gradient, in which buckets, added in which order, without a transport.
#include <algorithm>
#include <vector>

#include "src/compression/gradient_sum.h"
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven {
namespace {

class CompressedGradients {
 public:
  CompressedGradients(SerialRanks& ranks, const ParameterLayout& layout, const StrategyOptions& options,
                      bool last_rank_first)
      : ranks_(ranks) {
    for (int rank = 0; rank < ranks.size(); ++rank) of_seat_.push_back(rank);
    if (last_rank_first) std::ranges::reverse(of_seat_);
    for (int seat = 0; seat < ranks.size(); ++seat) {
      sums_.push_back(make_bucket_sums(ranks.device(), layout, options, {seat, ranks.size()}));
    }
  }

  void sum() {
    for (std::size_t bucket = 0; bucket < sums_.front().size(); ++bucket) {
      std::vector<GradientSum*> sums;
      std::vector<float*> gradients;
      for (std::size_t seat = 0; seat < sums_.size(); ++seat) {
        const BucketSum& mine = sums_[seat][bucket];
        sums.push_back(mine.sum.get());
        gradients.push_back(ranks_.gradients(of_seat_[seat]).data() + mine.bucket.begin);
      }
      sum_in_turn(sums, gradients, ranks_.device(), ranks_.stream());
    }
  }

 private:
  SerialRanks& ranks_;
  std::vector<int> of_seat_;
  std::vector<std::vector<BucketSum>> sums_;  // [seat][bucket]
};

}  // namespace

// With more than one piece the ranks are added in the opposite order as well: a transport that adds may
// choose any, and in 16 bits every addition rounds coarsely.
Trajectory define_compressed(const Case& what, RunContext& bench, std::uint32_t pieces) {
  const std::uint32_t steps = all_steps(bench);
  const MlpSettings settings = bench.settings_for(what, steps);
  SerialRanks ranks(what, bench, settings, pieces);
  CompressedGradients compressed(ranks, ParameterLayout(settings.shape), strategy_of_case(what).options,
                                 pieces > 1);
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (int rank = 0; rank < ranks.size(); ++rank) ranks.make_gradient(rank);
    compressed.sum();
    for (int rank = 0; rank < ranks.size(); ++rank) ranks.update(rank);
    ranks.note_gradient(0);
  }
  return ranks.trajectory(ranks.parameters(0));
}

}  // namespace breakeven
