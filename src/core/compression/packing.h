// SPDX-License-Identifier: Apache-2.0
// How much space packed values of a compressed gradient take: 8-bit values (kernels/int8_compression.h) and
// signs (kernels/gradient_compression.h).
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/core/ceil_div.h"
#include "src/core/cuda_qualifiers.h"

namespace breakeven {

constexpr int int8_block = 256;  // values with one scale

constexpr std::size_t int8_blocks(std::size_t count) { return ceil_div(count, std::size_t{int8_block}); }
constexpr std::size_t int8_message_floats(std::size_t count) {
  return int8_blocks(count) + ceil_div(count, sizeof(float));
}

// Words of 32 signs in a row of a matrix.
HOST_DEVICE std::int64_t sign_words(std::int64_t cols) { return (cols + 31) / 32; }

}  // namespace breakeven
