// SPDX-License-Identifier: Apache-2.0
// Comma lists, as every axis of the experiment is given.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven {

// "a,b" -> {"a", "b"}; blanks around the parts are dropped; "" -> {""}.
std::vector<std::string> split_list(std::string_view text, char separator = ',');

// {"a", "b"} -> "a, b"
std::string join_list(const std::vector<std::string>& parts);
std::string join_list(std::span<const std::string_view> parts);

}  // namespace breakeven
