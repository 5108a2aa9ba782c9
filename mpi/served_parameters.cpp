// SPDX-License-Identifier: Apache-2.0
#include "mpi/served_parameters.h"

#include <algorithm>
#include <cstring>
#include <string>

#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "mpi/pieces.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

constexpr std::uint64_t one_update = 1, no_update = 0;
constexpr std::size_t counters = 2, floats_of_a_counter = sizeof(std::uint64_t) / sizeof(float);

// The counters begin at a whole number of them.
std::size_t floats_before_counters(std::size_t parameters) {
  return ceil_div(parameters, floats_of_a_counter) * floats_of_a_counter;
}

}  // namespace

bool ServedParameters::are_possible(MPI_Comm group) {
  float* memory = nullptr;
  MPI_Win window = MPI_WIN_NULL;
  const bool opened =
      MPI_Win_allocate(sizeof(float), sizeof(float), MPI_INFO_NULL, group, &memory, &window) == MPI_SUCCESS;
  if (!all_agree(group, opened)) return false;
  MPI_CALL(MPI_Win_free(&window));
  return true;
}

ServedParameters::ServedParameters(MPI_Comm group, int server, const float* initial, std::size_t count)
    : server_(server), count_(count) {
  const int rank = rank_in(group);
  const std::size_t floats = floats_before_counters(count) + counters * floats_of_a_counter;
  const std::size_t bytes = rank == server ? floats * sizeof(float) : 0;
  float* memory = nullptr;
  MPI_CALL(
      MPI_Win_allocate(static_cast<MPI_Aint>(bytes), sizeof(float), MPI_INFO_NULL, group, &memory, &window_),
      std::to_string(bytes) + " bytes of a one-sided memory window, which not every MPI transport supports");
  MPI_CALL(MPI_Win_set_errhandler(window_, MPI_ERRORS_RETURN));
  MPI_CALL(MPI_Win_lock_all(MPI_MODE_NOCHECK, window_));
  if (rank == server) {
    std::copy_n(initial, count, memory);
    std::memset(memory + count, 0, bytes - count * sizeof(float));
    MPI_CALL(MPI_Win_sync(window_));
  }
  MPI_CALL(MPI_Barrier(group));
  MPI_CALL(MPI_Win_sync(window_));
}

ServedParameters::~ServedParameters() {
  MPI_Win_unlock_all(window_);
  MPI_Win_free(&window_);
}

// MPI orders accumulate calls to the same location only (MPI-4.1, section 12.7.2). So a flush separates the
// floats from the counters.
ServedParameters::Pull ServedParameters::pull(float* parameters) {
  const std::uint64_t before = add_to(Counter::started, no_update);
  for_each_piece(count_, [&](std::size_t offset, int floats) {
    MPI_CALL(MPI_Get_accumulate(nullptr, 0, MPI_FLOAT, parameters + offset, floats, MPI_FLOAT, server_,
                                static_cast<MPI_Aint>(offset), floats, MPI_FLOAT, MPI_NO_OP, window_));
  });
  MPI_CALL(MPI_Win_flush(server_, window_));
  return {before, add_to(Counter::started, no_update)};
}

std::uint64_t ServedParameters::push(const float* change) {
  const std::uint64_t before = add_to(Counter::started, one_update);
  for_each_piece(count_, [&](std::size_t offset, int floats) {
    const auto place = static_cast<MPI_Aint>(offset);
    MPI_CALL(MPI_Accumulate(change + offset, floats, MPI_FLOAT, server_, place, floats, MPI_FLOAT, MPI_SUM,
                            window_));
  });
  MPI_CALL(MPI_Win_flush(server_, window_));
  add_to(Counter::arrived, one_update);
  return before;
}

std::uint64_t ServedParameters::arrived() { return add_to(Counter::arrived, no_update); }

std::uint64_t ServedParameters::add_to(Counter counter, std::uint64_t amount) {
  const std::size_t place =
      floats_before_counters(count_) + static_cast<std::size_t>(counter) * floats_of_a_counter;
  std::uint64_t before = 0;
  MPI_CALL(MPI_Fetch_and_op(&amount, &before, MPI_UINT64_T, server_, static_cast<MPI_Aint>(place), MPI_SUM,
                            window_));
  MPI_CALL(MPI_Win_flush(server_, window_));
  return before;
}

}  // namespace breakeven
