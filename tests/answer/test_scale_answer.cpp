// SPDX-License-Identifier: Apache-2.0
// Which number of GPUs is recommended.
#include "src/predict/scaling_curve.h"

#include <gtest/gtest.h>

#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

predict::ScalePoint point_by_hand(int gpus, const statistics::Interval& speedup,
                                  predict::Recommendation recommended = predict::Recommendation::yes) {
  predict::ScalePoint point;
  point.best.what = case_by_hand(512, gpus, gpus == 1 ? "single" : "ddp");
  point.best.speedup = speedup;
  point.best.samples_per_second = 1e6 * speedup.centre;
  point.best.decision.verdict = verdict_of(speedup);
  point.recommended = recommended;
  return point;
}

TEST(ScalingCurve, RecommendsOneAndAtMostOneOther) {
  const predict::ScalePoint one = point_by_hand(1, {1, not_measured, not_measured, 0});
  const auto of = [&](const predict::ScalePoint& two, const predict::ScalePoint& four) {
    const predict::ScaleAnswer answer = predict::answer_of({one, two, four});
    return std::pair{answer.recommended, answer.alternative};
  };
  using pair = std::pair<int, int>;
  EXPECT_EQ(of(point_by_hand(2, {1.17, 1.13, 1.22, 3}), point_by_hand(4, {1.2, 0.8, 1.8, 0})), (pair{2, 4}));
  EXPECT_EQ(of(point_by_hand(2, {1.17, 1.13, 1.22, 3}), point_by_hand(4, {1.1, 1.0, 1.2, 0})), (pair{2, 0}));
  EXPECT_EQ(of(point_by_hand(2, {1.17, 0.99, 1.39, 0}), point_by_hand(4, {0.9, 0.7, 1.2, 0})), (pair{1, 2}));
  EXPECT_EQ(of(point_by_hand(2, {0.9, 0.8, 1.0, 0}),
               point_by_hand(4, {1.3, 1.2, 1.4, 0}, predict::Recommendation::inefficient)),
            (pair{1, 0}));
}

}  // namespace
}  // namespace breakeven
