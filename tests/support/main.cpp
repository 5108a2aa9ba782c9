// SPDX-License-Identifier: Apache-2.0
// The main of tests that need neither ranks nor a device.
#include <gtest/gtest.h>

#include "tests/support/chosen_tests.h"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  breakeven::choose_tests(argc, argv);
  return RUN_ALL_TESTS();
}
