// SPDX-License-Identifier: Apache-2.0
// Plain gradient descent tells rounding from faults, also where rounding decides on which side of ReLU's kink
// a unit is.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "src/verify/plain_descent.h"
#include "src/verify/serial_definition.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

constexpr std::uint32_t strategies_that_round_otherwise = 16;

// With the default seed the input of one unit of the third layer comes within rounding of 0.
class PlainDescent : public TrainingTest {
 protected:
  PlainDescent() : descent(test_session(), *device, descending, nullptr) {
    what.model = "medium-50";
    what.batch = 48;
    what.gpus = 1;
    what.strategy = "local-sgd:period=4:outer=nesterov";
  }
  void SetUp() override {
    if (test_session().size() > 1) GTEST_SKIP() << "the case is of one rank";
    if (testing_on_cuda()) GTEST_SKIP() << "the unit was found on the host";
  }

  static measure::RunOptions at_the_kink() {
    measure::RunOptions options = measure::verify_defaults();
    options.steps = 90;
    options.optimizer = OptimizerKind::sgd;
    options.learning_rate = verify::plain_descent_rate;
    return options;
  }

  // What a strategy computes that only rounds otherwise. The checks try 8 nudges; these follow.
  verify::Trajectory rounded_otherwise(std::uint32_t nudge) {
    return verify::define_local_sgd(what, descent, {.pieces = 3, .nudge = 8 + nudge});
  }
  bool passes(const verify::Trajectory& trajectory) {
    const auto checks = verify::compare_plain_descent(what, descent, strategy_of_case(what), trajectory);
    return std::ranges::all_of(checks, [](const verify::Check& check) { return check.passed(); });
  }

  const measure::RunOptions descending = at_the_kink();
  measure::RunContext descent;  // borrows the options
};

TEST_F(PlainDescent, UnitAtTheKinkIsNotAFault) {
  const verify::Trajectory definition = verify::define_local_sgd(what, descent, {});
  int crossed = 0;
  for (std::uint32_t nudge = 1; nudge <= strategies_that_round_otherwise; ++nudge) {
    SCOPED_TRACE(nudge);
    const verify::Trajectory trajectory = rounded_otherwise(nudge);
    crossed += verify::relative_frobenius(definition.parameters, trajectory.parameters) > 2e-6 ? 1 : 0;
    EXPECT_TRUE(passes(trajectory));
  }
  EXPECT_GT(crossed, 0);  // or nothing is tested here
  EXPECT_LT(crossed, static_cast<int>(strategies_that_round_otherwise));
}

// A rate and a momentum that are one percent off, no outer step, one weight.
TEST_F(PlainDescent, FaultAtTheKinkIsCaught) {
  const Case right = what;
  for (const char* wrong : {"local-sgd:period=4:outer=nesterov:outer-rate=0.693",
                            "local-sgd:period=4:outer=nesterov:outer-momentum=0.891", "local-sgd:period=4"}) {
    SCOPED_TRACE(wrong);
    what.strategy = wrong;
    const verify::Trajectory trajectory = rounded_otherwise(1);
    what = right;
    EXPECT_FALSE(passes(trajectory));
  }
  verify::Trajectory trajectory = rounded_otherwise(1);
  trajectory.parameters[7] += 0.01f;
  EXPECT_FALSE(passes(trajectory));
  trajectory.parameters[7] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(passes(trajectory));
}

// Adam's limits follow what rounding does, so a fault that plain descent does not show stays one.
TEST_F(PlainDescent, LimitsOfAdamFollowRounding) {
  const measure::RunOptions adam = measure::verify_defaults();
  measure::RunContext context(test_session(), *device, adam, nullptr);
  for (const double value : {1e-3, std::numeric_limits<double>::quiet_NaN()}) {
    verify::Verdict verdict{{{verify::weights_checks::norm, value, 1e-5}}};
    verify::settle_by_plain_descent(what, context, verdict);
    EXPECT_FALSE(verdict.passed()) << value;
    EXPECT_LT(verdict.checks.front().limit, 1e-3);
  }
}

}  // namespace
}  // namespace breakeven
