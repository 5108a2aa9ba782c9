// SPDX-License-Identifier: Apache-2.0
// libFuzzer's bytes as decisions, so that coverage guides them. After the last byte every decision is 0,
// which stands for what is right: the empty input changes nothing.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace breakeven::fuzz {

class Decisions {
 public:
  explicit Decisions(std::string_view bytes) : left_(bytes) {}

  bool is_over() const { return left_.empty(); }

  std::uint64_t number(int bytes) {
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | next();
    return value;
  }

  // From 0 to below `count`.
  std::size_t below(std::size_t count) {
    const int bytes = count <= 1u << 8 ? 1 : 2;
    return count == 0 ? 0 : number(bytes) % count;
  }

  template <typename Values>
  const auto& one_of(const Values& values) {
    return values[below(values.size())];
  }

  std::string_view take(std::size_t bytes) {
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(taken.size());
    return taken;
  }

  std::string text() { return std::string(take(next())); }

 private:
  std::uint8_t next() {
    if (left_.empty()) return 0;
    const auto byte = static_cast<std::uint8_t>(left_.front());
    left_.remove_prefix(1);
    return byte;
  }

  std::string_view left_;
};

}  // namespace breakeven::fuzz
