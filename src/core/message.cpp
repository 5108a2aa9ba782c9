// SPDX-License-Identifier: Apache-2.0
#include "src/core/message.h"

namespace breakeven {

Traffic traffic_of(std::span<const Message> messages) {
  Traffic sum;
  for (const Message& message : messages) {
    sum = sum + Traffic{message.calls, message.calls * message.bytes};
  }
  return sum;
}

MeanTraffic mean_traffic_of(std::span<const Message> messages) {
  MeanTraffic mean;
  for (const Message& message : messages) {
    mean.calls += message.calls_a_step();
    mean.bytes += message.calls_a_step() * static_cast<double>(message.bytes);
  }
  return mean;
}

}  // namespace breakeven
