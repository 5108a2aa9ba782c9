// SPDX-License-Identifier: Apache-2.0
#include "src/compression/compressed_sum.h"

#include <utility>

namespace breakeven {

CompressedSum::CompressedSum(Device& device, GradientRange range, Seat seat)
    : device_(device),
      range_(std::move(range)),
      seat_(seat),
      residual_(device, range_.floats * sizeof(float), false, "residual of a compressed gradient"),
      not_finite_(device, sizeof(std::uint32_t), false, "flag of a compressed gradient") {}

ExchangePart CompressedSum::prepare(std::size_t round, float* gradient, Stream& stream) {
  if (round == 0) device_.add(range_.floats, residual_.as<float>(), gradient, stream);
  return encode(round, gradient, stream);
}

void CompressedSum::finish(float* gradient, Stream& stream) {
  auto* const not_finite = not_finite_.as<std::uint32_t>();
  device_.fill_zero(not_finite, sizeof(std::uint32_t), stream);
  look_through(not_finite, stream);
  device_.copy_unless(not_finite, range_.floats, gradient, residual_.as<float>(), stream);
  keep(not_finite, stream);
  decode(gradient, stream);
}

}  // namespace breakeven
