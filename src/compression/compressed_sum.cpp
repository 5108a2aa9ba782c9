// SPDX-License-Identifier: Apache-2.0
#include "src/compression/compressed_sum.h"

#include <utility>

namespace breakeven::compression {

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
  find_not_finite(not_finite, stream);
  device_.copy_unless(not_finite, range_.floats, gradient, residual_.as<float>(), stream);
  keep(not_finite, stream);
  decode(gradient, stream);
}

GatheredSum::GatheredSum(Device& device, GradientRange range, Seat seat, std::size_t message_floats)
    : CompressedSum(device, std::move(range), seat),
      message_floats_(message_floats),
      messages_(device, ranks() * message_floats * sizeof(float), false, "messages of all ranks") {}

ExchangePart GatheredSum::encode(std::size_t /*round*/, float* gradient, Stream& stream) {
  float* const first = messages_.as<float>();
  encode_message(gradient, first + static_cast<std::size_t>(seat().rank) * message_floats_, stream);
  return {ExchangePart::Kind::all_gather, first, message_floats_};
}

Messages GatheredSum::messages(std::size_t offset) const {
  return {messages_.as<float>() + offset, message_floats_, seat().ranks};
}

ConstMatrix GatheredSum::table(std::size_t offset, std::size_t floats) const {
  return {messages_.as<float>() + offset, seat().ranks, static_cast<std::int64_t>(floats),
          static_cast<std::int64_t>(message_floats_)};
}

}  // namespace breakeven::compression
