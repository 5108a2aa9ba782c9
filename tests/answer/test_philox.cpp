// SPDX-License-Identifier: Apache-2.0
// Philox4x32-10 against the known answers that Random123 publishes (kat_vectors), and what is built on it.
#include "src/core/philox.h"

#include <gtest/gtest.h>

#include <set>

namespace breakeven {
namespace {

void expect_words(const Philox4& actual, const Philox4& expected) {
  for (int i = 0; i < 4; ++i) EXPECT_EQ(actual.word[i], expected.word[i]) << "word " << i;
}

TEST(Philox, KnownAnswerOfZeros) {
  expect_words(philox4x32(0, 0, 0, 0, 0), {{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
}

TEST(Philox, KnownAnswerOfOnes) {
  expect_words(philox4x32(~std::uint64_t{0}, ~0u, ~0u, ~0u, ~0u),
               {{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
}

TEST(Philox, KnownAnswerOfPi) {
  // The key's words are a4093822 and 299f31d0; the first is the low half.
  expect_words(philox4x32(0x299f31d0a4093822, 0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
               {{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
}

TEST(RandomWord, TakesTheUnitsWordOfItsQuad) {
  for (std::uint32_t unit = 0; unit < 13; ++unit) {
    const Philox4 words = random_words(7, RandomUse::dropout, 3, 2, 5, unit / 4);
    EXPECT_EQ(random_word(7, RandomUse::dropout, 3, 2, 5, unit), words.word[unit % 4]) << "unit " << unit;
  }
}

TEST(RandomWord, DependsOnEveryOneOfItsArguments) {
  const std::set<std::uint32_t> words{
      random_word(7, RandomUse::dropout, 3, 2, 5, 9),
      random_word(8, RandomUse::dropout, 3, 2, 5, 9),
      random_word(7 + (std::uint64_t{1} << 32), RandomUse::dropout, 3, 2, 5, 9),
      random_word(7, RandomUse::parameters, 3, 2, 5, 9),
      random_word(7, RandomUse::dropout, 4, 2, 5, 9),
      random_word(7, RandomUse::dropout, 3, 3, 5, 9),
      random_word(7, RandomUse::dropout, 3, 2, 6, 9),
      random_word(7, RandomUse::dropout, 3, 2, 5, 10),
      random_word(7, RandomUse::dropout, 3, 2, 5, 13)};
  EXPECT_EQ(words.size(), 9u);
}

TEST(UniformWithin, IsOpenAndSymmetric) {
  for (const float bound : {1.0f, 0.75f, 1.0000001f, 0.03537f, 1e-3f}) {
    EXPECT_LT(uniform_within(~0u, bound), bound);
    EXPECT_GT(uniform_within(0, bound), -bound);
    for (const std::uint32_t word : {0u, 1u << 8, 12345678u, 0x7fffffffu, 0xabcdef01u}) {
      EXPECT_EQ(uniform_within(word, bound), -uniform_within(~word, bound));
      EXPECT_NE(uniform_within(word, bound), 0.0f);
    }
  }
}

TEST(UniformWithin, KnowsItsValues) {
  EXPECT_EQ(uniform_within(0x80000000u, 1.0f), 5.9604644775390625e-08f);  // the smallest: 2^-24
  EXPECT_EQ(uniform_within(0xC0000000u, 2.0f), 1.0f + 1.1920928955078125e-07f);
  EXPECT_EQ(uniform_within(0, 1.0f), -1.0f + 5.9604644775390625e-08f);
}

}  // namespace
}  // namespace breakeven
