// SPDX-License-Identifier: Apache-2.0
// Parameters in the memory of one rank, which all ranks read and add to whenever they like and without that
// rank's doing: MPI's one-sided communication with a passive target (MPI-4.1, section 12.5).
#pragma once

#include <cstddef>
#include <cstdint>

#include <mpi.h>

namespace breakeven {

// All memory is the host's. Made and destroyed by all ranks of the group together.
class ServedParameters {
 public:
  // Whether MPI can open memory windows between the ranks: Open MPI 4.1 has none over TCP alone in a program
  // of several threads. Collective over the group, the same on every rank.
  static bool are_possible(MPI_Comm group);

  // `initial` counts on the server alone. `group` is borrowed.
  ServedParameters(MPI_Comm group, int server, const float* initial, std::size_t count);
  ServedParameters(const ServedParameters&) = delete;
  ServedParameters& operator=(const ServedParameters&) = delete;
  ~ServedParameters();

  // Each is atomic, float by float; both return how many updates had begun before. A push takes its number
  // before it adds its floats, and a pull reads the number behind the floats: so of an update that a pull
  // counts it may lack some floats, where both were under way at once.
  std::uint64_t pull(float* parameters);
  std::uint64_t push(const float* change);

  // Updates whose floats have arrived: every push carries a 1 behind its last float, which is added with it.
  std::uint64_t arrived();

 private:
  enum class Counter : std::size_t { arrived, started };  // both behind the parameters
  MPI_Aint place_of(Counter counter) const {
    return static_cast<MPI_Aint>(count_ + static_cast<std::size_t>(counter));
  }
  std::uint64_t add_to(Counter counter, float amount);

  int server_;
  std::size_t count_;
  MPI_Win window_ = MPI_WIN_NULL;
};

}  // namespace breakeven
