// SPDX-License-Identifier: Apache-2.0
#include "mpi/session.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <thread>

#include "mpi/mpi_call.h"
#include "mpi/transports.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

double cpu_seconds() {
  rusage usage = {};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

TEST(Session, KnowsItsPlace) {
  const Session& session = test_session();
  int rank = -1;
  int size = -1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  EXPECT_EQ(session.rank(), rank);
  EXPECT_EQ(session.size(), size);
  EXPECT_EQ(session.is_root(), rank == 0);
  EXPECT_EQ(session.node_rank(), rank) << "the tests' ranks are all on one host";
  EXPECT_EQ(session.node_size(), size);
  EXPECT_FALSE(session.host().empty());
  EXPECT_EQ(session.host().find('.'), std::string::npos);
}

TEST(Session, WorldIsADuplicateThatReturnsErrors) {
  int relation = MPI_UNEQUAL;
  MPI_Comm_compare(test_session().world(), MPI_COMM_WORLD, &relation);
  EXPECT_EQ(relation, MPI_CONGRUENT);
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  MPI_Comm_get_errhandler(test_session().world(), &handler);
  EXPECT_EQ(handler, MPI_ERRORS_RETURN);
}

TEST(Session, AgreesOnTheWorstCode) {
  const Session& session = test_session();
  EXPECT_EQ(session.agree(ExitCode::success), ExitCode::success);
  const bool last = session.rank() == session.size() - 1;
  EXPECT_EQ(session.agree(last ? ExitCode::timeout : ExitCode::usage), ExitCode::timeout);
}

TEST(Session, FirstRanksKeepTheirOrder) {
  const Session& session = test_session();
  for (int count = 1; count <= session.size(); ++count) {
    MPI_Comm group = session.first_ranks(count);
    ASSERT_EQ(group == MPI_COMM_NULL, session.rank() >= count);
    if (group == MPI_COMM_NULL) continue;
    int rank = -1;
    int size = -1;
    MPI_Comm_rank(group, &rank);
    MPI_Comm_size(group, &size);
    EXPECT_EQ(rank, session.rank());
    EXPECT_EQ(size, count);
    MPI_Comm_free(&group);
  }
}

TEST(Session, SleepyBarrierWaitsForTheLastWithoutSpinning) {
  const Session& session = test_session();
  session.sleepy_barrier();
  const auto start = std::chrono::steady_clock::now();
  const double cpu_start = cpu_seconds();
  if (session.is_root()) std::this_thread::sleep_for(std::chrono::milliseconds(600));
  session.sleepy_barrier();
  const double waited = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  EXPECT_GE(waited, 0.59);
  EXPECT_LE(cpu_seconds() - cpu_start, 0.12) << "a spinning wait takes 0.6 s of processor time";
}

TEST(Session, SetsSafeDefaults) {
  EXPECT_STREQ(std::getenv("NCCL_NVLS_ENABLE"), "0");
  EXPECT_STREQ(std::getenv("OMPI_MCA_fbtl_posix_write_datasieving"), "0");
  EXPECT_STREQ(std::getenv("OMPI_MCA_sharedfp"), "^lockedfile");
}

TEST(MpiCall, ThrowsTheCallAndMpisErrorText) {
  MPI_CALL(MPI_Barrier(test_session().world()));
  try {
    MPI_CALL(MPI_Send(nullptr, 0, MPI_BYTE, 1 << 20, 0, test_session().world()), "to nobody");
    FAIL() << "an impossible rank was accepted";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.code(), ExitCode::environment);
    const std::string text = failure.what();
    for (const char* words : {"test_session.cpp:", "MPI_Send(nullptr", "-> MPI_ERR_RANK", "(to nobody)"}) {
      EXPECT_NE(text.find(words), std::string::npos) << words << " in " << text;
    }
  }
}

TEST(Versions, AreOneLine) {
  EXPECT_FALSE(mpi_library_version().empty());
  EXPECT_EQ(mpi_library_version().find('\n'), std::string::npos);
  EXPECT_FALSE(nccl_version().empty());
}

}  // namespace
}  // namespace breakeven
