// SPDX-License-Identifier: Apache-2.0
// The table of forms, and the parser of what is typed.
#include "src/compression/compression.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "src/core/text/lists.h"

namespace breakeven {
namespace {

bool accepts_nothing(double) { return false; }
bool is_part(double argument) { return argument > 0 && argument <= 0.5; }
bool is_rank(double argument) { return argument >= 1 && argument <= 64 && argument == std::floor(argument); }

constexpr std::array table{
    CompressionInfo{"none", "", "fp32, one all-reduce", false, accepts_nothing, make_plain_sum, plain_cost},
    CompressionInfo{"bf16", "", "bfloat16, one all-reduce", false, accepts_nothing, make_bf16_sum, half_cost},
    CompressionInfo{"fp16", "", "half precision, one all-reduce", false, accepts_nothing, make_fp16_sum,
                    half_cost},
    CompressionInfo{"int8", "", "8 bits a value and a scale for every 256, gathered", true, accepts_nothing,
                    make_int8_sum, int8_cost},
    CompressionInfo{"topk", "X the part that is sent, above 0 and at most 0.5",
                    "the largest values and their places, gathered", true, is_part, make_topk_sum, topk_cost},
    CompressionInfo{"powersgd", "X a whole number from 1 to 64",
                    "each weight's gradient as a product of two thin matrices, two all-reduces", false,
                    is_rank, make_powersgd_sum, powersgd_cost},
    CompressionInfo{"onebit", "", "signs and two means a row, gathered", true, accepts_nothing,
                    make_onebit_sum, onebit_cost},
};

std::string make_legal_compressions() {
  std::vector<std::string> legal;
  for (const CompressionInfo& form : table) {
    legal.push_back(form.argument.empty() ? std::string(form.name)
                                          : fmt::format("{}:X with {}", form.name, form.argument));
  }
  return "one of " + join_list(legal);
}

// Nothing where the text is not a number, all of it.
std::optional<double> number_in(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

std::span<const CompressionInfo> compressions() { return table; }

std::optional<Compression> parse_compression(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto form = std::ranges::find(table, text.substr(0, colon), &CompressionInfo::name);
  if (form == table.end() || form->argument.empty() != (colon == text.npos)) return std::nullopt;
  if (colon == text.npos) return Compression{form, 0};
  const std::optional<double> argument = number_in(text.substr(colon + 1));
  if (!argument || !form->accepts(*argument)) return std::nullopt;
  return Compression{form, *argument};
}

std::string_view legal_compressions() {
  static const std::string legal = make_legal_compressions();
  return legal;
}

}  // namespace breakeven
