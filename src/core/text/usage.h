// SPDX-License-Identifier: Apache-2.0
// A refused option, as a value: found before anything collective exists, alike on all ranks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

struct UsageError {
  std::string sentence;  // what is wrong and what is legal, in one line
};

// Help is an answer too: the text to print.
struct HelpText {
  std::string text;
};

// What the running command does, for its help: "print tables from a results file". main() says it, in words
// that stay.
void set_command_summary(std::string_view summary);
// The lines above its options: its usage, such as "breakeven report FILE... [OPTION...]", and its summary.
std::string help_head(std::string_view usage);

// The next three return the sentence about a word that is not legal, or "".

// "--order 'randm' is not one of random, listed. Did you mean 'random'?"
std::string problem_of_word(std::string_view option, std::string_view word,
                            const std::vector<std::string>& legal);
std::string problem_of_backend(std::string_view word);  // of --backend
// Of a --gpus that is neither 'all' nor a number from `fewest` to `ranks`. `command_line` starts a launch.
std::string problem_of_gpus(std::string_view word, int fewest, int ranks, std::string_view command_line);

}  // namespace breakeven
