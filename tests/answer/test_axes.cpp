// SPDX-License-Identifier: Apache-2.0
// The table of axes: words of known and of unknown levels, alike cases, and the order of cases.
#include <gtest/gtest.h>

#include <set>

#include <fmt/format.h>

#include "src/core/axes.h"
#include "src/core/failure.h"
#include "src/core/model/model_shape.h"
#include "src/core/strategy/description.h"
#include "tests/support/results_by_hand.h"

namespace breakeven {
namespace {

TEST(Level, KeepsAWordThatItDoesNotKnow) {
  const Level<Precision> future{std::string_view("fp4")};
  EXPECT_EQ(future.word(), "fp4");
  EXPECT_FALSE(future.known());
  EXPECT_FALSE(future == Precision::fp32);
  EXPECT_TRUE(future == Level<Precision>{std::string_view("fp4")});
  EXPECT_FALSE(future == Level<Precision>{std::string_view("fp6")});
  EXPECT_THROW(future.value(), Failure);
}

TEST(Level, OfAKnownWordIsItsValue) {
  const Level<Timing> phases{std::string_view("phases")};
  EXPECT_EQ(phases.value(), Timing::phases);
  EXPECT_TRUE(phases == Level<Timing>(Timing::phases));
  EXPECT_EQ(Level<Timing>{}.word(), "");
  EXPECT_FALSE(Level<Timing>{} == Timing::steps);
  EXPECT_FALSE(Level<Timing>{} == Level<Timing>(Timing::steps));
}

TEST(Parsed, KnowsItsValueAndKeepsItsText) {
  const CaseModel model = "784-512-10";
  EXPECT_EQ(model.value().widths, (std::vector<std::uint32_t>{784, 512, 10}));
  const CaseStrategy strategy = std::string("ddp:buckets=4MB");
  EXPECT_EQ(strategy.value().info->name, "ddp");
  EXPECT_EQ(strategy.value().options.bucket_bytes, 4000000u);
  EXPECT_EQ(strategy, "ddp:buckets=4MB");
  EXPECT_NE(strategy, CaseStrategy("ddp:buckets=4000kB")) << "the text decides";
  EXPECT_LT(strategy, CaseStrategy("single"));
  EXPECT_EQ(fmt::format("{:>6}", CaseStrategy("ddp")), "   ddp");
}

TEST(Parsed, KeepsTextThatItDoesNotKnow) {
  for (const char* text : {"telepathy", "ddp:mood=good", "auto", ""}) {
    const CaseStrategy strategy = text;
    EXPECT_EQ(strategy.known(), nullptr) << text;
    EXPECT_EQ(strategy.word(), text);
    EXPECT_THROW(strategy.value(), Failure) << text;
  }
  EXPECT_TRUE(CaseModel().empty());
  EXPECT_EQ(CaseModel("gigantic").known(), nullptr);
}

TEST(Axes, StandInTheTableByTheirPlaces) {
  std::set<std::string_view> keys;
  for (std::size_t place = 0; place < axis_count; ++place) {
    EXPECT_EQ(index_of(axes()[place].axis), place);
    EXPECT_TRUE(keys.insert(axes()[place].key).second) << axes()[place].key;
  }
}

// Of each axis a word other than case_by_hand()'s, as an option and as the file has it.
struct OtherWord {
  Axis axis;
  const char* option;
  const char* stored;
};
constexpr std::array other_words{
    OtherWord{Axis::model, "large", "large"},
    OtherWord{Axis::batch, "32", "32"},
    OtherWord{Axis::gpus, "4", "4"},
    OtherWord{Axis::strategy, "zero1", "zero1"},
    OtherWord{Axis::precision, "bf16", "bf16"},
    OtherWord{Axis::gemm, "cublas", "cublas"},
    OtherWord{Axis::transport, "mpi", "mpi"},
    OtherWord{Axis::nccl, "NCCL_A=1", "NCCL_A=1"},
    OtherWord{Axis::scaling, "weak", "weak"},
    OtherWord{Axis::timing, "phases", "phases"},
    OtherWord{Axis::graph, "off", "off"},
    OtherWord{Axis::data, "streamed", "streamed"},
    OtherWord{Axis::chosen, "ddp", "ddp"},
};

TEST(Axes, EachLevelIsSetAndSpelledAndTellsCasesApart) {
  static_assert(other_words.size() == axis_count);
  const Case what = case_by_hand(16, 2, "ddp");
  for (const OtherWord& word : other_words) {
    SCOPED_TRACE(info_of(word.axis).key);
    Case other = what;
    set_level(word.axis, word.option, other);
    EXPECT_EQ(word_of(word.axis, other), word.stored);
    EXPECT_FALSE(other == what);
    EXPECT_FALSE(are_alike(what, other, {word.axis}));
    EXPECT_TRUE(are_alike_but_for(what, other, {word.axis}));
    EXPECT_FALSE(are_alike_but_for(what, other, {}));
    EXPECT_TRUE(order_by({word.axis}, what, other) != 0);
  }
}

TEST(Axes, TimingHasOtherWordsAsAnOption) {
  EXPECT_EQ(option_words(Axis::timing), (std::vector<std::string>{"steps", "phases"}));
  Case what;
  set_level(Axis::timing, "steps", what);
  EXPECT_EQ(what.timing, Timing::steps);
  EXPECT_EQ(word_of(Axis::timing, what), "total");
  EXPECT_TRUE(option_words(Axis::model).empty());
}

TEST(Axes, OrderNumbersBySizeAndWordsByLetters) {
  Case small = case_by_hand(16, 2, "zero1");
  Case large = case_by_hand(128, 2, "ddp");
  EXPECT_TRUE(order_by({Axis::batch, Axis::strategy}, small, large) < 0);
  EXPECT_TRUE(order_by({Axis::strategy, Axis::batch}, small, large) > 0);
  EXPECT_TRUE(order_by({Axis::gpus, Axis::precision}, small, large) == 0);
  small.transport = Transport::mpi;
  large.transport = Transport::nccl;
  EXPECT_TRUE(order_by({Axis::transport}, small, large) < 0);
}

}  // namespace
}  // namespace breakeven
