// SPDX-License-Identifier: Apache-2.0
// A buffer from parts of others: every float of a part arrives, and what belongs to none is zero.
#include "tests/support/device_under_test.h"

namespace breakeven {
namespace {

class Assemble : public DeviceTest {};

TEST_F(Assemble, CopiesThePartsAndClearsTheRest) {
  for (const std::size_t parts : {0u, 1u, 6u, 40u}) {
    SCOPED_TRACE(testing::Message() << parts << " parts");
    const std::vector<float> values = to_float(random_values(5000, 1));
    const DeviceArray<float> source(device(), stream(), values);
    const DeviceArray<float> whole(device(), stream(), std::vector<float>(9001, 99.0f));
    std::vector<float> expected(9001, 0.0f);
    std::vector<FloatsPart> all;
    for (std::size_t p = 0; p < parts; ++p) {
      const std::size_t from = 97 * p, begin = 3 + 200 * p, count = 1 + 7 * (p % 20);
      all.push_back({source.data() + from, begin, count});
      std::copy_n(values.begin() + static_cast<std::ptrdiff_t>(from), count,
                  expected.begin() + static_cast<std::ptrdiff_t>(begin));
    }
    device().assemble(all, whole.span(), stream());
    EXPECT_EQ(whole.download(), expected);
  }
}

TEST_F(Assemble, OfNothingIsAllowed) { device().assemble({}, {}, stream()); }

}  // namespace
}  // namespace breakeven
