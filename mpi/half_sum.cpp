// SPDX-License-Identifier: Apache-2.0
#include "mpi/half_sum.h"

#include <algorithm>
#include <vector>

#include "kernels/host/dtype.h"
#include "mpi/mpi_call.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// sums[i] += values[i]
template <typename T>
void add(std::size_t count, const std::uint16_t* values, std::uint16_t* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = from_float<T>(to_float(T{sums[i]}) + to_float(T{values[i]})).bits;
  }
}

}  // namespace

void all_reduce_halves(std::uint16_t* halves, std::size_t count, Dtype dtype, MPI_Comm group) {
  int ranks = 0;
  MPI_CALL(MPI_Comm_size(group, &ranks));
  const auto all = static_cast<std::size_t>(ranks);
  const std::size_t share = ceil_div(count, all);
  const int share_count = static_cast<int>(share);
  std::vector<std::uint16_t> mine(all * share);  // padded to shares of one size
  std::vector<std::uint16_t> of_ranks(all * share);
  std::copy_n(halves, count, mine.begin());
  MPI_CALL(MPI_Alltoall(mine.data(), share_count, MPI_UINT16_T, of_ranks.data(), share_count, MPI_UINT16_T,
                        group));
  std::uint16_t* const sums = of_ranks.data();  // rank 0's share, to which the others' are added
  for (std::size_t rank = 1; rank < all; ++rank) {
    const std::uint16_t* const values = of_ranks.data() + rank * share;
    dtype == Dtype::bf16 ? add<Bf16>(share, values, sums) : add<Fp16>(share, values, sums);
  }
  MPI_CALL(MPI_Allgather(sums, share_count, MPI_UINT16_T, mine.data(), share_count, MPI_UINT16_T, group));
  std::copy_n(mine.begin(), count, halves);
}

}  // namespace breakeven
