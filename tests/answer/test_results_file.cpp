// SPDX-License-Identifier: Apache-2.0
// The parts of the results file that one process makes: cells, plans, older files, and a disk that is full.
#include <gtest/gtest.h>
#include <hdf5_hl.h>
#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <numeric>

#include "src/hdf5/cells.h"
#include "src/hdf5/checksums.h"
#include "src/hdf5/layout.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"
#include "tests/support/small_results_file.h"

namespace breakeven {
namespace {

TEST(Cell, TextBecomesUtf8) {
  EXPECT_EQ(hdf5::to_cell(std::string("größe \"1\"\n")), "größe \"1\"\n");
  EXPECT_EQ(hdf5::to_cell(std::string("caf\xE9!")), "caf\xEF\xBF\xBD!");
}

TEST(Cell, PairsKeepTheirOrderAndBytes) {
  const Pairs pairs{{"b", "1"}, {"a", "\"x\"\\\n\t"}, {"", ""}};
  Pairs back;
  hdf5::from_cell(hdf5::to_cell(pairs), back);
  EXPECT_EQ(back, pairs);
  EXPECT_NE(failure_of([&] { hdf5::from_cell(std::string("[1"), back); }), "no failure");
}

TEST_F(ResultsFile, HoldsThePlanBeforeAnythingIsMeasured) {
  EXPECT_EQ(hdf5::prepare_file(path(), hdf5::OpenMode::create, small_plan(4)).plan.first_run, 0u);
  EXPECT_EQ(hdf5::prepare_file(path(), hdf5::OpenMode::append, small_plan(7)).plan.first_run, 3u);
  const Results results = hdf5::read_results(path());
  ASSERT_EQ(results.launches.size(), 2u);
  ASSERT_EQ(results.runs.size(), 6u);
  for (const RecordedRun& run : results.runs) {
    EXPECT_EQ(run.status, RunStatus::planned);
    ASSERT_EQ(run.ranks.size(), 1u);
    for (const hdf5::Variable& variable : hdf5::variables())
      for (const double value : hdf5::values_of(run.ranks[0], variable))
        EXPECT_NE(value, value) << variable.name;
  }
  EXPECT_EQ(results.runs[5].launch, 1u);
  EXPECT_EQ(results.runs[5].steps, 7u);
}

TEST(Checksum, LeavesOutWhatAnOlderFileLacks) {
  RunRecord record(1);
  const std::uint64_t of_older = hdf5::checksum_of(record);
  record.skipped_steps = 0;
  EXPECT_NE(hdf5::checksum_of(record), of_older);
  EXPECT_TRUE(hdf5::variable_named("skipped_steps").is_addition);
  EXPECT_TRUE(hdf5::variable_named("staleness").is_addition);
  EXPECT_TRUE(hdf5::variable_named("start_seconds").is_addition);
  EXPECT_FALSE(hdf5::variable_named("test_accuracy").is_addition);
}

hdf5::H5File open_to_write(const std::string& path) {
  return hdf5::H5File(H5_CALL(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT), path));
}

// The scales of its dimensions list the variables that use them, so they are detached first.
void remove_variable(hid_t file, const hdf5::Variable& variable) {
  for (unsigned axis = 0; axis < variable.dimensions.size() && !variable.is_coordinate(); ++axis) {
    const auto dimension = static_cast<std::size_t>(variable.dimensions[axis]);
    const hdf5::H5Dataset dataset = hdf5::open_variable(file, variable);
    const hdf5::H5Dataset scale =
        hdf5::open_variable(file, hdf5::variable_named(hdf5::dimension_names[dimension]));
    H5_CALL(H5DSdetach_scale(dataset.get(), scale.get(), axis), "detaching a scale");
  }
  H5_CALL(H5Ldelete(file, std::string(variable.name).c_str(), H5P_DEFAULT), "removing a variable");
}

// What a program wrote that knew none of these.
void remove_additions(const std::string& path) {
  const hdf5::H5File file = open_to_write(path);
  for (const hdf5::Variable& variable : hdf5::variables())
    if (variable.is_addition && !variable.is_coordinate()) remove_variable(file.get(), variable);
  for (const hdf5::Variable& variable : hdf5::variables())
    if (variable.is_addition && variable.is_coordinate()) remove_variable(file.get(), variable);
}

// As programs before `product_precision` made it: a variable for each precision.
void give_old_rates(const std::string& path) {
  const hdf5::H5File file = open_to_write(path);
  for (const char* name : {"flops_per_second", "product_precision", "launch_checksum"})
    remove_variable(file.get(), hdf5::variable_named(name));
  const hsize_t shape[] = {1, 2};  // launches, ranks
  const hdf5::H5Space space(H5_CALL(H5Screate_simple(2, shape, nullptr), path));
  for (std::size_t i = 0; i < precisions.size(); ++i) {
    const std::string name = std::string(precisions[i].name) + "_flops_per_second";
    const hdf5::H5Dataset rates(H5_CALL(H5Dcreate2(file.get(), name.c_str(), H5T_IEEE_F64LE, space.get(),
                                                   H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
                                        path));
    for (hsize_t axis = 0; axis < 2; ++axis) {
      const hdf5::H5Dataset scale(
          H5_CALL(H5Dopen2(file.get(), axis == 0 ? "launch" : "rank", H5P_DEFAULT), path));
      H5_CALL(H5DSattach_scale(rates.get(), scale.get(), static_cast<unsigned>(axis)), path);
    }
    const double values[] = {1e12 * static_cast<double>(i + 1), 2e12 * static_cast<double>(i + 1)};
    H5_CALL(H5Dwrite(rates.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), path);
  }
}

void expect_old_rates(const Launch& launch) {
  ASSERT_EQ(launch.roofline.size(), 2u);
  for (const PrecisionInfo& info : precisions) {
    const auto place = static_cast<double>(index_of(info.precision) + 1);
    EXPECT_EQ(launch.roofline[0].flops(info.precision), 1e12 * place) << info.name;
    EXPECT_EQ(launch.roofline[1].flops(info.precision), 2e12 * place) << info.name;
  }
}

hdf5::LaunchPlan plan_of_two_ranks() {
  hdf5::LaunchPlan plan = small_plan(4);
  plan.launch.topology.ranks.resize(2);
  plan.launch.topology.links.resize(4);
  plan.launch.roofline.resize(2);
  return plan;
}

TEST_F(ResultsFile, RatesOfAVariableForEachPrecisionAreReadAndMoved) {
  hdf5::prepare_file(path(), hdf5::OpenMode::create, plan_of_two_ranks());
  give_old_rates(path());
  expect_old_rates(hdf5::read_results(path()).launches.at(0));

  hdf5::LaunchPlan plan = plan_of_two_ranks();
  plan.launch.roofline[1].flops(Precision::bf16) = 7;
  hdf5::prepare_file(path(), hdf5::OpenMode::append, plan);
  const Results grown = hdf5::read_results(path());
  expect_old_rates(grown.launches.at(0));
  EXPECT_EQ(grown.launches.at(1).roofline.at(1).flops(Precision::bf16), 7);
  EXPECT_TRUE(std::isnan(grown.launches.at(1).roofline.at(0).flops(Precision::bf16)));
  EXPECT_EQ(H5Lexists(open_to_write(path()).get(), "bf16_flops_per_second", H5P_DEFAULT), 0);
}

// Rates are stored by place.
TEST_F(ResultsFile, AFileWithOtherPrecisionsDoesNotGrow) {
  hdf5::LaunchPlan plan = small_plan(4);
  plan.launch.roofline.push_back({.copy_bytes_per_second = 3, .flops_per_second = {4, 5, 6, 7, 8}});
  hdf5::prepare_file(path(), hdf5::OpenMode::create, plan);
  {
    const hdf5::H5File file = open_to_write(path());
    remove_variable(file.get(), hdf5::variable_named("launch_checksum"));
    const std::string other = "fp8";
    hdf5::write_cells<std::string>(file.get(), hdf5::variable_named("product_precision"), {{1}, {1}},
                                   {&other, 1});
  }
  EXPECT_EQ(failure_of([&] { hdf5::prepare_file(path(), hdf5::OpenMode::append, small_plan(4)); }),
            path() + " has 'fp8' as number 1 of its product_precision names; this program has 'tf32x3'");
  const Roofline read = hdf5::read_results(path()).launches.at(0).roofline.at(0);
  EXPECT_EQ(read.flops(Precision::fp32), 4);
  EXPECT_TRUE(std::isnan(read.flops(Precision::tf32x3))) << "these are fp8's";
}

// As of a program that knows a transport that this one does not.
TEST_F(ResultsFile, TimesOfMessagesAreReadByTheNameOfTheirTransport) {
  hdf5::LaunchPlan plan = small_plan(4);
  MessageTimes& times = plan.launch.message_times;
  std::iota(times.connect_seconds.begin(), times.connect_seconds.end(), 1.0);
  hdf5::prepare_file(path(), hdf5::OpenMode::create, plan);
  {
    const hdf5::H5File file = open_to_write(path());
    remove_variable(file.get(), hdf5::variable_named("launch_checksum"));
    const std::string names[] = {std::string(name_of(Transport::nccl)), "pigeon"};
    hdf5::write_cells<std::string>(file.get(), hdf5::variable_named("transport"), {{0}, {2}}, names);
  }
  const MessageTimes read = hdf5::read_results(path()).launches.at(0).message_times;
  EXPECT_EQ(read.connect_seconds.at(*place_of(Transport::nccl)), 1) << "the file's first";
  EXPECT_TRUE(std::isnan(read.connect_seconds.at(*place_of(Transport::mpi))));
}

TEST_F(ResultsFile, FilesOfOlderProgramsOpenAndGrow) {
  hdf5::prepare_file(path(), hdf5::OpenMode::create, small_plan(4));
  remove_additions(path());
  const Results older = hdf5::read_results(path());
  ASSERT_EQ(older.launches.size(), 1u);
  ASSERT_EQ(older.launches[0].roofline.size(), 1u);
  EXPECT_TRUE(std::isnan(older.launches[0].roofline[0].node_seconds));
  EXPECT_EQ(older.launches[0].copy_method, "");
  EXPECT_TRUE(std::isnan(older.runs[0].ranks[0].skipped_steps));
  const auto is_not_measured = [](double seconds) { return std::isnan(seconds); };
  EXPECT_TRUE(std::ranges::all_of(older.launches[0].message_times.seconds, is_not_measured));

  hdf5::LaunchPlan plan = small_plan(4);
  plan.launch.roofline.resize(1);
  plan.launch.roofline[0].node_seconds = 1.5e-6;
  plan.launch.copy_method = copied_by_processor;
  plan.launch.message_times = MessageTimes(3);
  plan.launch.message_times.of(1, 3, Collective::send)[13] = 2.5;
  plan.launch.message_times.connect_seconds[plan.launch.message_times.place_of(0, 3)] = 1.25;
  hdf5::prepare_file(path(), hdf5::OpenMode::append, plan);
  const Results grown = hdf5::read_results(path());
  ASSERT_EQ(grown.launches.size(), 2u);
  EXPECT_TRUE(std::isnan(grown.launches[0].roofline[0].node_seconds));
  EXPECT_EQ(grown.launches[1].roofline[0].node_seconds, 1.5e-6);
  EXPECT_EQ(grown.launches[0].copy_method, "");
  EXPECT_EQ(grown.launches[1].copy_method, copied_by_processor);
  EXPECT_TRUE(std::isnan(grown.launches[1].roofline[0].flops(Precision::bf16)));
  EXPECT_TRUE(std::ranges::all_of(grown.launches[0].message_times.seconds, is_not_measured));
  const MessageTimes& times = grown.launches[1].message_times;
  EXPECT_EQ(times.largest_group, 3);
  EXPECT_EQ(times.of(1, 3, Collective::receive)[13], 2.5);
  EXPECT_EQ(times.connect_seconds[times.place_of(0, 3)], 1.25);
  EXPECT_TRUE(std::isnan(times.connect_seconds[times.place_of(1, 3)]));
  EXPECT_EQ(std::ranges::count_if(times.seconds, is_not_measured),
            static_cast<std::ptrdiff_t>(times.seconds.size()) - 1);
}

TEST_F(ResultsFile, OneLaunchAtATime) {
  const hdf5::PreparedFile first = hdf5::prepare_file(path(), hdf5::OpenMode::create, small_plan(4));
  const std::string said =
      failure_of([&] { hdf5::prepare_file(path(), hdf5::OpenMode::append, small_plan(4)); });
  EXPECT_NE(said.find("is being written by another launch"), std::string::npos) << said;
  EXPECT_EQ(hdf5::read_results(path()).runs.size(), 3u);  // readers are welcome
}

// In a process of its own, as in the program: HDF5 cannot go on after a close that failed.
TEST_F(ResultsFile, AFullDiskIsSaidInOneLineAndLeavesTheOldFile) {
  hdf5::prepare_file(path(), hdf5::OpenMode::create, small_plan(4));
  const auto size_before = std::filesystem::file_size(path());
  const auto fill_the_disk = [&] {
    const rlimit limit{2 * size_before, 2 * size_before};
    setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, SIG_IGN);
    const std::string said =
        failure_of([&] { hdf5::prepare_file(path(), hdf5::OpenMode::append, small_plan(100000)); });
    std::fprintf(stderr, "%s\n", said.c_str());
    std::_Exit(static_cast<int>(ExitCode::file));
  };
  EXPECT_EXIT(fill_the_disk(), testing::ExitedWithCode(5), "^[^\n]*File too large[^\n]*\n$");
  EXPECT_EQ(std::filesystem::file_size(path()), size_before);
  EXPECT_EQ(hdf5::read_results(path()).runs.size(), 3u);
}

TEST_F(ResultsFile, AFailedCallNamesItselfItsPlaceAndTheInnermostCause) {
  hdf5::silence_h5();
  const std::string said = failure_of(
      [&] { H5_CALL(H5Fopen("/no/such.h5", H5F_ACC_RDONLY, H5P_DEFAULT), "looking for " + path()); });
  EXPECT_NE(said.find("test_results_file.cpp:"), std::string::npos) << said;
  EXPECT_NE(said.find("H5Fopen(\"/no/such.h5\", "), std::string::npos) << said;
  EXPECT_NE(said.find("No such file or directory"), std::string::npos) << said;
  EXPECT_NE(said.find("(looking for " + path() + ")"), std::string::npos) << said;
}

}  // namespace
}  // namespace breakeven
