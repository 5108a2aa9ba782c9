// SPDX-License-Identifier: Apache-2.0
// A refused option, as a value: found before anything collective exists, alike on all ranks.
#pragma once

#include <string>

namespace breakeven {

struct UsageError {
  std::string sentence;  // what is wrong and what is legal, in one line
};

// Help is an answer too: the text to print.
struct HelpText {
  std::string text;
};

}  // namespace breakeven
