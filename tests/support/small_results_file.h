// SPDX-License-Identifier: Apache-2.0
// A small results file in a folder of the test's own, and what its reader or writer says against it.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <functional>
#include <string>

#include "src/core/failure.h"
#include "src/hdf5/serial_file.h"

namespace breakeven {

// A folder that goes with the test.
class ResultsFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (std::filesystem::temp_directory_path() / "breakeven-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  std::string path() const { return folder_ / "results.h5"; }

 private:
  std::filesystem::path folder_;
};

inline hdf5::LaunchPlan small_plan(std::uint32_t steps) {
  hdf5::LaunchPlan plan;
  plan.launch.topology.ranks.resize(1);
  plan.launch.topology.links.resize(1);
  plan.runs.resize(3);
  for (RecordedRun& run : plan.runs) {
    run.steps = steps;
    run.planned.what.batch = 64;
  }
  return plan;
}

inline std::string failure_of(const std::function<void()>& call) {
  try {
    call();
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::file);
    return failure.what();
  }
  return "no failure";
}

}  // namespace breakeven
