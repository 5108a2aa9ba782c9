// SPDX-License-Identifier: Apache-2.0
// What all compressed sums share: error feedback (Seide et al., Interspeech 2014, section 3.2; Stich et al.,
// "Sparsified SGD with Memory", NeurIPS 2018, algorithm 1). What a code leaves out of this gradient is added
// to the next one, by the rank that has it: the residual.
//
// A sum that is not finite leaves everything that is kept as it was: the step that it belongs to is skipped
// by all ranks (fp16 with its loss scale), or has failed for good.
#pragma once

#include "src/compression/gradient_sum.h"
#include "src/core/model/parameter_layout.h"

namespace breakeven {

class CompressedSum : public GradientSum {
 public:
  CompressedSum(Device& device, GradientRange range, Seat seat);

  ExchangePart prepare(std::size_t round, float* gradient, Stream& stream) final;
  void finish(float* gradient, Stream& stream) final;

 protected:
  // Makes the round's code of `gradient`, in which the last round leaves what the code leaves out.
  virtual ExchangePart encode(std::size_t round, float* gradient, Stream& stream) = 0;
  // *not_finite = 1 where anything received is not finite.
  virtual void look_through(std::uint32_t* not_finite, Stream& stream) = 0;
  // Changes what the form keeps beside the residual, unless *not_finite.
  virtual void keep(const std::uint32_t* /*not_finite*/, Stream& /*stream*/) {}
  // The sum of what was received, all of it but the padding, which is zero already.
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

}  // namespace breakeven
