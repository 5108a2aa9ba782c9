// SPDX-License-Identifier: Apache-2.0
// Data parallelism with compressed gradients, bucket by bucket, with one residual per rank.
//
// The compressors are the strategy's own (src/compression); tests/mpi/test_gradient_sum compares them with
// plain loops. This file defines the rest without a transport: whose gradient is summed, in which buckets and
// in which order.
#include <algorithm>
#include <vector>

#include "src/compression/gradient_sum.h"
#include "src/verify/serial_definition.h"
#include "src/verify/serial_ranks.h"

namespace breakeven::verify {
namespace {

class CompressedGradients {
 public:
  CompressedGradients(SerialRanks& ranks, const ParameterLayout& layout, const StrategyOptions& options,
                      bool last_rank_first)
      : ranks_(ranks) {
    for (int rank = 0; rank < ranks.size(); ++rank) of_seat_.push_back(rank);
    if (last_rank_first) std::ranges::reverse(of_seat_);
    for (int seat = 0; seat < ranks.size(); ++seat) {
      sums_.push_back(compression::make_bucket_sums(ranks.device(), layout, options, {seat, ranks.size()}));
    }
  }

  void sum() {
    for (std::size_t bucket = 0; bucket < sums_.front().size(); ++bucket) {
      std::vector<compression::GradientSum*> sums;
      std::vector<float*> gradients;
      for (std::size_t seat = 0; seat < sums_.size(); ++seat) {
        const compression::BucketSum& mine = sums_[seat][bucket];
        sums.push_back(mine.sum.get());
        gradients.push_back(ranks_.gradients(of_seat_[seat]).data() + mine.bucket.begin);
      }
      compression::sum_in_turn(sums, gradients, ranks_.device(), ranks_.stream());
    }
  }

 private:
  SerialRanks& ranks_;
  std::vector<int> of_seat_;
  std::vector<std::vector<compression::BucketSum>> sums_;  // [seat][bucket]
};

}  // namespace

// With more than one piece the ranks are also added in the opposite order. A transport may add in any order,
// and in 16 bits every addition rounds coarsely.
Trajectory define_compressed(const Case& what, measure::RunContext& context, const Rounding& rounding) {
  const MlpSettings settings = context.settings_for(what, all_steps(context));
  SerialRanks ranks(what, context, settings, rounding);
  CompressedGradients compressed(ranks, ParameterLayout(settings.shape), strategy_of_case(what).options,
                                 rounding.pieces > 1);
  return ranks.train_together([&] { compressed.sum(); });
}

}  // namespace breakeven::verify
