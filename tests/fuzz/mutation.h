// SPDX-License-Identifier: Apache-2.0
// Random changes of text, the same ones for the same seed.
#pragma once

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace breakeven::fuzz {

class Mutation {
 public:
  explicit Mutation(std::uint64_t seed) : random_(seed) {}

  // From 0 to below `count`.
  std::size_t below(std::size_t count) {
    return std::uniform_int_distribution<std::size_t>(0, count - 1)(random_);
  }

  template <typename Values>
  const auto& one_of(const Values& values) {
    return values[below(values.size())];
  }

  // One to four changes: a byte is flipped, dropped or doubled, a piece goes elsewhere, or words that parsers
  // stumble over come in.
  std::string of(std::string text) {
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) change(text);
    return text;
  }

 private:
  static constexpr std::array<std::string_view, 34> words{"-1",
                                                          "0",
                                                          "1e999",
                                                          "-1e-999",
                                                          "nan",
                                                          "inf",
                                                          "0x10",
                                                          "1.5",
                                                          "+1",
                                                          "4294967296",
                                                          "18446744073709551616",
                                                          "-9223372036854775808",
                                                          "2147483648",
                                                          "99999999999999999999",
                                                          "",
                                                          " ",
                                                          "=",
                                                          ":",
                                                          ",",
                                                          "-",
                                                          "..",
                                                          "%",
                                                          "#",
                                                          "[",
                                                          "\n",
                                                          "\t",
                                                          "\x1b[2J",
                                                          "\xc2\x9b",
                                                          "\xff",
                                                          "\xf4\x90\x80\x80",
                                                          "%s%n",
                                                          "../..",
                                                          "999999999TB",
                                                          "1048577"};

  void change(std::string& text) {
    const std::size_t place = below(text.size() + 1);
    const std::size_t length =
        text.size() == place ? 0 : below(std::min<std::size_t>(text.size() - place, 16)) + 1;
    switch (below(6)) {
      case 0:
        text.insert(place, one_of(words));
        return;
      case 1:
        text.replace(place, length, one_of(words));
        return;
      case 2:
        text.erase(place, length);
        return;
      case 3:
        text.insert(place, text.substr(place, length));
        return;
      case 4:
        text.insert(below(text.size() + 1), text.substr(place, length));
        return;
      default:
        if (place < text.size()) text[place] = static_cast<char>(text[place] ^ (1 << below(8)));
    }
  }

  std::mt19937_64 random_;
};

}  // namespace breakeven::fuzz
