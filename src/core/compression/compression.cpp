// SPDX-License-Identifier: Apache-2.0
// The table of forms, and the parser of what is typed.
#include "src/core/compression/compression.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "src/core/compression/message_layouts.h"
#include "src/core/text/lists.h"
#include "src/core/text/numbers.h"

namespace breakeven {
namespace {

bool is_part(double argument) { return argument > 0 && argument <= 0.5; }
bool is_rank(double argument) { return argument >= 1 && argument <= 64 && argument == std::floor(argument); }

// The residual and the flag that every compressed sum keeps.
std::uint64_t feedback_bytes(const GradientRange& range) {
  return range.floats * sizeof(float) + sizeof(std::uint32_t);
}

SumCost plain_cost(const GradientRange& range, int ranks, double) {
  return {.messages = {{Collective::all_reduce, range.floats * sizeof(float), ranks}}, .memory_bytes = 0};
}

SumCost half_cost(const GradientRange& range, int ranks, double) {
  const std::uint64_t bytes = range.floats * 2;
  return {.messages = {{Collective::all_reduce, bytes, ranks}},
          .memory_bytes = feedback_bytes(range) + bytes};
}

// The cost of a form whose messages are gathered.
SumCost gathered_cost(const GradientRange& range, std::size_t message_floats, int ranks) {
  const std::uint64_t bytes = static_cast<std::uint64_t>(ranks) * message_floats * sizeof(float);
  return {.messages = {{Collective::all_gather, bytes, ranks}},
          .memory_bytes = feedback_bytes(range) + bytes};
}

SumCost int8_cost(const GradientRange& range, int ranks, double) {
  return gathered_cost(range, int8_message_floats(range.floats), ranks);
}

SumCost topk_cost(const GradientRange& range, int ranks, double part) {
  return gathered_cost(range, 2 * topk_values(range, part), ranks);
}

SumCost onebit_cost(const GradientRange& range, int ranks, double) {
  return gathered_cost(range, SignMessage(range).floats, ranks);
}

SumCost powersgd_cost(const GradientRange& range, int ranks, double argument) {
  const ThinMatrices thin(range, argument);
  const std::uint64_t p_bytes = thin.p_floats * sizeof(float);
  const std::uint64_t q_bytes = thin.q_floats * sizeof(float);
  const std::uint64_t approximation = thin.places.empty() ? 0 : range.floats * sizeof(float);
  std::vector<Message> messages{{Collective::all_reduce, p_bytes, ranks}};
  if (!thin.places.empty()) messages.push_back({Collective::all_reduce, q_bytes, ranks});
  return {.messages = std::move(messages),
          .memory_bytes = feedback_bytes(range) + p_bytes + 2 * q_bytes + approximation};
}

constexpr std::array table{
    CompressionInfo{.name = "none", .cost = plain_cost},
    CompressionInfo{.name = "bf16", .cost = half_cost},
    CompressionInfo{.name = "fp16", .cost = half_cost},
    CompressionInfo{.name = "int8", .in_rank_order = true, .cost = int8_cost},
    CompressionInfo{.name = "topk",
                    .argument = "X the fraction of values that is sent, above 0 and at most 0.5",
                    .in_rank_order = true,
                    .accepts = is_part,
                    .cost = topk_cost},
    CompressionInfo{.name = "powersgd",
                    .argument = "X the rank, a whole number from 1 to 64",
                    .accepts = is_rank,
                    .cost = powersgd_cost},
    CompressionInfo{.name = "onebit", .in_rank_order = true, .cost = onebit_cost},
};

std::string make_legal_compressions() {
  std::vector<std::string> legal;
  for (const CompressionInfo& form : table) {
    legal.push_back(form.argument.empty() ? std::string(form.name)
                                          : fmt::format("{}:X with {}", form.name, form.argument));
  }
  return "one of " + join_list(legal);
}

}  // namespace

std::span<const CompressionInfo> compressions() { return table; }

std::optional<Compression> parse_compression(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto form = std::ranges::find(table, text.substr(0, colon), &CompressionInfo::name);
  if (form == table.end() || form->argument.empty() != (colon == text.npos)) return std::nullopt;
  if (colon == text.npos) return Compression{form, 0};
  const auto argument = parse_number<double>(text.substr(colon + 1));
  if (!argument || !form->accepts(*argument)) return std::nullopt;
  return Compression{form, *argument};
}

std::string_view legal_compressions() {
  static const std::string legal = make_legal_compressions();
  return legal;
}

}  // namespace breakeven
