// SPDX-License-Identifier: Apache-2.0
// Each dtype chooses its own type.
#include "kernels/with_dtype.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "kernels/host/dtype.h"

namespace breakeven {
namespace {

struct SomeBf16 {};
struct SomeFp16 {};

template <typename Expected>
bool chooses(Dtype dtype) {
  int calls = 0;
  bool is_expected = false;
  with_dtype_among<SomeBf16, SomeFp16>(dtype, [&](auto tag) {
    ++calls;
    is_expected = std::is_same_v<typename decltype(tag)::Type, Expected>;
  });
  return calls == 1 && is_expected;
}

TEST(WithDtype, ChoosesTheTypeOfTheDtype) {
  EXPECT_TRUE(chooses<float>(Dtype::fp32));
  EXPECT_TRUE(chooses<SomeBf16>(Dtype::bf16));
  EXPECT_TRUE(chooses<SomeFp16>(Dtype::fp16));
  EXPECT_FALSE(chooses<SomeFp16>(Dtype::bf16));
}

TEST(WithDtype, TheHostsTypesAreAsLargeAsTheirDtypes) {
  for (const Dtype dtype : {Dtype::fp32, Dtype::bf16, Dtype::fp16}) {
    with_dtype(dtype, [&](auto tag) {
      EXPECT_EQ(static_cast<std::int64_t>(sizeof(typename decltype(tag)::Type)), bytes_of(dtype));
    });
  }
}

}  // namespace
}  // namespace breakeven
