// SPDX-License-Identifier: Apache-2.0
// A parser under random input.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace breakeven::fuzz {

// The sentence of a refusal; "": accepted.
struct Outcome {
  std::string refusal{};
};

struct Target {
  std::string name;  // its seeds are in seeds/NAME.txt (blanks as "-"), one a line, "\n" as such
  std::function<Outcome(const std::string& text)> parse;
};

std::vector<Target> text_targets();

// A data set file with types, sizes and values chosen by the text.
Target dataset_target();

}  // namespace breakeven::fuzz
