// SPDX-License-Identifier: Apache-2.0
// --until: what is a quality, and what is none.
#include <gtest/gtest.h>

#include "src/core/quality_target.h"

namespace breakeven {
namespace {

TEST(QualityTarget, IsALossOrAnAccuracy) {
  const auto loss = parse_quality_target("loss=0.05");
  ASSERT_TRUE(std::holds_alternative<QualityTarget>(loss));
  EXPECT_EQ(std::get<QualityTarget>(loss), (QualityTarget{QualityMeasure::loss, 0.05}));
  const auto accuracy = parse_quality_target("accuracy=1");
  ASSERT_TRUE(std::holds_alternative<QualityTarget>(accuracy));
  EXPECT_EQ(std::get<QualityTarget>(accuracy), (QualityTarget{QualityMeasure::accuracy, 1.0}));
}

TEST(QualityTarget, IsSpelledAsItIsParsed) {
  for (const char* text : {"loss=0.05", "loss=1e-09", "loss=20", "accuracy=0.97"}) {
    const auto target = parse_quality_target(text);
    ASSERT_TRUE(std::holds_alternative<QualityTarget>(target)) << text;
    EXPECT_EQ(spelled(std::get<QualityTarget>(target)), text);
  }
  EXPECT_EQ(in_words({QualityMeasure::accuracy, 0.97}), "accuracy 0.97");
}

TEST(QualityTarget, EverythingElseIsRefused) {
  for (const char* text :
       {"", "loss", "loss=", "=0.1", "loss=x", "loss=0.1x", "loss=0", "loss=-1", "loss=nan", "loss=inf",
        "accuracy=0", "accuracy=1.01", "accuracy=nan", "perplexity=3"}) {
    const auto target = parse_quality_target(text);
    ASSERT_TRUE(std::holds_alternative<UsageError>(target)) << text;
    EXPECT_NE(std::get<UsageError>(target).sentence.find("Use loss=X"), std::string::npos);
  }
}

}  // namespace
}  // namespace breakeven
