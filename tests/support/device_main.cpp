// SPDX-License-Identifier: Apache-2.0
// The main of the device tests: environment BREAKEVEN_TEST_DEVICE names the device, "host" where it is not
// set. Exit code 77 tells CTest that a test was skipped for want of a GPU.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "kernels/device.h"
#include "src/core/failure.h"
#include "tests/support/chosen_tests.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  breakeven::choose_tests(argc, argv);
  const char* named = std::getenv("BREAKEVEN_TEST_DEVICE");
  const std::string device = named == nullptr ? "host" : named;
  if (device != "host" && device != "cuda") {
    std::fprintf(stderr, "BREAKEVEN_TEST_DEVICE is '%s': it can be host or cuda\n", device.c_str());
    return static_cast<int>(breakeven::ExitCode::usage);
  }
  if (device == "cuda" && breakeven::visible_gpus() == 0) {
    std::fprintf(stderr, "skipped: no GPU is visible to this process\n");
    return static_cast<int>(breakeven::ExitCode::skipped);
  }
  return RUN_ALL_TESTS();
}
