// SPDX-License-Identifier: Apache-2.0
// What all compressed sums share: error feedback (Seide et al., Interspeech 2014, section 3.2; Stich et al.,
// "Sparsified SGD with Memory", NeurIPS 2018, algorithm 1). Each rank keeps what its compressed gradient
// leaves out, the residual, and adds it to its next gradient.
//
// A sum that is not finite changes neither the residual nor other kept state: all ranks skip that step (fp16
// with its loss scale), or training has diverged.
#pragma once

#include "src/compression/gradient_sum.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven::compression {

class CompressedSum : public GradientSum {
 public:
  CompressedSum(Device& device, GradientRange range, Seat seat);

  ExchangePart prepare(std::size_t round, float* gradient, Stream& stream) final;
  void finish(float* gradient, Stream& stream) final;

 protected:
  // Compresses `gradient` for this round. The last round leaves the residual in `gradient`.
  virtual ExchangePart encode(std::size_t round, float* gradient, Stream& stream) = 0;
  // Sets *not_finite to 1 if anything received is not finite.
  virtual void find_not_finite(std::uint32_t* not_finite, Stream& stream) = 0;
  // Updates kept state other than the residual, unless *not_finite.
  virtual void keep(const std::uint32_t* /*not_finite*/, Stream& /*stream*/) {}
  // Writes the sum of what was received, except the padding, which is zero already.
  virtual void decode(float* gradient, Stream& stream) = 0;

  Device& device() const { return device_; }
  const GradientRange& range() const { return range_; }
  Seat seat() const { return seat_; }
  std::size_t ranks() const { return static_cast<std::size_t>(seat_.ranks); }

 private:
  Device& device_;
  GradientRange range_;
  Seat seat_;
  Buffer residual_;
  Buffer not_finite_;
};

// Compressed sums whose messages cannot be added in compressed form. Each rank gathers the messages of all
// ranks, decodes them and adds them in rank order. What a rank receives grows with the number of ranks,
// unlike in an all-reduce.
class GatheredSum : public CompressedSum {
 public:
  GatheredSum(Device& device, GradientRange range, Seat seat, std::size_t message_floats);

  std::size_t rounds() const final { return 1; }

 protected:
  ExchangePart encode(std::size_t round, float* gradient, Stream& stream) final;
  virtual void encode_message(float* gradient, float* message, Stream& stream) = 0;

  // The part of each rank's message that begins `offset` floats into it.
  Messages messages(std::size_t offset = 0) const;
  // The same as a matrix of `floats` columns, one row per rank.
  ConstMatrix table(std::size_t offset, std::size_t floats) const;

 private:
  std::size_t message_floats_;
  Buffer messages_;
};

}  // namespace breakeven::compression
