// SPDX-License-Identifier: Apache-2.0
// The compressions of a gradient: names, arguments, and what each costs. Their code is in src/compression. To
// add one, write its file there, a row in the table of compression.cpp, and its maker in gradient_sum.cpp.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "src/core/message.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {

// What a compressed sum costs each rank: formulas, which tests compare with what was counted.
struct SumCost {
  std::vector<Message> messages;   // in a sum
  std::uint64_t memory_bytes = 0;  // kept and used besides the gradient itself
};

struct CompressionInfo {
  std::string_view name;
  std::string_view argument = "";  // what follows the name and a colon, in words; "": nothing does
  bool in_rank_order = false;      // the sums are made here, in rank order, not by the transport
  bool (*accepts)(double argument) = nullptr;
  SumCost (*cost)(const GradientRange& range, int ranks, double argument);
};

std::span<const CompressionInfo> compressions();

// A compression with its argument.
struct Compression {
  const CompressionInfo* form = &compressions().front();  // none
  double argument = 0;

  SumCost cost(const GradientRange& range, int ranks) const { return form->cost(range, ranks, argument); }
  // Not compressed. All other forms are lossy.
  bool is_plain() const { return form == &compressions().front(); }
};

// Parses "none", "int8", "topk:0.01", ...; nothing where the text is not legal.
std::optional<Compression> parse_compression(std::string_view text);

// All that is legal, in words.
std::string_view legal_compressions();

}  // namespace breakeven
