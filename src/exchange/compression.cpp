// SPDX-License-Identifier: Apache-2.0
// The table of forms, and the parser of what is typed.
#include "src/exchange/compression.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "src/text/lists.h"

namespace breakeven {
namespace {

bool accepts_nothing(double) { return false; }
bool is_part(double argument) { return argument > 0 && argument <= 0.5; }
bool is_rank(double argument) { return argument >= 1 && argument <= 64 && argument == std::floor(argument); }

constexpr std::array table{
    CompressionInfo{"none", "", "fp32, one all-reduce", accepts_nothing, make_plain_sum, plain_cost},
    CompressionInfo{"bf16", "", "bfloat16, one all-reduce", accepts_nothing, make_bf16_sum, half_cost},
    CompressionInfo{"fp16", "", "half precision, one all-reduce", accepts_nothing, make_fp16_sum, half_cost},
    CompressionInfo{"int8", "", "8 bits a value and a scale for every 256, gathered", accepts_nothing,
                    make_int8_sum, int8_cost},
    CompressionInfo{"topk", "the part of the gradient that is sent, above 0 and at most 0.5",
                    "the largest values and their places, gathered", is_part, make_topk_sum, topk_cost},
    CompressionInfo{"powersgd", "a rank, a whole number from 1 to 64",
                    "each weight's gradient as a product of two thin matrices, two all-reduces", is_rank,
                    make_powersgd_sum, powersgd_cost},
    CompressionInfo{"onebit", "", "signs and two means a row, gathered", accepts_nothing, make_onebit_sum,
                    onebit_cost},
};

UsageError refuse(std::string_view text) {
  std::vector<std::string> legal;
  for (const CompressionInfo& form : table) {
    legal.push_back(form.argument.empty() ? std::string(form.name)
                                          : fmt::format("{}:X (X: {})", form.name, form.argument));
  }
  return {fmt::format("compression '{}' is none of: {}", text, join_list(legal))};
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

std::variant<Compression, UsageError> parse_compression(std::string_view text) {
  const std::size_t colon = text.find(':');
  for (const CompressionInfo& form : table) {
    if (form.name != text.substr(0, colon)) continue;
    if (form.argument.empty()) {
      if (colon != std::string_view::npos) return refuse(text);
      return Compression{&form, 0};
    }
    const std::optional<double> argument =
        colon == std::string_view::npos ? std::nullopt : number_in(text.substr(colon + 1));
    if (!argument || !form.accepts(*argument)) return refuse(text);
    return Compression{&form, *argument};
  }
  return refuse(text);
}

}  // namespace breakeven
