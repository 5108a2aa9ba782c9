// SPDX-License-Identifier: Apache-2.0
// The exchange over memory of other GPUs: kernels of our own on the caller's stream.
#include <algorithm>

#include <fmt/format.h>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_stream.h"
#include "mpi/communicator.h"
#include "mpi/group.h"
#include "mpi/mpi_call.h"
#include "mpi/peer/exchange.h"
#include "mpi/peer/peer_memory.h"
#include "src/core/failure.h"
#include "src/core/transport.h"

namespace breakeven {
namespace {

// From here on an all-reduce of more than two ranks moves less if each rank sums a share.
constexpr std::size_t shared_sum_bytes = 256 << 10;

class PeerCommunicator final : public Communicator, public CudaStepExchange {
 public:
  // `own`: freed with this communicator.
  PeerCommunicator(MPI_Comm group, MPI_Comm own)
      : Communicator(group, rank_in(group), size_of(group)), own_(own), memory_(group) {}

  std::string_view name() const override { return name_of(Transport::peer); }
  bool capturable() const override { return true; }

  using Communicator::all_reduce_sum;
  void all_reduce_sum(void* data, std::size_t count, Dtype dtype, Stream& stream) override {
    const auto bytes_each = static_cast<std::size_t>(bytes_of(dtype));
    count_call(count, bytes_each);
    if (moves_least_in_one_shot(count * bytes_each)) {
      in_pieces(
          data, count, bytes_each, peer::slot_bytes(size()), stream, [&](void* piece, std::int64_t values) {
            peer::all_reduce(peers(), piece, static_cast<std::size_t>(values), dtype, cuda_stream(stream));
          });
      return;
    }
    if (size() == 1) return;
    const InOrder in_order(*this, stream);
    for_pieces(shares_within(count), values_within(peer::slot_bytes(size()), 2 * bytes_each),
               [&](std::int64_t at, const peer::Shares& piece) {
                 void* const from = static_cast<char*>(data) + at * static_cast<std::int64_t>(bytes_each);
                 peer::all_reduce_shares(peers(), from, dtype, piece, cuda_stream(stream));
               });
  }

  bool all_reduce_and_update(const SummedUpdate& whole, Stream& stream) override {
    if (size() == 1) return false;
    count_call(whole.count);
    if (whole.count * sizeof(float) > one_update_bytes()) {
      update_shares_of_whole(whole, stream);
      return true;
    }
    in_pieces(whole.gradient, whole.count, sizeof(float), peer::slot_bytes(size()), stream,
              [&](void* piece, std::int64_t values) {
                const std::ptrdiff_t at = static_cast<float*>(piece) - whole.gradient;
                peer::all_reduce_and_update(peers(), part_of(whole, at, values), cuda_stream(stream));
              });
    return true;
  }

  bool all_reduce_and_finish(Matrix sums, const Epilogue& epilogue, Matrix finished,
                             Stream& stream) override {
    const auto count = static_cast<std::size_t>(sums.rows * sums.ld);
    if (!moves_least_in_one_shot(count * sizeof(float)) || size() == 1) return false;
    if (!peer::can_finish(epilogue, sums, finished)) return false;
    count_call(count);
    in_pieces(sums.data, count, sizeof(float), peer::slot_bytes(size()), stream,
              [&](void* piece, std::int64_t values) {
                peer::all_reduce_and_finish(peers(), sums.floats(),
                                            static_cast<float*>(piece) - sums.floats(), values, epilogue,
                                            finished, cuda_stream(stream));
              });
    return true;
  }

  StepExchange* step_exchange() override { return size() > 1 ? this : nullptr; }

  bool update_shares(const SummedUpdate& whole, Stream& stream) override {
    if (size() == 1) return false;
    count_call(whole.count * static_cast<std::size_t>(size()));
    count_call(whole.count * static_cast<std::size_t>(size()),
               static_cast<std::size_t>(bytes_of(whole.dtype)));
    const InOrder in_order(*this, stream);
    each_updates_its_share(whole, shares_of(whole.count), false, stream);
    return true;
  }

  void reduce_sum(float* data, std::size_t count, int root, Stream& stream) override {
    count_call(count);
    in_pieces(data, count, sizeof(float), peer::staging_bytes, stream, [&](void* piece, std::int64_t values) {
      peer::reduce(peers(), static_cast<float*>(piece), values, root, cuda_stream(stream));
    });
  }

  void broadcast(float* data, std::size_t count, int root, Stream& stream) override {
    count_call(count);
    copy_from(root, data, count, stream);
  }

  void reduce_scatter_sum(float* data, std::size_t share, Stream& stream) override {
    count_call(share * static_cast<std::size_t>(size()));
    if (size() == 1) return;
    const InOrder in_order(*this, stream);
    for_pieces(shares_of(share), floats_of_a_slot(), [&](std::int64_t at, const peer::Shares& piece) {
      peer::reduce_scatter(peers(), data + at, piece, cuda_stream(stream));
    });
  }

  void all_gather(float* data, std::size_t share, Stream& stream) override {
    count_call(share * static_cast<std::size_t>(size()));
    if (size() == 1) return;
    const InOrder in_order(*this, stream);
    gather_shares(data, shares_of(share), stream);
  }

  // Any value may mark an empty word of an inbox; staging memory has flags.
  void all_gather_words(void* data, std::size_t share, Stream& stream) override {
    count_call(share * static_cast<std::size_t>(size()));
    for (int root = 0; root < size(); ++root)
      copy_from(root, static_cast<float*>(data) + static_cast<std::size_t>(root) * share, share, stream);
  }

  void send(const float* data, std::size_t count, int to, Stream& stream) override {
    count_call(count);
    in_pieces(const_cast<float*>(data), count, sizeof(float), peer::mailbox_bytes, stream,  // only read
              [&](void* piece, std::int64_t values) {
                peer::send(peers(), static_cast<const float*>(piece), values, to, cuda_stream(stream));
              });
  }

  void receive(float* data, std::size_t count, int from, Stream& stream) override {
    count_call(count);
    in_pieces(data, count, sizeof(float), peer::mailbox_bytes, stream, [&](void* piece, std::int64_t values) {
      peer::receive(peers(), static_cast<float*>(piece), values, from, cuda_stream(stream));
    });
  }

  void check() override {
    const int silent = memory_.unanswered();
    if (silent >= 0)
      throw Failure(
          ExitCode::timeout,
          fmt::format("rank {} of the group did not take part in an exchange over peer memory", silent));
    check_parts();
  }

 protected:
  std::unique_ptr<Communicator> split(int colour) override {
    MPI_Comm part = MPI_COMM_NULL;
    MPI_CALL(MPI_Comm_split(group(), colour, rank(), &part));
    return std::make_unique<PeerCommunicator>(part, part);
  }

 private:
  const peer::Group& peers() const { return memory_.group(); }

  bool can_update(const NetworkArguments& network) const override {
    return peer::can_update_network(peers(), network);
  }
  void launch_update(const NetworkLaunch& launch, Stream& stream) override {
    count_call(peer::gradient_floats(launch));
    const InOrder in_order(*this, stream);
    peer::update_network(peers(), launch);
  }

  void copy_from(int root, float* data, std::size_t count, Stream& stream) {
    in_pieces(data, count, sizeof(float), peer::staging_bytes, stream, [&](void* piece, std::int64_t values) {
      peer::broadcast(peers(), static_cast<float*>(piece), values, root, cuda_stream(stream));
    });
  }

  // Each of two ranks needs all that the other has. Of more, each can add a share.
  bool moves_least_in_one_shot(std::size_t bytes) const { return size() == 2 || bytes < shared_sum_bytes; }
  // Up to here all ranks update all parameters. Above, each updates a share and sends the result.
  std::size_t one_update_bytes() const { return size() == 2 ? std::size_t{2} << 20 : shared_sum_bytes; }

  // All arrays from value `at` on.
  static SummedUpdate part_of(const SummedUpdate& whole, std::ptrdiff_t at, std::int64_t values) {
    SummedUpdate part = whole;
    part.count = static_cast<std::size_t>(values);
    part.gradient += at;
    for (float** array : {&part.arrays.parameter, &part.arrays.first_moment, &part.arrays.second_moment})
      *array += at;
    if (part.working != nullptr) part.working = static_cast<char*>(part.working) + at * bytes_of(part.dtype);
    return part;
  }

  void update_shares_of_whole(const SummedUpdate& whole, Stream& stream) {
    const peer::Shares shares = shares_within(whole.count);
    const InOrder in_order(*this, stream);
    each_updates_its_share(whole, shares, true, stream);
    if (whole.keep_gradient) gather_shares(whole.gradient, shares, stream);
  }

  void each_updates_its_share(const SummedUpdate& whole, const peer::Shares& shares, bool sends_parameters,
                              Stream& stream) {
    const auto sent_bytes = static_cast<std::size_t>(bytes_of(sends_parameters ? Dtype::fp32 : whole.dtype));
    const std::int64_t most = values_within(peer::slot_bytes(size()), sizeof(float) + sent_bytes);
    for_pieces(shares, most, [&](std::int64_t at, const peer::Shares& piece) {
      peer::update_shares(peers(), part_of(whole, at, piece.count), piece, sends_parameters,
                          cuda_stream(stream));
    });
  }
  void gather_shares(float* data, const peer::Shares& shares, Stream& stream) {
    for_pieces(shares, floats_of_a_slot(), [&](std::int64_t at, const peer::Shares& piece) {
      peer::all_gather(peers(), data + at, piece, cuda_stream(stream));
    });
  }

  // Whole quads.
  static std::int64_t values_within(std::size_t bytes, std::size_t bytes_each) {
    return static_cast<std::int64_t>(bytes / bytes_each / 4 * 4);
  }
  std::int64_t floats_of_a_slot() const { return values_within(peer::slot_bytes(size()), sizeof(float)); }
  // Calls work(first value, piece of every share).
  template <typename Work>
  static void for_pieces(const peer::Shares& shares, std::int64_t most, const Work& work) {
    for (std::int64_t at = 0; at < shares.count; at += most)
      work(at, peer::Shares{shares.stride, std::min(most, shares.count - at), shares.total - at});
  }
  // Of `count` values, whole quads each but the last.
  peer::Shares shares_within(std::size_t count) const {
    const auto total = static_cast<std::int64_t>(count);
    const std::int64_t each = (total / size() / 4 + 1) * 4;
    return {each, each, total};
  }
  peer::Shares shares_of(std::size_t each) const {
    const auto values = static_cast<std::int64_t>(each);
    return {values, values, size() * values};
  }

  // Calls work(piece, values); nothing is to be exchanged within a group of one.
  template <typename Work>
  void in_pieces(void* data, std::size_t count, std::size_t bytes_each, std::size_t most_bytes,
                 Stream& stream, const Work& work) {
    if (size() == 1) return;
    const InOrder in_order(*this, stream);
    const auto most = static_cast<std::size_t>(values_within(most_bytes, bytes_each));
    for (std::size_t offset = 0; offset < count; offset += most) {
      const std::size_t values = std::min(most, count - offset);
      work(static_cast<char*>(data) + offset * bytes_each, static_cast<std::int64_t>(values));
    }
  }

  // Calls on several streams run one after another, because they use the same flags and staging memory.
  // Between a capture and calls outside of it the caller waits.
  class InOrder {
   public:
    InOrder(PeerCommunicator& of, Stream& stream) : of_(of), stream_(stream) {
      unsigned long long capture = 0;
      cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
      CUDA_CALL(cudaStreamGetCaptureInfo(cuda_stream(stream), &status, &capture));
      if (status == cudaStreamCaptureStatusNone) capture = 0;
      const bool is_first = of.last_stream_ == nullptr || capture != of.last_capture_;
      if (!is_first && of.last_stream_ != cuda_stream(stream)) stream.wait_for(of.last_call_);
      of.last_stream_ = cuda_stream(stream);
      of.last_capture_ = capture;
    }
    ~InOrder() noexcept(false) { of_.last_call_.record(stream_); }
    InOrder(const InOrder&) = delete;
    InOrder& operator=(const InOrder&) = delete;

   private:
    PeerCommunicator& of_;
    Stream& stream_;
  };

  OwnGroup own_;  // outlives the memory, whose destructor uses it
  peer::Memory memory_;
  CudaEvent last_call_;
  cudaStream_t last_stream_ = nullptr;
  unsigned long long last_capture_ = 0;
};

}  // namespace

std::unique_ptr<Communicator> make_peer_communicator(MPI_Comm group, Device& /*device*/) {
  return std::make_unique<PeerCommunicator>(group, MPI_COMM_NULL);
}

}  // namespace breakeven
