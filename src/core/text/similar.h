// SPDX-License-Identifier: Apache-2.0
// What somebody meant who typed a word that does not exist.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// The first of the choices that the fewest typing errors turn into the word; "" if each takes more than one
// error per three letters. An error is a letter too many, missing or wrong, or two neighbours that changed
// places (Damerau, "A technique for computer detection and correction of spelling errors", 1964).
std::string most_similar(std::string_view word, std::span<const std::string> choices);

// ". Did you mean 'report'?", to stand behind a refusal; "" if no choice is similar.
std::string did_you_mean(std::string_view word, std::span<const std::string> choices);

}  // namespace breakeven
