// SPDX-License-Identifier: Apache-2.0
#include "src/core/text/shell_words.h"

#include <gtest/gtest.h>

namespace breakeven {
namespace {

using Words = std::vector<std::string>;

TEST(ShellWords, ALineIsReadAsItWasWritten) {
  for (const Words& words :
       {Words{"breakeven", "run", "--batches", "16, 32"}, Words{"", "it's", R"("quoted")"},
        Words{"a;b", "$HOME", "`ls`", "*", "\\", "#"}, Words{"'", "''", "a'b\"c"}})
    EXPECT_EQ(words_of_shell_line(shell_line(words)), words) << shell_line(words);
}

TEST(ShellWords, OnlyWhatAShellWouldChangeIsQuoted) {
  EXPECT_EQ(shell_line(Words{"breakeven", "--order=random:1", "16,32", "a/b.h5", "5%"}),
            "breakeven --order=random:1 16,32 a/b.h5 5%");
  EXPECT_EQ(shell_line(Words{"my results.h5", "x.h5;", "it's", ""}),
            R"('my results.h5' 'x.h5;' 'it'"'"'s' '')");
}

TEST(ShellWords, WhatIsNotClosedStandsForItself) {
  EXPECT_EQ(words_of_shell_line("run --output it's.h5  a\\ b"),
            (Words{"run", "--output", "it's.h5", "a\\", "b"}));
  EXPECT_EQ(words_of_shell_line(""), Words{});
}

}  // namespace
}  // namespace breakeven
