// SPDX-License-Identifier: Apache-2.0
// 64-bit FNV-1a (Fowler, Noll and Vo, RFC 9923).
#pragma once

#include <cstdint>
#include <string_view>

namespace breakeven {

class Fnv1a {
 public:
  Fnv1a() = default;
  explicit Fnv1a(std::uint64_t value) : value_(value) {}  // goes on from an earlier value

  // A byte; or 32 bits at once, which is four times as fast as their bytes and gives another value.
  void add_word(std::uint64_t word) { value_ = (value_ ^ word) * 1099511628211u; }
  // The number's `bytes` lowest bytes, the lowest first.
  void add(std::uint64_t number, int bytes = 8) {
    for (int i = 0; i < bytes; ++i) add_word(static_cast<std::uint8_t>(number >> (8 * i)));
  }
  // The text's bytes and a zero.
  void add(std::string_view text) {
    for (const char byte : text) add_word(static_cast<std::uint8_t>(byte));
    add_word(0);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace breakeven
