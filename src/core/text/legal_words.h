// SPDX-License-Identifier: Apache-2.0
// Options whose value is one of a few words: the sentence of what is wrong, or "".
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "src/core/precision.h"

namespace breakeven {

// "--order 'any' is not one of random, listed"
std::string problem_of_word(std::string_view option, std::string_view word,
                            const std::vector<std::string>& legal);

// The same of --backend.
std::string problem_of_backend(std::string_view word);

// The list of --precisions, each once, behind those that are there already.
std::string add_precisions(std::string_view list, std::vector<Precision>& precisions);

}  // namespace breakeven
