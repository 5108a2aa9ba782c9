// SPDX-License-Identifier: Apache-2.0
// How the time of a product on one rank splits into parts, by events on the stream that computes.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace breakeven::bench {

// What the computing stream did or waited for. A transfer that overlaps with a product counts only while the
// stream waits for it.
enum class Part { split, send, compute, collect };
inline constexpr std::array<std::string_view, 4> part_names{"split", "send", "compute", "collect"};
inline constexpr std::array<std::string_view, 4> part_meanings{
    "copies that cut the operands up", "before a product, while it waits for operands",
    "products and additions", "after the last product"};
using PartSeconds = std::array<double, part_names.size()>;
constexpr std::size_t index_of(Part part) { return static_cast<std::size_t>(part); }

struct PartTimes {
  double seconds = 0;  // sum of the parts
  PartSeconds parts{};
};

class PartMarks {
 public:
  explicit PartMarks(Device& device) : device_(device) {}

  void begin(Stream& stream);
  void end_of(Part part, Stream& stream);  // a part may end several times; its times are added
  PartTimes read() const;                  // once the stream has passed the last mark

 private:
  struct Mark {
    Part part;
    std::unique_ptr<Event> event;
  };
  void record(Part part, Stream& stream);

  Device& device_;
  std::vector<Mark> marks_;  // reused, so that no event is made while a product is timed
  std::size_t used_ = 0;
};

}  // namespace breakeven::bench
