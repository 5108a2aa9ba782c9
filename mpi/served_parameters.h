// SPDX-License-Identifier: Apache-2.0
// Parameters in one rank's memory, which all ranks read and add to at any time without that rank's
// participation: MPI's one-sided communication with a passive target (MPI-4.1, section 12.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

namespace breakeven {

// In host memory. All ranks of the group construct and destroy it together.
class ServedParameters {
 public:
  // Whether MPI can open memory windows between the ranks. Open MPI 4.1 cannot over TCP alone in a
  // multithreaded program. Collective over the group, the same on every rank.
  static bool are_possible(MPI_Comm group);

  // `initial` counts on the server alone. `group` is borrowed.
  ServedParameters(MPI_Comm group, int server, const float* initial, std::size_t count);
  ServedParameters(const ServedParameters&) = delete;
  ServedParameters& operator=(const ServedParameters&) = delete;
  ~ServedParameters();

  // Both are atomic per float. A push returns how many updates had begun before it, a pull how many had when
  // it began and when it ended. So it has all floats of the updates that had begun before it, but of each other
  // rank's last it may have some or none, unless that rank had begun its next pull. And it may have some of
  // those that began meanwhile.
  struct Pull {
    std::uint64_t begun_before, begun_after;
  };
  Pull pull(float* parameters);
  std::uint64_t push(const float* change);

  // Updates whose floats have all arrived.
  std::uint64_t arrived();

 private:
  enum class Counter : std::size_t { arrived, started };  // both after the parameters
  std::uint64_t add_to(Counter counter, std::uint64_t amount);

  int server_;
  std::size_t count_;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace breakeven
