// SPDX-License-Identifier: Apache-2.0
// The forms in which a gradient is summed: names, arguments, and what each costs. Their code is in
// src/compression. Adding a form: a row in the table of compression.cpp, and its file there.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/core/compression/gradient_range.h"
#include "src/core/message.h"

namespace breakeven {

// What a form of the sum costs each rank: formulas, which tests hold against what was counted.
struct SumCost {
  std::vector<Message> messages;   // in a sum
  std::uint64_t memory_bytes = 0;  // kept and used beside the gradient itself
};

struct CompressionInfo {
  std::string_view name;
  std::string_view argument;  // what follows the name and a colon, in words; empty where nothing does
  std::string_view summary;
  bool in_rank_order;  // what is added is added here, in rank order, and nothing by the transport
  bool (*accepts)(double argument);
  SumCost (*cost)(const GradientRange& range, int ranks, double argument);
};

std::span<const CompressionInfo> compressions();

// A form with its argument.
struct Compression {
  const CompressionInfo* form = &compressions().front();  // none
  double argument = 0;

  SumCost cost(const GradientRange& range, int ranks) const { return form->cost(range, ranks, argument); }
  // Whether floats are summed as they are. All other forms lose something.
  bool is_plain() const { return form == &compressions().front(); }
};

// Of "none", "int8", "topk:0.01", ...; nothing where the text is not legal.
std::optional<Compression> parse_compression(std::string_view text);

// All that is legal, in words.
std::string_view legal_compressions();

}  // namespace breakeven
