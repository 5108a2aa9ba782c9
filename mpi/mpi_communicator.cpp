// SPDX-License-Identifier: Apache-2.0
#include "mpi/mpi_communicator.h"

#include <algorithm>
#include <climits>
#include <vector>

#include "kernels/host/dtype.h"
#include "mpi/mpi_call.h"
#include "mpi/transports.h"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

constexpr int message_tag = 7;

// sums[i] += values[i]
template <typename T>
void add(std::size_t count, const std::uint16_t* values, std::uint16_t* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    sums[i] = from_float<T>(to_float(T{sums[i]}) + to_float(T{values[i]})).bits;
  }
}

// The all-reduce of 16-bit floating-point numbers, which MPI does not know, in place. Values are added in
// rank order in fp32 and rounded to nearest even at every addition, so all ranks get the bits of a plain
// loop. (An MPI_Op would leave the order to MPI.) Each rank adds a share of the values, so it moves as much
// as a ring all-reduce.
void all_reduce_halves(std::uint16_t* halves, std::size_t count, Dtype dtype, MPI_Comm group) {
  const auto all = static_cast<std::size_t>(size_of(group));
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
    with_dtype(dtype, [&](auto tag) {
      using T = typename decltype(tag)::Type;
      if constexpr (sizeof(T) == sizeof *values) add<T>(share, values, sums);
    });
  }
  MPI_CALL(MPI_Allgather(sums, share_count, MPI_UINT16_T, mine.data(), share_count, MPI_UINT16_T, group));
  std::copy_n(mine.begin(), count, halves);
}

}  // namespace

MpiCommunicator::MpiCommunicator(MPI_Comm group, Device& device, MpiPath path, std::size_t piece_floats,
                                 MPI_Comm own)
    : Communicator(group, rank_in(group), size_of(group)),
      own_group_(own),
      group_(group),
      device_(device),
      path_(path),
      piece_floats_(std::clamp<std::size_t>(piece_floats, 1, INT_MAX)),
      staging_free_(device.make_event()) {
  MPI_CALL(MPI_Comm_set_errhandler(group_, MPI_ERRORS_RETURN));
}

std::unique_ptr<Communicator> MpiCommunicator::split(int colour) {
  MPI_Comm part = MPI_COMM_NULL;
  MPI_CALL(MPI_Comm_split(group_, colour, rank(), &part));
  return std::make_unique<MpiCommunicator>(part, device_, path_, piece_floats_, part);
}

void MpiCommunicator::copy(float* to, const float* from, std::size_t floats, Stream& stream) {
  device_.copy(to, from, floats * sizeof(float), stream);
}

float* MpiCommunicator::staging(Buffer& area, std::size_t floats, Stream& stream) {
  if (area.bytes() < floats * sizeof(float)) {
    stream.synchronize();
    area = Buffer(device_, floats * sizeof(float), true, "staging memory of the mpi communicator");
  }
  return area.as<float>();
}

template <typename T, typename Body>
void MpiCommunicator::for_each_piece(T* data, std::size_t count, Use use, Stream& stream, Body body) {
  count_call(count, sizeof(T));
  const bool staged = path_ == MpiPath::staged;
  stream.wait_for(*staging_free_);
  for (std::size_t offset = 0; offset < count; offset += piece_floats_) {
    const std::size_t values = std::min(piece_floats_, count - offset);
    T* const host = staged ? reinterpret_cast<T*>(staging(outgoing_, values, stream)) : data + offset;
    if (staged && use.reads) device_.copy(host, data + offset, values * sizeof(T), stream);
    stream.synchronize();
    body(host, static_cast<int>(values));
    if (staged && use.writes) device_.copy(data + offset, host, values * sizeof(T), stream);
  }
  staging_free_->record(stream);
}

void MpiCommunicator::all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) {
  constexpr Use in_place{.reads = true, .writes = true};
  if (dtype == Dtype::fp32) {
    for_each_piece(static_cast<float*>(data), count, in_place, stream, [this](float* host, int floats) {
      MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, host, floats, MPI_FLOAT, MPI_SUM, group_), bytes_text(floats));
    });
    return;
  }
  for_each_piece(static_cast<std::uint16_t*>(data), count, in_place, stream,
                 [&](std::uint16_t* host, int halves) {
                   all_reduce_halves(host, static_cast<std::size_t>(halves), dtype, group_);
                 });
}

void MpiCommunicator::reduce_sum(float* data, std::size_t count, int root, Stream& stream) {
  const bool at_root = rank() == root;
  for_each_piece(data, count, {.reads = true, .writes = at_root}, stream, [&](float* host, int floats) {
    const void* const from = at_root ? MPI_IN_PLACE : host;
    float* const to = at_root ? host : nullptr;
    MPI_CALL(MPI_Reduce(from, to, floats, MPI_FLOAT, MPI_SUM, root, group_), bytes_text(floats));
  });
}

void MpiCommunicator::broadcast(float* data, std::size_t count, int root, Stream& stream) {
  const bool at_root = rank() == root;
  for_each_piece(data, count, {.reads = at_root, .writes = !at_root}, stream, [&](float* host, int floats) {
    MPI_CALL(MPI_Bcast(host, floats, MPI_FLOAT, root, group_), bytes_text(floats));
  });
}

void MpiCommunicator::send(const float* data, std::size_t count, int to, Stream& stream) {
  // Not written to: the pieces share one walk, which hands out what receive() needs.
  for_each_piece(const_cast<float*>(data), count, {.reads = true}, stream, [&](float* host, int floats) {
    MPI_CALL(MPI_Send(host, floats, MPI_FLOAT, to, message_tag, group_), bytes_text(floats));
  });
}

void MpiCommunicator::receive(float* data, std::size_t count, int from, Stream& stream) {
  for_each_piece(data, count, {.writes = true}, stream, [&](float* host, int floats) {
    MPI_CALL(MPI_Recv(host, floats, MPI_FLOAT, from, message_tag, group_, MPI_STATUS_IGNORE),
             bytes_text(floats));
  });
}

bool MpiCommunicator::lies_ready(std::size_t share) const {
  return path_ == MpiPath::direct && share <= share_piece();
}

std::size_t MpiCommunicator::share_piece() const {
  return std::max<std::size_t>(1, piece_floats_ / static_cast<std::size_t>(size()));
}

void MpiCommunicator::reduce_scatter_sum(float* data, std::size_t share, Stream& stream) {
  count_call(share * static_cast<std::size_t>(size()));
  stream.wait_for(*staging_free_);
  for (std::size_t offset = 0; offset < share; offset += share_piece()) {
    const auto floats = static_cast<int>(std::min(share_piece(), share - offset));
    reduce_scatter_piece(data, share, offset, floats, stream);
  }
  staging_free_->record(stream);
}

void MpiCommunicator::reduce_scatter_piece(float* data, std::size_t share, std::size_t offset, int floats,
                                           Stream& stream) {
  const auto ranks = static_cast<std::size_t>(size());
  const auto piece = static_cast<std::size_t>(floats);
  float* source = data;
  if (!lies_ready(share)) {
    source = staging(outgoing_, ranks * piece, stream);
    for (std::size_t r = 0; r < ranks; ++r)
      copy(source + r * piece, data + r * share + offset, piece, stream);
  }
  float* const sum = staging(incoming_, piece, stream);
  stream.synchronize();
  MPI_CALL(MPI_Reduce_scatter_block(source, sum, floats, MPI_FLOAT, MPI_SUM, group_), bytes_text(piece));
  copy(data + static_cast<std::size_t>(rank()) * share + offset, sum, piece, stream);
}

void MpiCommunicator::all_gather(float* data, std::size_t share, Stream& stream) {
  count_call(share * static_cast<std::size_t>(size()));
  stream.wait_for(*staging_free_);
  for (std::size_t offset = 0; offset < share; offset += share_piece()) {
    const auto floats = static_cast<int>(std::min(share_piece(), share - offset));
    all_gather_piece(data, share, offset, floats, stream);
  }
  staging_free_->record(stream);
}

void MpiCommunicator::all_gather_piece(float* data, std::size_t share, std::size_t offset, int floats,
                                       Stream& stream) {
  const auto ranks = static_cast<std::size_t>(size());
  const auto mine = static_cast<std::size_t>(rank());
  const auto piece = static_cast<std::size_t>(floats);
  if (lies_ready(share)) {
    stream.synchronize();
    MPI_CALL(MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, data, floats, MPI_FLOAT, group_),
             bytes_text(piece));
    return;
  }
  float* const source = staging(outgoing_, piece, stream);
  float* const all = staging(incoming_, ranks * piece, stream);
  copy(source, data + mine * share + offset, piece, stream);
  stream.synchronize();
  MPI_CALL(MPI_Allgather(source, floats, MPI_FLOAT, all, floats, MPI_FLOAT, group_), bytes_text(piece));
  for (std::size_t r = 0; r < ranks; ++r) {
    if (r != mine) copy(data + r * share + offset, all + r * piece, piece, stream);
  }
}

template <>
TransportInfo describe_transport<Transport::mpi>() {
  return {
      .transport = Transport::mpi,
      .preference = 2,
      .obstacle = [](const TransportSite&) { return std::string(); },
      .capturable = [](const TransportSite& site) { return !site.cuda; },
      .make = [](MPI_Comm group, Device& device) { return make_mpi_communicator(group, device); },
  };
}

std::unique_ptr<Communicator> make_mpi_communicator(MPI_Comm group, Device& device) {
  const bool host = device.info().is_host();
  const MpiPath path = host ? MpiPath::direct : MpiPath::staged;
  constexpr std::size_t staged_piece_floats = std::size_t{1}
                                              << 24;  // 64 MiB: amortises a call many times over
  return std::make_unique<MpiCommunicator>(group, device, path, host ? INT_MAX : staged_piece_floats);
}

}  // namespace breakeven
