// SPDX-License-Identifier: Apache-2.0
// Labels that no reader can take, such as a status that does not exist, for `breakeven check`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/hdf5/contents.h"

namespace breakeven::hdf5 {

// The first cell of a variable that is not legal, and how many there are.
struct WrongCells {
  std::string_view variable;
  std::string_view place;  // "run", "launch"
  std::size_t first = 0;
  std::string value;
  std::size_t count = 0;
  void add(std::size_t at, const std::string& found) {
    if (count++ > 0) return;
    first = at;
    value = found;
  }
};

// "gpus of run 0 and of 1 more is '0'; it should be ..."
std::string in_words(const WrongCells& wrong, std::string_view legal);

// A sentence for each variable with such labels. Legal ones take their place, so that the rest can be read; a
// run that had one counts as planned, since nobody knows which of its numbers are meant.
std::vector<std::string> mend_labels(Contents& contents);

}  // namespace breakeven::hdf5
