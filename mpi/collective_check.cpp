// SPDX-License-Identifier: Apache-2.0
// Checks the results of communication calls against sums that are known exactly.
#include <algorithm>
#include <span>
#include <vector>

#include "mpi/collective_probe.h"
#include "mpi/mpi_call.h"
#include "mpi/served_parameters.h"

namespace breakeven {
namespace {

// Small whole numbers, so their sums are exact, and enough different ones that a value from a wrong place or
// rank is noticed.
constexpr std::size_t different_values = 1021;
float value_of(std::size_t rank, std::size_t place) {
  return static_cast<float>((place + 389 * rank) % different_values);
}

float sum_of(std::size_t ranks, std::size_t place) {
  float sum = 0;
  for (std::size_t rank = 0; rank < ranks; ++rank) sum += value_of(rank, place);
  return sum;
}

struct Range {
  std::size_t begin;
  std::size_t end;
};

std::uint64_t added_up(MPI_Comm group, std::uint64_t mine) {
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_UINT64_T, MPI_SUM, group));
  return mine;
}

}  // namespace

std::uint64_t CollectiveProbe::wrong_values(Collective kind, std::uint64_t bytes) {
  const Payload payload = payload_of(kind, bytes);
  const std::uint64_t mine = kind == Collective::one_sided ? wrong_one_sided(payload.floats())
                                                           : wrong_on_stream(probed_as(kind), payload);
  return added_up(group_, mine);
}

std::uint64_t CollectiveProbe::wrong_on_stream(Collective kind, const Payload& payload) {
  make_room(payload.floats());
  const auto rank = static_cast<std::size_t>(communicator_.rank());
  const Buffer host(device_, payload.floats() * sizeof(float), true, "expected results of a collective");
  const std::span<float> values{host.as<float>(), payload.floats()};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = value_of(rank, i);
  device_.copy(data_.as<float>(), values.data(), values.size_bytes(), *stream_);
  call(kind, payload, 0);
  device_.copy(values.data(), data_.as<float>(), values.size_bytes(), *stream_);
  stream_->synchronize();

  const bool is_sum =
      kind == Collective::all_reduce || kind == Collective::reduce || kind == Collective::reduce_scatter;
  Range known{0, values.size()};
  if (kind == Collective::reduce && rank != 0) known = {};
  if (kind == Collective::reduce_scatter) known = {rank * payload.share, (rank + 1) * payload.share};
  if (kind == Collective::send && rank > 1) known = {};
  std::uint64_t wrong = 0;
  for (std::size_t i = known.begin; i < known.end; ++i) {
    const std::size_t from = kind == Collective::all_gather ? i / payload.share : 0;
    const float expected = is_sum ? sum_of(ranks(), i) : value_of(from, i);
    wrong += values[i] == expected ? 0 : 1;
  }
  return wrong;
}

// Pulls the initial values, and again after every rank has pushed ones.
std::uint64_t CollectiveProbe::wrong_one_sided(std::size_t floats) {
  std::vector<float> values(floats);
  for (std::size_t i = 0; i < floats; ++i) values[i] = value_of(0, i);
  ServedParameters served(group_, 0, values.data(), floats);
  std::uint64_t wrong = 0;
  const auto pull_and_compare = [&](float more) {
    std::ranges::fill(values, -1.0f);
    served.pull(values.data());
    for (std::size_t i = 0; i < floats; ++i) wrong += values[i] == value_of(0, i) + more ? 0 : 1;
    MPI_CALL(MPI_Barrier(group_));
  };
  pull_and_compare(0);
  std::ranges::fill(values, 1.0f);
  served.push(values.data());
  MPI_CALL(MPI_Barrier(group_));
  pull_and_compare(static_cast<float>(ranks()));
  return wrong;
}

}  // namespace breakeven
