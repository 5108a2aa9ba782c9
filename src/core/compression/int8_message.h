// SPDX-License-Identifier: Apache-2.0
// How long a message of 8-bit numbers is (kernels/int8_compression.h).
#pragma once

#include <cstddef>

namespace breakeven {

constexpr int int8_block = 256;

constexpr std::size_t int8_blocks(std::size_t count) { return (count + int8_block - 1) / int8_block; }
constexpr std::size_t int8_message_floats(std::size_t count) { return int8_blocks(count) + (count + 3) / 4; }

}  // namespace breakeven
