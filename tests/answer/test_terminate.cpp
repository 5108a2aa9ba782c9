// SPDX-License-Identifier: Apache-2.0
// What the standard library throws ends the program in its own words, with its own exit code.
#include "src/core/terminate.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>

namespace breakeven {
namespace {

[[noreturn]] void end_with(const std::function<void()>& work) {
  install_terminate_handler();
  report_input_as("big.h5");
  [&]() noexcept { work(); }();
  std::exit(0);
}

void expect_end(const std::function<void()>& work, const char* words) {
  EXPECT_EXIT(end_with(work), testing::ExitedWithCode(2), words);
}

TEST(Terminate, LibraryTextsNeverReachAUser) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  expect_end([] { throw std::bad_alloc(); }, "^breakeven: there is not enough memory for big.h5\n$");
  expect_end([] { std::string().resize(std::string().max_size() + 1); },
             "^breakeven: big.h5 asks for more than fits into memory\n$");
  expect_end([] { std::filesystem::create_directory("/proc/none/such"); },
             "^breakeven: /proc/none/such: No such file or directory\n$");
  expect_end(
      [] { static_cast<void>(std::string("a").substr(2)); },
      "^breakeven: breakeven cannot handle big.h5. Please report it[^:]*: this is a fault of the program\n$");
  expect_end([] { throw std::runtime_error("a text of some library"); }, "cannot handle big.h5");
}

TEST(Terminate, AFailureKeepsItsSentenceInOneLineWithoutControlCharacters) {
  EXPECT_EXIT(end_with([] { throw Failure(ExitCode::file, "two\nlines \x1b[1m"); }),
              testing::ExitedWithCode(5), "^breakeven: two lines \\\\x1b\\[1m\n$");
}

}  // namespace
}  // namespace breakeven
