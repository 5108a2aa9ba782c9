// SPDX-License-Identifier: Apache-2.0
#include "mpi/clock_offset.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "mpi/mpi_call.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

// The tests' ranks are all on one host, so they read the same clock.
double clock_of_host() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Hours apart, in both directions.
double planted(int rank) { return rank % 2 == 0 ? 7200.25 * rank : -86400.5 * rank; }

ClockOffset offset_of(int rank, std::chrono::microseconds answer_after = {}) {
  return measure_clock_offset(test_session().world(), [=] {
    if (rank == 0) std::this_thread::sleep_for(answer_after);
    return clock_of_host() - planted(rank);
  });
}

TEST(ClockOffset, PlantedOffsetsAreFoundWithinTheirUncertainty) {
  const int rank = test_session().rank();
  const ClockOffset offset = offset_of(rank);
  constexpr double rounding = 1e-9;  // of times of a day in a double
  EXPECT_LE(std::abs(offset.seconds - planted(rank)), offset.uncertainty_seconds + rounding);
  EXPECT_LT(offset.uncertainty_seconds, 0.1);  // on a busy machine too
  if (rank > 0) {
    EXPECT_GT(offset.uncertainty_seconds, 0);
  }
}

TEST(ClockOffset, RankZeroIsTheReference) {
  const ClockOffset offset = offset_of(test_session().rank());
  if (test_session().rank() > 0) return;
  EXPECT_EQ(offset.seconds, 0);
  EXPECT_EQ(offset.uncertainty_seconds, 0);
}

// What delays an answer before the clock is read shifts the guess, and the uncertainty says so.
TEST(ClockOffset, SlowAnswersAreUncertain) {
  const int rank = test_session().rank();
  const ClockOffset offset = offset_of(rank, std::chrono::microseconds(3000));
  if (rank == 0) return;
  EXPECT_GE(offset.uncertainty_seconds, 0.0015);
  EXPECT_LE(std::abs(offset.seconds - planted(rank)), offset.uncertainty_seconds + 1e-9);
  EXPECT_GE(std::abs(offset.seconds - planted(rank)), 0.5e-3);
}

}  // namespace
}  // namespace breakeven
