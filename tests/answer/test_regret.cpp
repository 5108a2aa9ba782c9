// SPDX-License-Identifier: Apache-2.0
// What a choice was worth, on results whose truth is known.
#include <gtest/gtest.h>

#include <cmath>

#include <nlohmann/json.hpp>

#include "src/analysis/fastest.h"
#include "src/predict/step_model.h"
#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven::analysis {
namespace {

constexpr double base_seconds = 2e-3;
constexpr std::uint32_t regret_repeats = 8;

// One block's disturbance, the same for all of its runs.
double of_block(std::uint32_t repeat) { return 1 + 0.1 * repeat; }

void add_case(Results& results, const Case& what, double seconds) {
  for (std::uint32_t repeat = 0; repeat < regret_repeats; ++repeat) {
    const double own = 1 + 1e-4 * ((repeat + what.strategy.word().size()) % 2);
    results.runs.push_back(run_by_hand(what, repeat, seconds * of_block(repeat) * own));
  }
}

// `auto` has chosen ddp, as long as it says; single takes twice as long and tensor is planted.
Results with_choice(double chosen_seconds, double tensor_seconds) {
  Results results;
  results.path = "results.h5";
  results.launches.push_back(launch_by_hand(2));
  add_case(results, case_by_hand(64, 1, "single"), base_seconds);
  add_case(results, case_by_hand(64, 2, "ddp"), chosen_seconds);
  add_case(results, case_by_hand(64, 2, "tensor"), tensor_seconds);
  add_case(results, case_by_hand(64, 2, "independent"), 1e-9);  // no rival
  add_case(results, case_by_hand(64, 2, "stale"), 1e-9);        // lossy, and no candidate
  const std::size_t first = results.runs.size();
  Case what = case_by_hand(64, 2, "auto");
  what.chosen = "ddp";
  add_case(results, what, chosen_seconds);
  for (std::size_t run = first; run < results.runs.size(); ++run) {
    results.runs[run].candidates = {{"single", 1}, {"ddp", 2}};
    results.runs[run].candidates[0].probed_seconds = 2.2e-3;
    results.runs[run].candidates[1].probed_seconds = 1.1e-3;
    results.runs[run].choosing_seconds = 0.5;
  }
  return results;
}

nlohmann::json choice_of(const Results& results) {
  const nlohmann::json choices = json_of(results)["autotuning"];
  EXPECT_EQ(choices.size(), 1u);
  return choices.at(0);
}

TEST(Regret, IsThatOfTheFastestExactWay) {
  const nlohmann::json choice = choice_of(with_choice(1.0e-3, 0.8e-3));
  EXPECT_EQ(choice["chosen"], "ddp on 2");
  EXPECT_EQ(choice["fastest"], "tensor on 2");
  EXPECT_NEAR(choice["regret"].get<double>(), 0.25, 1e-3);
  EXPECT_EQ(choice["verdict"], "slower");
  EXPECT_EQ(choice["candidates"], 2);
}

// `auto` chooses over one transport.
TEST(Regret, AnotherTransportIsNoRival) {
  Results results = with_choice(1.0e-3, 1.5e-3);
  Case faster = case_by_hand(64, 2, "ddp");
  faster.transport = Transport::peer;
  add_case(results, faster, 0.5e-3);
  const nlohmann::json choice = choice_of(results);
  EXPECT_EQ(choice["fastest"], "ddp on 2");
  EXPECT_NEAR(choice["regret"].get<double>(), 0, 1e-3);
}

TEST(Regret, IsNoneWhereTheFastestWasChosen) {
  const nlohmann::json choice = choice_of(with_choice(1.0e-3, 1.5e-3));
  EXPECT_EQ(choice["fastest"], "ddp on 2");
  EXPECT_NEAR(choice["regret"].get<double>(), 0, 1e-3);
  EXPECT_EQ(choice["verdict"], "fastest");
}

TEST(Regret, TheTitleSaysWhatANegativeOneMeans) {
  const std::string text =
      on_one_line(report::make_report(with_choice(1.0e-3, 1.5e-3), {.sections = {"all"}}));
  EXPECT_TRUE(contains(text,
                       "time lost against the fastest configuration measured beside it; below 0 %: the "
                       "choice was faster"))
      << text;
  EXPECT_FALSE(contains(text, "over over")) << text;
}

TEST(Regret, WithinTwoPercentIsTheSame) {
  const nlohmann::json choice = choice_of(with_choice(1.0e-3, 0.99e-3));
  EXPECT_EQ(choice["fastest"], "tensor on 2");
  EXPECT_NEAR(choice["regret"].get<double>(), 0.0101, 1e-3);
  EXPECT_EQ(choice["verdict"], "same");
}

TEST(Regret, TheCostIsEarnedBackByShorterSteps) {
  // Mean steps over the blocks are 1.35 times those planted.
  const nlohmann::json choice = choice_of(with_choice(1.0e-3, 0.8e-3));
  const double gain = 1.35 * (base_seconds - 1.0e-3);
  EXPECT_NEAR(choice["steps_to_earn_over_single"].get<double>(), 0.5 / gain, 1 + 1e-3 * 0.5 / gain);
  EXPECT_TRUE(choice["steps_to_earn_over_ddp"].is_null());  // it is the choice
  EXPECT_EQ(analysis::steps_to_earn(1.0, 2e-3, 1e-3), HUGE_VAL);
  EXPECT_EQ(analysis::steps_to_earn(1.0, 1e-3, 1e-3), HUGE_VAL);
  EXPECT_TRUE(std::isnan(analysis::steps_to_earn(1.0, 1e-3, not_measured)));
}

TEST(Regret, OfOneWayThereIsNoChoice) {
  Results results = with_choice(1.0e-3, 0.8e-3);
  for (RecordedRun& run : results.runs)
    if (!run.candidates.empty()) run.candidates.erase(run.candidates.begin());
  EXPECT_EQ(choice_of(results)["verdict"], "no_choice");
}

TEST(Regret, WithoutRivalsNothingIsSaid) {
  Results results = with_choice(1.0e-3, 0.8e-3);
  std::erase_if(results.runs, [](const RecordedRun& run) { return run.candidates.empty(); });
  const nlohmann::json choice = choice_of(results);
  EXPECT_EQ(choice["verdict"], "not_measured");
  EXPECT_TRUE(choice["regret"].is_null());
  // What it would have taken otherwise is as probed then.
  EXPECT_TRUE(choice["steps_to_earn_over_single"].get<double>() > 0);
}

TEST(Regret, ChoicesAreScoredAsSelectorsAre) {
  const auto score_of = [](const Results& results) {
    const std::vector<analysis::CaseSummary> summaries = analysis::summarize_cases(results);
    return analysis::score_choices(analysis::merge_timings(summaries));
  };
  const analysis::SelectorScore wrong = score_of(with_choice(1.0e-3, 0.8e-3));
  EXPECT_EQ(wrong.asked, 1u);
  EXPECT_EQ(wrong.right, 0u);
  EXPECT_NEAR(wrong.regrets.at(0), 0.25, 1e-3);
  const analysis::SelectorScore right = score_of(with_choice(1.0e-3, 1.5e-3));
  EXPECT_EQ(right.right, 1u);
  EXPECT_EQ(right.regrets.at(0), 0);  // two measurements of one way
}

TEST(Regret, AChoiceIsNoWayOfItsOwn) {
  const nlohmann::json report = json_of(with_choice(1.0e-3, 0.8e-3));
  for (const auto& answer : report["answers"]) EXPECT_NE(answer["strategy"], "auto");
  for (const auto& fastest : report["fastest"])
    EXPECT_EQ(fastest["strategy"].get<std::string>().find("auto"), std::string::npos);
  std::size_t rows = 0;
  for (const auto& row : report["cases"]) {
    if (row["strategy"] != "auto") continue;
    ++rows;
    EXPECT_EQ(row["chosen"], "ddp");
    EXPECT_NEAR(row["regret"].get<double>(), 0.25, 1e-3);
    EXPECT_EQ(row["regret_verdict"], "slower");
    EXPECT_NEAR(row["speedup"].get<double>(), 2, 1e-3);
    EXPECT_EQ(row["verdict"], "pays");
  }
  EXPECT_EQ(rows, 1u);
  EXPECT_EQ(report["autotuning_candidates"].size(), 2u);
}

}  // namespace
}  // namespace breakeven::analysis
