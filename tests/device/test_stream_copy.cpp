// SPDX-License-Identifier: Apache-2.0
// The copy of the roofline: every float arrives, and none beside them changes.
#include "tests/support/device_under_test.h"

namespace breakeven {
namespace {

class StreamCopy : public DeviceTest {};

// Sizes around a quad, a block, and the whole grid of a large GPU; the buffers begin on every place beside a
// 16-byte border.
TEST_F(StreamCopy, CopiesEveryFloatAndNoOther) {
  for (const std::size_t count : {1u, 3u, 4u, 5u, 799u, 1024u, 4'500'003u}) {
    for (const std::size_t from : {0u, 1u}) {
      for (const std::size_t to : {0u, 3u, 4u}) {
        SCOPED_TRACE(testing::Message() << count << " floats from " << from << " to " << to);
        const std::vector<float> values = to_float(random_values(count + from, 1));
        const DeviceArray<float> source(device(), stream(), values);
        const DeviceArray<float> target(device(), stream(), std::vector<float>(count + to + 4, 99.0f));
        device().stream_copy(count, source.data() + from, target.data() + to, stream());
        std::vector<float> expected(count + to + 4, 99.0f);
        std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from), count,
                    expected.begin() + static_cast<std::ptrdiff_t>(to));
        EXPECT_EQ(target.download(), expected);
      }
    }
  }
}

TEST_F(StreamCopy, OfNothingIsAllowed) {
  const DeviceArray<float> target(device(), stream(), {99.0f});
  device().stream_copy(0, nullptr, target.data(), stream());
  EXPECT_EQ(target.download(), std::vector<float>{99.0f});
}

}  // namespace
}  // namespace breakeven
