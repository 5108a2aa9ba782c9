// SPDX-License-Identifier: Apache-2.0
// The 64-bit FNV-1a hash (http://www.isthe.com/chongo/tech/comp/fnv/), with which the file finds damage. It
// protects against accidents, not against forgers.
#pragma once

#include <cstdint>
#include <string_view>

namespace breakeven::hdf5 {

class Fnv1a {
 public:
  Fnv1a() = default;
  explicit Fnv1a(std::uint64_t value) : value_(value) {}  // goes on from an earlier value

  void add_byte(std::uint8_t byte) { value_ = (value_ ^ byte) * 1099511628211u; }
  // The number's `bytes` lowest bytes, the lowest first.
  void add(std::uint64_t number, int bytes = 8) {
    for (int i = 0; i < bytes; ++i) add_byte(static_cast<std::uint8_t>(number >> (8 * i)));
  }
  // The text's bytes and a zero.
  void add(std::string_view text) {
    for (const char byte : text) add_byte(static_cast<std::uint8_t>(byte));
    add_byte(0);
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 14695981039346656037u;
};

}  // namespace breakeven::hdf5
