// SPDX-License-Identifier: Apache-2.0
// Each element chooses its own type.
#include "kernels/with_element.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "kernels/host/element.h"

namespace breakeven {
namespace {

struct SomeBf16 {};
struct SomeFp16 {};

template <typename Expected>
bool chooses(Element element) {
  int calls = 0;
  bool is_expected = false;
  with_element_among<SomeBf16, SomeFp16>(element, [&](auto tag) {
    ++calls;
    is_expected = std::is_same_v<typename decltype(tag)::Type, Expected>;
  });
  return calls == 1 && is_expected;
}

TEST(WithElement, ChoosesTheTypeOfTheElement) {
  EXPECT_TRUE(chooses<float>(Element::fp32));
  EXPECT_TRUE(chooses<SomeBf16>(Element::bf16));
  EXPECT_TRUE(chooses<SomeFp16>(Element::fp16));
  EXPECT_FALSE(chooses<SomeFp16>(Element::bf16));
}

TEST(WithElement, TheHostsTypesAreAsLargeAsTheirElements) {
  for (const Element element : {Element::fp32, Element::bf16, Element::fp16}) {
    with_element(element, [&](auto tag) {
      EXPECT_EQ(static_cast<std::int64_t>(sizeof(typename decltype(tag)::Type)), bytes_of(element));
    });
  }
}

}  // namespace
}  // namespace breakeven
