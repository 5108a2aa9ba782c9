// SPDX-License-Identifier: Apache-2.0
// A failure carries its text and its exit code, and the codes are those of the documentation.
#include "src/core/failure.h"

#include <gtest/gtest.h>

#include <type_traits>

#include "kernels/device.h"

namespace breakeven {
namespace {

TEST(Failure, CarriesTextAndCode) {
  const Failure failure(ExitCode::timeout, "exchange.cpp:7: wait -> nothing came (ddp)");
  EXPECT_EQ(failure.code(), ExitCode::timeout);
  EXPECT_STREQ(failure.what(), "exchange.cpp:7: wait -> nothing came (ddp)");
  EXPECT_TRUE((std::is_base_of_v<std::exception, Failure>));
}

TEST(Failure, ExitCodesAreWhatScriptsRelyOn) {
  EXPECT_EQ(static_cast<int>(ExitCode::success), 0);
  EXPECT_EQ(static_cast<int>(ExitCode::usage), 1);
  EXPECT_EQ(static_cast<int>(ExitCode::environment), 2);
  EXPECT_EQ(static_cast<int>(ExitCode::wrong_numbers), 3);
  EXPECT_EQ(static_cast<int>(ExitCode::timeout), 4);
  EXPECT_EQ(static_cast<int>(ExitCode::file), 5);
  EXPECT_EQ(static_cast<int>(ExitCode::interrupted), 6);
  EXPECT_EQ(static_cast<int>(ExitCode::gate), 7);
  EXPECT_EQ(static_cast<int>(ExitCode::inconclusive), 8);
  EXPECT_EQ(static_cast<int>(ExitCode::skipped), 77);
}

TEST(Failure, AMissingGpuIsOneSentence) {
  const int beyond = visible_gpus();
  try {
    make_cuda_device(beyond);
    FAIL() << "made a device of GPU " << beyond << ", of " << beyond;
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::environment);
    const std::string text = failure.what();
    EXPECT_NE(text.find(" -> "), std::string::npos) << text;
    EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  }
}

}  // namespace
}  // namespace breakeven
