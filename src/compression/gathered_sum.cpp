// SPDX-License-Identifier: Apache-2.0
#include "src/compression/gathered_sum.h"

#include <utility>

namespace breakeven {

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

}  // namespace breakeven
