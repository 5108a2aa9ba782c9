// SPDX-License-Identifier: Apache-2.0
// Nothing that a rank adds to served parameters is lost or added twice, whoever else adds at the same time.
#include "mpi/served_parameters.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "mpi/mpi_call.h"
#include "mpi/pieces.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

constexpr std::size_t floats = 10007;
constexpr std::uint64_t pushes = 200;

TEST(Pieces, CoverALongArrayOnce) {
  std::vector<std::pair<std::size_t, int>> pieces;
  for_each_piece(
      10, [&](std::size_t offset, int elements) { pieces.emplace_back(offset, elements); }, 4);
  EXPECT_EQ(pieces, (std::vector<std::pair<std::size_t, int>>{{0, 4}, {4, 4}, {8, 2}}));
}

TEST(ServedParameters, ArePossibleOnOneHost) {
  EXPECT_TRUE(ServedParameters::are_possible(test_session().world()));
}

TEST(ServedParameters, BeginAsTheServerSays) {
  const std::vector<float> mine(floats, static_cast<float>(5 + test_session().rank()));
  ServedParameters served(test_session().world(), 0, mine.data(), floats);
  std::vector<float> pulled(floats);
  EXPECT_EQ(served.pull(pulled.data()).begun_after, 0u);
  EXPECT_EQ(pulled, std::vector<float>(floats, 5));
}

TEST(ServedParameters, EveryPushIsAddedOnceAndNumberedOnce) {
  const std::vector<float> zero(floats);
  const std::vector<float> ones(floats, 1);
  ServedParameters served(test_session().world(), 0, zero.data(), floats);
  std::vector<std::uint64_t> numbers;
  std::vector<float> pulled(floats);
  for (std::uint64_t push = 0; push < pushes; ++push) {
    const ServedParameters::Pull seen = served.pull(pulled.data());
    numbers.push_back(served.push(ones.data()));
    EXPECT_GE(numbers.back(), seen.begun_after);
    const auto [least, most] = std::ranges::minmax(pulled);
    EXPECT_GE(least + static_cast<float>(test_session().size() - 1), static_cast<float>(seen.begun_before));
    EXPECT_LE(most, static_cast<float>(seen.begun_after));
  }
  MPI_CALL(MPI_Barrier(test_session().world()));
  const auto all = pushes * static_cast<std::uint64_t>(test_session().size());
  EXPECT_EQ(served.arrived(), all);
  EXPECT_EQ(served.pull(pulled.data()).begun_before, all);
  EXPECT_EQ(pulled, std::vector<float>(floats, static_cast<float>(all)));

  std::vector<std::uint64_t> of_all(all);
  MPI_CALL(MPI_Allgather(numbers.data(), pushes, MPI_UINT64_T, of_all.data(), pushes, MPI_UINT64_T,
                         test_session().world()));
  std::ranges::sort(of_all);
  std::vector<std::uint64_t> each_once(all);
  std::iota(each_once.begin(), each_once.end(), 0);
  EXPECT_EQ(of_all, each_once);
}

}  // namespace
}  // namespace breakeven
