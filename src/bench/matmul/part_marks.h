// SPDX-License-Identifier: Apache-2.0
// Where the time of a product goes on one rank: marks on the stream that computes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace breakeven {

// What the computing stream was occupied with, or waited for. A transfer that runs beside a product takes
// none of this time: only what it keeps waiting counts.
enum class Part { split, send, compute, collect };
inline constexpr std::array<std::string_view, 4> part_names{"split", "send", "compute", "collect"};
inline constexpr std::array<std::string_view, 4> part_meanings{
    "copies that cut the operands up", "before a product, while it waits for operands",
    "products and additions", "after the last product"};
using PartSeconds = std::array<double, part_names.size()>;
constexpr std::size_t index_of(Part part) { return static_cast<std::size_t>(part); }

struct PartTimes {
  double seconds = 0;   // of the whole
  PartSeconds parts{};  // they sum to it
};

class PartMarks {
 public:
  explicit PartMarks(Device& device) : device_(device) {}

  void begin(Stream& stream);
  void end_of(Part part, Stream& stream);  // a part may end several times; its times are added
  PartTimes read() const;                  // when the stream has passed the last mark

 private:
  struct Mark {
    Part part;
    std::unique_ptr<Event> event;
  };
  void record(Part part, Stream& stream);

  Device& device_;
  std::vector<Mark> marks_;  // kept from product to product: none is made while one is timed
  std::size_t used_ = 0;
};

}  // namespace breakeven
