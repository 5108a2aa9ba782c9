// SPDX-License-Identifier: Apache-2.0
// A parser under libFuzzer's inputs.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::fuzz {

struct Target {
  std::string_view name;  // its seeds are in seeds/NAME.txt
  // The sentence of the refusal; "": accepted. Anything that is thrown is a fault.
  std::function<std::string(const std::string& input)> refusal_of;
};

std::vector<Target> text_targets();

// The input's bytes decide how a file differs from one that is right (decisions.h).
Target dataset_target();
std::vector<Target> results_targets();

}  // namespace breakeven::fuzz
