// SPDX-License-Identifier: Apache-2.0
// The work of each phase by hand, and which of three ceilings limits it.
#include "src/analysis/roofline_shares.h"

#include <gtest/gtest.h>

#include <cmath>

namespace breakeven::analysis {
namespace {

// 5-3-2 with 4 rows: weights 15 and 6, biases 3 and 2.
analysis::StepWork small_step() {
  analysis::StepWork step;
  step.shape = {"5-3-2", {5, 3, 2}, 0};
  step.rows = 4;
  return step;
}

Roofline roofline_by_hand() {
  Roofline roofline;
  roofline.copy_bytes_per_second = 1000;
  roofline.flops(Precision::fp32) = 100;
  roofline.launch_seconds = 1;
  roofline.node_seconds = 0.25;
  return roofline;
}

TEST(PhaseWork, ForwardReadsInputsAndWeightsAndWritesActivations) {
  const analysis::PhaseWork work = analysis::work_of(Phase::forward, small_step());
  const double inputs_and_outputs = 4 * (5 + 3) + 4 * (3 + 2);
  const double weights_and_biases = 15 + 6 + 3 + 2;
  const double targets = 4 * 2;
  EXPECT_EQ(work.bytes, 4 * (inputs_and_outputs + weights_and_biases + targets));
  EXPECT_EQ(work.flops, 2 * 4 * (15 + 6));
  EXPECT_EQ(work.operations, 2);
}

TEST(PhaseWork, BackwardHasNoDataGradientOfTheFirstLayer) {
  const analysis::PhaseWork work = analysis::work_of(Phase::backward, small_step());
  const double gradients_and_inputs = 4 * (5 + 3) + 4 * (3 + 2);
  const double parameter_gradients = 15 + 3 + 6 + 2;
  const double data_gradient = 6 + 4 * 3;
  EXPECT_EQ(work.bytes, 4 * (gradients_and_inputs + parameter_gradients + data_gradient));
  EXPECT_EQ(work.flops, 2 * 4 * (15 + 6) + 2 * 4 * 6);
}

TEST(PhaseWork, TheUpdateIsCountedWhereItIsDone) {
  analysis::StepWork step = small_step();
  const double apart =
      analysis::work_of(Phase::backward, step).bytes + analysis::work_of(Phase::optimizer, step).bytes;
  EXPECT_EQ(analysis::work_of(Phase::optimizer, step).bytes, 28 * 26);
  step.updates_in_backward = true;
  EXPECT_EQ(analysis::work_of(Phase::optimizer, step).bytes, 0);
  EXPECT_EQ(apart - analysis::work_of(Phase::backward, step).bytes,
            8 * 26);  // no gradient is written and read again
}

TEST(PhaseWork, SixteenBitsHalveWhatIsStoredInThem) {
  analysis::StepWork step = small_step();
  const double wide = analysis::work_of(Phase::forward, step).bytes;
  step.precision = Precision::bf16;
  const double stored_in_fp32 = 4 * (3 + 2 + 4 * 2);  // biases and targets
  EXPECT_EQ(analysis::work_of(Phase::forward, step).bytes - stored_in_fp32, (wide - stored_in_fp32) / 2);
  EXPECT_EQ(analysis::work_of(Phase::input, step).bytes, 4 * (5 * (4 + 2) + 2 * (4 + 4)));
}

TEST(Limit, TheLongestOfThreeLimits) {
  const analysis::Limit latency =
      analysis::limit_of({.bytes = 100, .flops = 1, .operations = 2}, Precision::fp32, roofline_by_hand());
  EXPECT_EQ(latency.what, "latency");
  EXPECT_EQ(latency.seconds, 0.5);
  const analysis::Limit memory =
      analysis::limit_of({.bytes = 700, .flops = 1, .operations = 2}, Precision::fp32, roofline_by_hand());
  EXPECT_EQ(memory.what, "memory");
  EXPECT_EQ(memory.seconds, 0.7);
  const analysis::Limit flops =
      analysis::limit_of({.bytes = 700, .flops = 90, .operations = 2}, Precision::fp32, roofline_by_hand());
  EXPECT_EQ(flops.what, "arithmetic");
  EXPECT_EQ(flops.seconds, 0.9);
}

TEST(Limit, WhatWasNotMeasuredLimitsNothing) {
  const analysis::PhaseWork product{.bytes = 700, .flops = 90, .operations = 2};
  EXPECT_TRUE(analysis::limit_of(product, Precision::tf32, roofline_by_hand()).what.empty());
  EXPECT_TRUE(std::isnan(analysis::limit_of(product, Precision::tf32, roofline_by_hand()).seconds));
  EXPECT_EQ(analysis::limit_of({.bytes = 700, .operations = 1}, Precision::tf32, roofline_by_hand()).what,
            "memory");
  EXPECT_TRUE(analysis::limit_of(product, Precision::fp32, {}).what.empty());
}

}  // namespace
}  // namespace breakeven::analysis
