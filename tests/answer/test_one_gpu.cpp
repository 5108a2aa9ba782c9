// SPDX-License-Identifier: Apache-2.0
// Which cases on one GPU the loss budget wants besides those of a plan, and that it finds them.
#include <gtest/gtest.h>

#include <algorithm>

#include "src/analysis/one_gpu.h"
#include "src/core/case.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

std::vector<std::string> labels_of(const std::vector<Case>& cases) {
  std::vector<std::string> labels;
  for (const Case& what : cases) labels.push_back(label_of(what));
  return labels;
}

std::vector<Case> both_instruments(const std::vector<Case>& cases) {
  std::vector<Case> both = cases;
  for (Case what : cases) {
    what.timing = Timing::phases;
    both.push_back(what);
  }
  return both;
}

using Labels = std::vector<std::string>;

TEST(OneGpu, TheBudgetWantsSingleAndTheStrategyAtARanksRows) {
  const std::vector<Case> planned =
      both_instruments({case_by_hand(128, 1, "single"), case_by_hand(128, 2, "ddp")});
  EXPECT_EQ(labels_of(analysis::wanted_on_one_gpu(planned)),
            (Labels{"medium b64 1x single fp32 tiled none graph total",
                    "medium b64 1x single fp32 tiled none graph phases",
                    "medium b64 1x ddp fp32 tiled nccl graph phases"}));
}

TEST(OneGpu, OfAPlanOfTotalTimesAloneItWantsThose) {
  EXPECT_EQ(
      labels_of(analysis::wanted_on_one_gpu({case_by_hand(128, 1, "single"), case_by_hand(128, 2, "ddp")})),
      (Labels{"medium b64 1x single fp32 tiled none graph total",
              "medium b64 1x ddp fp32 tiled nccl graph total"}));
}

TEST(OneGpu, WhatIsPlannedOrHasNoRowsOfItsOwnIsNotWanted) {
  const std::vector<Case> planned{case_by_hand(128, 1, "single"), case_by_hand(64, 1, "single"),
                                  case_by_hand(64, 1, "ddp"),     case_by_hand(128, 2, "ddp"),
                                  case_by_hand(128, 2, "tensor"), case_by_hand(128, 2, "independent")};
  EXPECT_EQ(labels_of(analysis::wanted_on_one_gpu(planned)), Labels{});
}

// What it will train with is not known before the launch has probed.
TEST(OneGpu, NothingIsWantedForAuto) {
  EXPECT_EQ(
      labels_of(analysis::wanted_on_one_gpu({case_by_hand(128, 1, "single"), case_by_hand(128, 2, "auto")})),
      Labels{});
}

// What stands on more GPUs shares cases with what stands on fewer.
TEST(OneGpu, EachIsWantedOnceAndFoundByTheBudget) {
  std::vector<Case> planned{case_by_hand(128, 1, "single"), case_by_hand(256, 1, "single"),
                            case_by_hand(128, 2, "ddp"), case_by_hand(256, 4, "ddp")};
  const std::vector<Case> wanted = analysis::wanted_on_one_gpu(planned);
  EXPECT_EQ(wanted.size(), 2u);
  planned.insert(planned.end(), wanted.begin(), wanted.end());
  std::vector<analysis::MeasuredCase> cases;
  for (const Case& what : planned) cases.push_back({what, nullptr, nullptr});
  for (analysis::MeasuredCase& measured : cases) measured.what.timing = {};
  for (const analysis::MeasuredCase& measured : cases) {
    if (measured.what.gpus == 1) continue;
    EXPECT_NE(analysis::single_at_rows(measured.what, cases.front().what, cases), nullptr);
    EXPECT_NE(analysis::strategy_at_rows(measured.what, cases), nullptr);
  }
  EXPECT_EQ(labels_of(analysis::wanted_on_one_gpu(planned)), Labels{});
}

}  // namespace
}  // namespace breakeven::analysis
