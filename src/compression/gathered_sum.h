// SPDX-License-Identifier: Apache-2.0
// Compressed sums whose codes cannot be added: every rank gathers the messages of all, and decodes and adds
// them in rank order. What a rank receives grows with the number of ranks, which an all-reduce's does not.
#pragma once

#include "src/compression/compressed_sum.h"

namespace breakeven {

class GatheredSum : public CompressedSum {
 public:
  GatheredSum(Device& device, GradientRange range, Seat seat, std::size_t message_floats);

  std::size_t rounds() const final { return 1; }

 protected:
  ExchangePart encode(std::size_t round, float* gradient, Stream& stream) final;
  virtual void encode_message(float* gradient, float* message, Stream& stream) = 0;

  // What begins `offset` floats into every rank's message.
  Messages messages(std::size_t offset = 0) const;
  // The same, `floats` of each, a row a rank.
  ConstMatrix table(std::size_t offset, std::size_t floats) const;

 private:
  std::size_t message_floats_;
  Buffer messages_;
};

}  // namespace breakeven
