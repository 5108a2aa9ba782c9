// SPDX-License-Identifier: Apache-2.0
#include "mpi/clock_offset.h"

#include <limits>

#include "mpi/group.h"
#include "mpi/mpi_call.h"

namespace breakeven {
namespace {

constexpr int round_trips = 20;  // the first waits until rank 0 comes to this rank
constexpr int clock_tag = 9;

void answer(MPI_Comm group, int asking, const std::function<double()>& clock) {
  for (int trip = 0; trip < round_trips; ++trip) {
    MPI_CALL(MPI_Recv(nullptr, 0, MPI_BYTE, asking, clock_tag, group, MPI_STATUS_IGNORE));
    const double mine = clock();
    MPI_CALL(MPI_Send(&mine, 1, MPI_DOUBLE, asking, clock_tag, group));
  }
}

// Rank 0 read its clock at some moment between the question and the answer. The middle is wrong by at most
// half of it.
ClockOffset ask(MPI_Comm group, const std::function<double()>& clock) {
  ClockOffset best{0, std::numeric_limits<double>::infinity()};
  for (int trip = 0; trip < round_trips; ++trip) {
    const double asked = clock();
    MPI_CALL(MPI_Send(nullptr, 0, MPI_BYTE, 0, clock_tag, group));
    double theirs = 0;
    MPI_CALL(MPI_Recv(&theirs, 1, MPI_DOUBLE, 0, clock_tag, group, MPI_STATUS_IGNORE));
    const double half = (clock() - asked) / 2;
    if (half < best.uncertainty_seconds) best = {theirs - (asked + half), half};
  }
  return best;
}

}  // namespace

ClockOffset measure_clock_offset(MPI_Comm group, const std::function<double()>& clock) {
  if (rank_in(group) > 0) return ask(group, clock);
  for (int asking = 1; asking < size_of(group); ++asking) answer(group, asking, clock);
  return {};
}

}  // namespace breakeven
