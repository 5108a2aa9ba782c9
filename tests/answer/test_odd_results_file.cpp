// SPDX-License-Identifier: Apache-2.0
// Results files that another launch replaces, that hold times which nobody can measure, or whose reading is
// ended from outside.
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

#include "src/hdf5/apart.h"
#include "src/hdf5/partial_file.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/write_results.h"
#include "tests/support/small_results_file.h"

namespace breakeven {
namespace {

// A launch is added while another one moves the file and makes a new one of its name.
TEST_F(ResultsFile, AnotherFileOfItsNameIsNotReplaced) {
  hdf5::prepare_file(path(), hdf5::OpenMode::create, small_plan(4));
  const auto replace = [&] {
    const hdf5::FileDescriptor replaced = hdf5::lock_to_replace(path());
    hdf5::PartialFile partial(path());
    std::filesystem::rename(path(), path() + ".moved");
    std::ofstream(path()) << "of another launch";
    partial.replace_target(0600, replaced);
  };
  EXPECT_NE(failure_of(replace).find("was moved or replaced while a launch was added"), std::string::npos);
  std::ifstream other(path());
  std::string content;
  std::getline(other, content);
  EXPECT_EQ(content, "of another launch");
  std::filesystem::rename(path() + ".moved", path());
  hdf5::prepare_file(path(), hdf5::OpenMode::append, small_plan(4));
  EXPECT_EQ(hdf5::read_results(path()).runs.size(), 6u);
  EXPECT_EQ(
      std::distance(std::filesystem::directory_iterator(std::filesystem::path(path()).parent_path()), {}), 1);
}

TEST_F(ResultsFile, StepsThatNobodyCanMeasureAreRefused) {
  for (const double seconds : {-1.0, 0.0, 1e-320, 1e308, std::numeric_limits<double>::infinity()}) {
    hdf5::LaunchPlan plan = small_plan(4);
    for (RecordedRun& run : plan.runs) {
      run.status = RunStatus::verified;
      run.ranks.assign(1, RunRecord(run.steps));
      for (std::uint32_t step = 0; step < run.steps; ++step) run.ranks[0].at(step, Phase::step) = 1e-3;
    }
    hdf5::write_results(path(), {plan.launch}, plan.runs);
    EXPECT_EQ(hdf5::read_results(path()).runs.size(), 3u);
    plan.runs[1].ranks[0].at(2, Phase::step) = seconds;
    hdf5::write_results(path(), {plan.launch}, plan.runs);
    EXPECT_NE(failure_of([&] { hdf5::read_results(path()); }).find("run 1 () is wrong: rank 0 has a step of"),
              std::string::npos)
        << seconds;
  }
}

// A system that is short of memory kills the child: nothing is wrong with the file.
TEST(Apart, AnEndFromOutsideIsNotDamage) {
  for (const int number : {SIGKILL, SIGTERM, SIGHUP}) {
    hdf5::Apart child({.memory_bytes = 1u << 20, .cpu_seconds = 9, .wall_seconds = 9},
                      [&](const hdf5::Sender&) {
                        std::signal(number, SIG_DFL);
                        std::raise(number);
                      });
    char byte = 0;
    EXPECT_FALSE(child.receive(&byte, 1));
    try {
      ADD_FAILURE() << child.end();
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.code(), ExitCode::environment);
    }
  }
}

}  // namespace
}  // namespace breakeven
