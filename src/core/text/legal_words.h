// SPDX-License-Identifier: Apache-2.0
// Options whose value is one of a few words: the sentence of what is wrong, or "".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// "--order 'any' is not one of random, listed"
std::string problem_of_word(std::string_view option, std::string_view word,
                            const std::vector<std::string>& legal);

// The same of --backend, and of a word of --precisions.
std::string problem_of_backend(std::string_view word);
std::string problem_of_precision(std::string_view word);

}  // namespace breakeven
