// SPDX-License-Identifier: Apache-2.0
// The largest values and their places against a stable sort, ties and NaN included.
#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include "tests/support/device_under_test.h"
#include "tests/support/near.h"

namespace breakeven {
namespace {

std::uint32_t bits_of(float value) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// Ascending places of the `chosen` largest magnitudes, of equal ones the first; NaN before all.
std::vector<std::uint32_t> places_of_largest(const std::vector<float>& values, std::size_t chosen) {
  const auto size = [&](std::uint32_t i) {
    return std::isnan(values[i]) ? std::numeric_limits<double>::infinity()
                                 : std::min<double>(std::abs(values[i]), 1e300);
  };
  std::vector<std::uint32_t> places(values.size());
  std::iota(places.begin(), places.end(), 0u);
  std::stable_sort(places.begin(), places.end(), [&](auto a, auto b) { return size(a) > size(b); });
  places.resize(chosen);
  std::sort(places.begin(), places.end());
  return places;
}

class TopkCompression : public DeviceTest {
 protected:
  static void expect_largest(const std::vector<float>& values, std::size_t chosen) {
    SCOPED_TRACE(testing::Message() << chosen << " of " << values.size());
    const DeviceArray<float> array(device(), stream(), values);
    const DeviceArray<float> message(device(), stream(), std::vector<float>(2 * chosen));
    device().encode_topk(values.size(), chosen, array.data(), message.data(), stream());
    const std::vector<float> sent = message.download();
    const std::vector<float> left = array.download();
    const std::vector<std::uint32_t> expected = places_of_largest(values, chosen);
    std::vector<float> remainder = values;
    for (std::size_t i = 0; i < chosen; ++i) {
      ASSERT_EQ(bits_of(sent[i]), expected[i]) << "place " << i;
      ASSERT_EQ(bits_of(sent[chosen + i]), bits_of(values[expected[i]])) << "value " << i;
      remainder[expected[i]] = 0;
    }
    for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(bits_of(left[i]), bits_of(remainder[i])) << i;
  }
};

TEST_F(TopkCompression, AgreesWithASort) {
  for (const std::size_t count : {1u, 2u, 31u, 1023u, 1024u, 1025u, 258433u, 1100003u}) {
    std::vector<double> values = random_values(count, 1);
    for (std::size_t i = 0; i < count; ++i) values[i] = std::ldexp(values[i], static_cast<int>(i % 60) - 30);
    for (const std::size_t chosen : {std::size_t{1}, count / 100, count / 3, count}) {
      if (chosen > 0) expect_largest(to_float(values), chosen);
    }
  }
}

// Magnitudes that differ in their last bits alone, so that all three passes of a radix select decide.
TEST_F(TopkCompression, TellsNeighbouringFloatsApart) {
  std::vector<float> values(5000);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const std::uint32_t bits = 0x3F800000u + static_cast<std::uint32_t>(i * 2654435761u % 4096u);
    std::memcpy(&values[i], &bits, sizeof bits);
  }
  expect_largest(values, 777);
}

TEST_F(TopkCompression, OfEqualOnesTakesTheFirst) {
  std::vector<float> values(10007);
  for (std::size_t i = 0; i < values.size(); ++i) {
    values[i] = static_cast<float>(static_cast<int>(i % 7) - 3);  // each magnitude thousands of times
  }
  for (const std::size_t chosen : {1u, 100u, 2861u, 5000u, 10006u}) expect_largest(values, chosen);
  expect_largest(std::vector<float>(4099, 0.0f), 41);
}

TEST_F(TopkCompression, NanAndInfinityComeFirst) {
  std::vector<float> values = to_float(random_values(5000, 1));
  values[100] = -std::numeric_limits<float>::infinity();
  values[4000] = std::numeric_limits<float>::quiet_NaN();
  expect_largest(values, 1);
  expect_largest(values, 2);
  expect_largest(values, 50);
}

TEST_F(TopkCompression, SumsMessagesInRankOrder) {
  constexpr std::size_t count = 10007;
  constexpr std::size_t chosen = 501;
  for (const int ranks : {1, 2, 4}) {
    const DeviceArray<float> all(device(), stream(),
                                 std::vector<float>(2 * chosen * static_cast<std::size_t>(ranks)));
    std::vector<float> expected(count, 0.0f);
    for (int rank = 0; rank < ranks; ++rank) {
      const std::vector<float> values = to_float(random_values(count, static_cast<std::uint32_t>(rank)));
      const DeviceArray<float> array(device(), stream(), values);
      device().encode_topk(count, chosen, array.data(),
                           all.data() + static_cast<std::size_t>(rank) * 2 * chosen, stream());
      for (const std::uint32_t place : places_of_largest(values, chosen)) expected[place] += values[place];
    }
    const DeviceArray<float> sum(device(), stream(), std::vector<float>(count, 99.0f));
    device().sum_topk(count, chosen, {all.data(), 2 * chosen, ranks}, sum.data(), stream());
    EXPECT_EQ(sum.download(), expected) << ranks;
  }
}

}  // namespace
}  // namespace breakeven
