// SPDX-License-Identifier: Apache-2.0
#include "mpi/session.h"

#include <dlfcn.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>

#include "mpi/local_ranks.h"
#include "mpi/mpi_call.h"
#include "src/core/terminate.h"

namespace breakeven {
namespace {

// By what Open MPI's launcher says before MPI has started.
bool is_on_one_node() {
  const char *here = std::getenv("OMPI_COMM_WORLD_LOCAL_SIZE"), *all = std::getenv("OMPI_COMM_WORLD_SIZE");
  return here != nullptr && all != nullptr && std::string_view(here) == all;
}

// Environment variables whose library defaults are unsafe. A value set by the user stays (the 0 at the end).
void set_safe_defaults() {
  // Open MPI's file layer (OMPIO) reads, changes and writes back the gaps between a rank's pieces. Two ranks
  // that do so at once overwrite each other's data in a results file, without any error.
  setenv("OMPI_MCA_fbtl_posix_write_datasieving", "0", 0);
  // At each open, a component of Open MPI's that serves several nodes creates FILE.locktest.RANK to try
  // locks. It would stay beside the results if the rank were killed meanwhile.
  if (is_on_one_node()) setenv("OMPI_MCA_sharedfp", "^lockedfile", 0);
  // NVLink multicast is a resource of the whole host, and NCCL uses it by default for registered windows.
  setenv("NCCL_NVLS_ENABLE", "0", 0);
}

// Polls with doubling pauses: a short wait ends quickly, a long one costs no CPU time.
void wait_asleep(MPI_Request& request) {
  constexpr auto longest_pause = std::chrono::microseconds(5000);
  auto pause = std::chrono::microseconds(50);
  for (int done = 0;;) {
    MPI_CALL(MPI_Test(&request, &done, MPI_STATUS_IGNORE));
    if (done) return;
    std::this_thread::sleep_for(pause);
    pause = std::min(2 * pause, longest_pause);
  }
}

bool is_in_use() {
  int initialized = 0;
  int finalized = 0;
  MPI_Initialized(&initialized);
  MPI_Finalized(&finalized);
  return initialized && !finalized;
}

// Under Open MPI's launcher: its runtime's call to end a job, which prints nothing. MPI_Abort prints seven
// lines, and so does the launcher for a rank that returns another exit code than 0. Null elsewhere.
auto quiet_abort() {
  using Abort = int (*)(int code, const char* message, void* processes, std::size_t count);  // PMIx_Abort
  return std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr
             ? nullptr
             : reinterpret_cast<Abort>(dlsym(RTLD_DEFAULT, "PMIx_Abort"));
}

void abort_ranks(int code) {
  if (!is_in_use()) return;
  if (const auto abort_quietly = quiet_abort()) {
    abort_quietly(code, nullptr, nullptr, 0);
  } else {
    MPI_Abort(MPI_COMM_WORLD, code);
  }
}

}  // namespace

Session::Session(int* argc, char*** argv) : host_(host_name()) {
  install_terminate_handler();
  end_other_ranks_by(abort_ranks);
  set_safe_defaults();
  report_activity_as("starting MPI");
  // Any thread may end the job. A library that grants less is still usable: end_job() does not depend on it.
  int granted = 0;
  MPI_CALL(MPI_Init_thread(argc, argv, MPI_THREAD_MULTIPLE, &granted));
  MPI_CALL(MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN));  // inherited by every duplicate
  MPI_CALL(MPI_Comm_dup(MPI_COMM_WORLD, &world_));
  MPI_CALL(MPI_Comm_rank(world_, &rank_));
  MPI_CALL(MPI_Comm_size(world_, &size_));
  report_rank_as(rank_, host_);

  MPI_Comm node = MPI_COMM_NULL;
  MPI_CALL(MPI_Comm_split_type(world_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node));
  MPI_CALL(MPI_Comm_rank(node, &node_rank_));
  MPI_CALL(MPI_Comm_size(node, &node_size_));
  MPI_CALL(MPI_Comm_free(&node));
}

Session::~Session() {
  report_activity_as("ending MPI");
  MPI_Comm_free(&world_);
  MPI_Finalize();
}

ExitCode Session::agree(ExitCode mine) const {
  int worst = static_cast<int>(mine);
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_INT, MPI_MAX, world_));
  return static_cast<ExitCode>(worst);
}

bool Session::any(bool mine) const {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_CXX_BOOL, MPI_LOR, world_));
  return mine;
}

void Session::end_quietly(ExitCode code) const {
  if (code == ExitCode::success || quiet_abort() == nullptr) return;
  report_activity_as("ending MPI");
  std::fflush(stdout);
  sleepy_barrier();  // all have said what they had to say
  abort_ranks(static_cast<int>(code));
  std::_Exit(static_cast<int>(code));
}

MPI_Comm Session::first_ranks(int count) const {
  MPI_Comm first = MPI_COMM_NULL;
  if (rank_ >= count) return first;
  MPI_Group everyone = MPI_GROUP_NULL;
  MPI_Group members = MPI_GROUP_NULL;
  int range[1][3] = {{0, count - 1, 1}};
  MPI_CALL(MPI_Comm_group(world_, &everyone));
  MPI_CALL(MPI_Group_range_incl(everyone, 1, range, &members));
  MPI_CALL(MPI_Comm_create_group(world_, members, count, &first));  // the tag distinguishes concurrent groups
  MPI_CALL(MPI_Group_free(&members));
  MPI_CALL(MPI_Group_free(&everyone));
  return first;
}

void Session::sleepy_barrier() const {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_CALL(MPI_Ibarrier(world_, &request));
  wait_asleep(request);
}

}  // namespace breakeven
