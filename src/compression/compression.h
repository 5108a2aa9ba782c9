// SPDX-License-Identifier: Apache-2.0
// The forms in which a gradient is summed. Adding one: a file here, and a row in the table of
// compression.cpp.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "src/compression/gradient_range.h"
#include "src/compression/gradient_sum.h"

namespace breakeven {

struct CompressionInfo {
  std::string_view name;
  std::string_view argument;  // what follows the name and a colon, in words; empty where nothing does
  std::string_view summary;
  bool in_rank_order;  // what is added is added here, in rank order, and nothing by the transport
  bool (*accepts)(double argument);
  std::unique_ptr<GradientSum> (*make)(Device& device, const GradientRange& range, Seat seat,
                                       double argument);
  SumCost (*cost)(const GradientRange& range, int ranks, double argument);
};

std::span<const CompressionInfo> compressions();

// A form with its argument.
struct Compression {
  const CompressionInfo* form = &compressions().front();  // none
  double argument = 0;

  std::unique_ptr<GradientSum> make(Device& device, const GradientRange& range, Seat seat) const {
    return form->make(device, range, seat, argument);
  }
  SumCost cost(const GradientRange& range, int ranks) const { return form->cost(range, ranks, argument); }
  // Whether floats are summed as they are. All other forms lose something.
  bool is_plain() const { return form == &compressions().front(); }
};

// Of "none", "int8", "topk:0.01", ...; nothing where the text is not legal.
std::optional<Compression> parse_compression(std::string_view text);

// All that is legal, in words.
std::string_view legal_compressions();

// Each in the file of its form.
std::unique_ptr<GradientSum> make_plain_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_bf16_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_fp16_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_int8_sum(Device&, const GradientRange&, Seat, double);
std::unique_ptr<GradientSum> make_topk_sum(Device&, const GradientRange&, Seat, double part);
std::unique_ptr<GradientSum> make_powersgd_sum(Device&, const GradientRange&, Seat, double rank);
std::unique_ptr<GradientSum> make_onebit_sum(Device&, const GradientRange&, Seat, double);
SumCost plain_cost(const GradientRange& range, int ranks, double);
SumCost half_cost(const GradientRange& range, int ranks, double);
SumCost int8_cost(const GradientRange& range, int ranks, double);
SumCost topk_cost(const GradientRange& range, int ranks, double part);
SumCost powersgd_cost(const GradientRange& range, int ranks, double rank);
SumCost onebit_cost(const GradientRange& range, int ranks, double);

}  // namespace breakeven
