// SPDX-License-Identifier: Apache-2.0
// All ranks write into one prepared file: really collectively, over a communicator without a topology, and
// without a change to the file's metadata.
#include "src/hdf5/parallel/parallel_file.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "mpi/mpi_call.h"
#include "src/core/failure.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

// A file for one run of all ranks, prepared by rank 0 and known to all.
class OnAllRanks : public testing::Test {
 protected:
  static constexpr std::uint32_t steps = 5;

  void SetUp() override {
    char name[256] = "";
    if (test_session().is_root()) {
      const auto folder = std::filesystem::temp_directory_path() / "breakeven-XXXXXX";
      ASSERT_LT(folder.string().size(), sizeof name);
      folder.string().copy(name, sizeof name - 1);
      ASSERT_NE(mkdtemp(name), nullptr);
    }
    MPI_CALL(MPI_Bcast(name, sizeof name, MPI_CHAR, 0, test_session().world()));
    folder_ = name;
    path_ = folder_ + "/results.h5";
    if (test_session().is_root()) hdf5::prepare_file(path_, hdf5::OpenMode::create, plan());
    MPI_CALL(MPI_Barrier(test_session().world()));
  }
  void TearDown() override {
    MPI_CALL(MPI_Barrier(test_session().world()));
    if (test_session().is_root()) std::filesystem::remove_all(folder_);
  }

  hdf5::LaunchPlan plan() const {
    const std::size_t ranks = test_session().size();
    hdf5::LaunchPlan plan;
    plan.launch.topology.ranks.resize(ranks);
    plan.launch.topology.links.resize(ranks * ranks);
    plan.runs.resize(1);
    plan.runs[0].planned.what.gpus = static_cast<int>(ranks);
    plan.runs[0].planned.what.batch = 64;
    plan.runs[0].steps = steps;
    return plan;
  }
  RunRecord record() const {
    RunRecord record(steps);
    for (std::uint32_t step = 0; step < steps; ++step)
      record.at(step, Phase::step) = test_session().rank() + step;
    return record;
  }
  const std::string& path() const { return path_; }

 private:
  std::string folder_;
  std::string path_;
};

TEST_F(OnAllRanks, WritesAreCollectiveAndRanksMaySitOut) {
  const hdf5::Variable& seconds = hdf5::variable_named("seconds");
  const RunRecord mine = record();
  const int writer = test_session().size() - 1;  // all others have nothing to write
  const hdf5::Block block = hdf5::block_of(seconds, 0, test_session().rank(), steps);
  hdf5::ParallelFile file(path(), MPI_COMM_WORLD);
  file.write(seconds, test_session().rank() == writer ? &block : nullptr,
             mine.seconds.data());  // throws otherwise
  file.close();

  MPI_CALL(MPI_Barrier(test_session().world()));
  const Results results = hdf5::read_results(path());
  EXPECT_EQ(results.runs[0].ranks[writer].at(4, Phase::step), writer + 4.0);
  if (writer > 0) {
    EXPECT_NE(results.runs[0].ranks[0].at(4, Phase::step), results.runs[0].ranks[0].at(4, Phase::step));
  }
}

// A conversion of types is one of the things that make HDF5 write independently.
TEST_F(OnAllRanks, AnIndependentWriteIsRefused) {
  const hdf5::Block block{{0, static_cast<hsize_t>(test_session().rank())}, {1, 1}};
  const std::uint8_t byte = 1;
  hdf5::ParallelFile file(path(), MPI_COMM_WORLD);
  EXPECT_THROW(file.write(hdf5::variable_named("checksum"), &block, &byte), Failure);
  file.close();
}

TEST_F(OnAllRanks, TheCommunicatorIsAPlainDuplicateOfTheWorld) {
  hdf5::ParallelFile file(path(), MPI_COMM_WORLD);
  const hdf5::H5Properties access(H5_CALL(H5Fget_access_plist(file.id()), path()));
  MPI_Comm used = MPI_COMM_NULL;
  MPI_Info info = MPI_INFO_NULL;
  H5_CALL(H5Pget_fapl_mpio(access.get(), &used, &info), path());

  int relation = MPI_UNEQUAL;
  MPI_CALL(MPI_Comm_compare(used, MPI_COMM_WORLD, &relation));
  EXPECT_EQ(relation, MPI_CONGRUENT);
  int topology = MPI_CART;
  MPI_CALL(MPI_Topo_test(used, &topology));
  EXPECT_EQ(topology, MPI_UNDEFINED);

  MPI_CALL(MPI_Comm_free(&used));
  if (info != MPI_INFO_NULL) MPI_CALL(MPI_Info_free(&info));
  file.close();
}

// What makes a kill harmless: until the file is closed only numbers change, so that the bytes which differ
// from the prepared file lie within the numbers.
TEST_F(OnAllRanks, NothingButNumbersChangesWhileTheFileIsOpen) {
  const auto contents = [&] {
    std::ifstream file(path(), std::ios::binary);
    return std::string{std::istreambuf_iterator<char>(file), {}};
  };
  const std::string before = contents();
  MPI_CALL(MPI_Barrier(test_session().world()));

  hdf5::ParallelFile file(path(), MPI_COMM_WORLD);
  const hdf5::Variable& seconds = hdf5::variable_named("seconds");
  const RunRecord mine = record();
  const hdf5::Block block = hdf5::block_of(seconds, 0, test_session().rank(), steps);
  file.write(seconds, &block, mine.seconds.data());
  MPI_CALL(MPI_Barrier(test_session().world()));

  const std::string after = contents();
  ASSERT_EQ(after.size(), before.size());
  std::size_t first = after.size();
  std::size_t last = 0;
  for (std::size_t i = 0; i < after.size(); ++i)
    if (after[i] != before[i]) {
      first = std::min(first, i);
      last = i;
    }
  ASSERT_LE(first, last) << "nothing was written";
  EXPECT_LT(last - first, test_session().size() * steps * phase_count * sizeof(double));
  MPI_CALL(MPI_Barrier(test_session().world()));
  file.close();
}

}  // namespace
}  // namespace breakeven
