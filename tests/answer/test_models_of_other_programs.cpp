// SPDX-License-Identifier: Apache-2.0
// What breakeven cannot know of the models of other programs: their size, their precision.
#include <string>

#include <gtest/gtest.h>

#include "tests/support/report_text.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

// One batch of two optimizers, as `breakeven wrap --axis opt=adam,sgd` names them, of so many parameters.
Results two_models(std::uint64_t first, std::uint64_t second) {
  Results results = results_by_hand();
  std::erase_if(results.runs, [](const RecordedRun& run) {
    return run.planned.what.batch != 64 || run.planned.what.timing != Timing::steps;
  });
  const std::vector<RecordedRun> runs = results.runs;
  results.runs.insert(results.runs.end(), runs.begin(), runs.end());
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    results.runs[i].planned.what.model = i < runs.size() ? "train.py opt=adam" : "train.py opt=sgd";
    results.runs[i].planned.what.precision = Level<Precision>("unknown");
    results.runs[i].parameters = i < runs.size() ? first : second;
  }
  return results;
}

TEST(ModelsOfOtherPrograms, BreakEvensBySizeNeedModelsOfKnownAndDifferentSizes) {
  const Results known = two_models(1000, 2000);
  EXPECT_TRUE(contains(brief_of(known), "Varied parameters, Configuration ddp on 2, Tested 1,000–2,000"))
      << brief_of(known);
  EXPECT_FALSE(contains(brief_of(known), "Speed: one GPU against more"));
  EXPECT_EQ(json_of(known)["break_evens"].size(), 1u);
  for (const Results& results : {two_models(0, 0), two_models(0, 1000), two_models(1000, 1000)}) {
    EXPECT_FALSE(contains(on_one_line(text_of(results)), "Break-even, with")) << text_of(results);
    EXPECT_TRUE(contains(brief_of(results), "Speed: one GPU against more")) << brief_of(results);
    EXPECT_EQ(json_of(results)["break_evens"].size(), 0u);
  }
}

TEST(ModelsOfOtherPrograms, AnUnknownPrecisionIsNotNamed) {
  const Results results = two_models(0, 0);
  const std::string text = advice_of(results, "train.py opt=sgd", 64);
  EXPECT_TRUE(contains(text, "ddp on 2 GPUs ")) << text;
  EXPECT_FALSE(contains(text, "in unknown")) << text;
}

}  // namespace
}  // namespace breakeven
