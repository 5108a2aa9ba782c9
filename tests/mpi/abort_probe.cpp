// SPDX-License-Identifier: Apache-2.0
// A program that goes wrong in the way its first argument names, for tests/mpi/abort.sh to look at from
// outside.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "mpi/interrupt.h"
#include "mpi/session.h"
#include "mpi/watchdog.h"
#include "src/core/terminate.h"

namespace breakeven {
namespace {

[[noreturn]] void sleep_for_ever() {
  for (;;) pause();
}

// An owner whose end is collective: if unwinding ran it on one rank alone, the job would hang.
struct CollectiveOwner {
  ~CollectiveOwner() { MPI_Barrier(MPI_COMM_WORLD); }
};

void all_reduce_for_ever(const Session& session) {
  const auto device = make_host_device();
  const auto stream = device->make_stream();
  const auto communicator = make_mpi_communicator(session.world(), *device);
  std::vector<float> values(1000);
  for (;;) communicator->all_reduce_sum(values.data(), values.size(), *stream);
}

// The job that a batch system stops: each rank finishes what it is at, and all return the same code.
ExitCode work_until_interrupted(const Session& session, const std::string& mode) {
  install_interrupt_handler();
  session.sleepy_barrier();
  if (session.is_root()) std::printf("ready\n");
  std::fflush(stdout);
  if (mode == "deaf") sleep_for_ever();
  for (;;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const ExitCode asked = interrupted() ? ExitCode::interrupted : ExitCode::success;
    if (session.agree(asked) == ExitCode::interrupted) break;
  }
  if (session.is_root()) std::printf("finished\n");
  return ExitCode::interrupted;
}

// NCCL's start with one rank that never comes: the others must give up, not wait.
ExitCode start_nccl_without_the_last(const Session& session) {
  if (visible_gpus() == 0) return ExitCode::skipped;
  if (session.rank() == session.size() - 1) {
    std::vector<char> id(128);  // sizeof(ncclUniqueId)
    MPI_Bcast(id.data(), static_cast<int>(id.size()), MPI_BYTE, 0,
              session.world());  // takes part so far and no further
    sleep_for_ever();
  }
  set_time_limit(3);
  const auto device = make_cuda_device(0);
  const auto communicator = make_nccl_communicator(session.world(), *device);
  return ExitCode::success;
}

ExitCode go_wrong(const Session& session, const std::string& mode) {
  const CollectiveOwner owner;
  const bool culprit = session.rank() == session.size() - 1;
  report_activity_as("testing " + mode);
  if (mode == "barrier") {
    if (culprit) throw Failure(ExitCode::wrong_numbers, "probe.cpp:1: probe() -> two\nlines");
    MPI_Barrier(session.world());
  } else if (mode == "allreduce") {
    install_interrupt_handler();  // must not keep the launcher from ending the others
    if (culprit) throw Failure(ExitCode::file, "probe.cpp:2: probe() -> gone");
    all_reduce_for_ever(session);
  } else if (mode == "exception") {
    if (culprit) throw std::runtime_error("not one of ours");
    MPI_Barrier(session.world());
  } else if (mode == "watchdog") {
    set_time_limit(1.5);
    if (culprit) sleep_for_ever();
    MPI_Barrier(session.world());
  } else if (mode == "rearmed") {
    set_time_limit(0.5);
    for (int i = 0; i < 30; ++i) {
      report_activity_as("a step");
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
    }
  } else if (mode == "interrupt" || mode == "deaf") {
    return work_until_interrupted(session, mode);
  } else if (mode == "nccl") {
    return start_nccl_without_the_last(session);
  } else if (mode == "defaults") {
    std::printf("datasieving=%s\n", std::getenv("OMPI_MCA_fbtl_posix_write_datasieving"));
  }
  return ExitCode::success;
}

}  // namespace
}  // namespace breakeven

int main(int argc, char** argv) {
  using namespace breakeven;
  const std::string mode = argc > 1 ? argv[1] : "";
  install_terminate_handler();
  if (mode == "without-mpi") throw Failure(ExitCode::file, "results.h5: not a results file");
  start_watchdog(40);
  const Session session(&argc, &argv);
  return static_cast<int>(go_wrong(session, mode));
}
