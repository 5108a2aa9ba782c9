// SPDX-License-Identifier: Apache-2.0
// A test program has the tests of all files in a folder, and runs those of the one that its first argument
// names: of test_NAME.cpp for NAME.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>

#include "src/core/failure.h"

namespace breakeven {

// Sets GoogleTest's filter to the tests of the file that is named, if one is; a filter that is given stays.
// Ends the program with ExitCode::usage if there is no such file, or if two tests have one name: a filter
// could not tell them apart. After InitGoogleTest.
inline void choose_tests(int argc, char** argv) {
  const auto refuse = [](const std::string& sentence) {
    std::fprintf(stderr, "%s\n", sentence.c_str());
    std::exit(static_cast<int>(ExitCode::usage));
  };
  std::set<std::string> names;
  std::string chosen;
  const std::string file = argc > 1 ? std::string("test_") + argv[1] : "";
  const testing::UnitTest& all = *testing::UnitTest::GetInstance();
  for (int i = 0; i < all.total_test_suite_count(); ++i) {
    const testing::TestSuite& suite = *all.GetTestSuite(i);
    for (int j = 0; j < suite.total_test_count(); ++j) {
      const testing::TestInfo& test = *suite.GetTestInfo(j);
      const std::string name = std::string(suite.name()) + "." + test.name();
      if (!names.insert(name).second) refuse("two tests are named " + name);
      if (std::filesystem::path(test.file()).stem() == file) chosen += name + ":";
    }
  }
  if (file.empty()) return;
  if (chosen.empty()) refuse("there is no test in a file named " + file + ".cpp");
  // A death test starts the program again, with its arguments and a filter of its own.
  if (testing::GTEST_FLAG(filter) == "*") testing::GTEST_FLAG(filter) = chosen;
}

}  // namespace breakeven
