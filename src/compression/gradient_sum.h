// SPDX-License-Identifier: Apache-2.0
// The sum of a gradient over the ranks, compressed or not. Afterwards all ranks have the same bits.
//
// A sum takes one or more rounds. In each, a rank prepares memory that the transport sums or gathers; after
// the last round it finishes by itself. The transport is a communicator, or a loop if one device does the
// work of all ranks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/compression/compression.h"
#include "src/core/compression/message_layouts.h"
#include "src/core/model/parameter_layout.h"
#include "src/core/strategy/strategy_options.h"

namespace breakeven::compression {

struct Seat {
  int rank = 0;
  int ranks = 1;
};

// What a rank hands to the transport. all_reduce: `count` values of `dtype`. all_gather: room for one message
// of `count` floats per rank; this rank has filled its own.
struct ExchangePart {
  enum class Kind : std::uint8_t { all_reduce, all_gather };
  Kind kind;
  void* data;
  std::size_t count;
  Dtype dtype = Dtype::fp32;
};

// One rank's part in summing one range of the gradient, with what it keeps from step to step. All calls may
// be captured into a graph if the transport can be. A value that is not finite in any rank's gradient makes
// the sum not finite on all ranks.
class GradientSum {
 public:
  virtual ~GradientSum() = default;

  // In place. The communicator's ranks are those of the seats, in the same order.
  void sum(float* gradient, Communicator& communicator, Stream& stream) {
    begin(gradient, stream);
    end(gradient, communicator, stream);
  }
  // sum() in two halves: what comes before the first exchange, and the rest.
  void begin(float* gradient, Stream& stream) { first_ = prepare(0, gradient, stream); }
  void end(float* gradient, Communicator& communicator, Stream& stream);

  // The rounds, one by one. prepare() returns what to exchange before the next call.
  virtual std::size_t rounds() const = 0;
  virtual ExchangePart prepare(std::size_t round, float* gradient, Stream& stream) = 0;
  virtual void finish(float* gradient, Stream& stream) = 0;

 private:
  ExchangePart first_{};
};

// The sum that the compression asks for, from the file of its name (bf16 and fp16: half.cpp).
std::unique_ptr<GradientSum> make_sum(const Compression& compression, Device& device,
                                      const GradientRange& range, Seat seat);

struct BucketSum {
  Bucket bucket;
  std::unique_ptr<GradientSum> sum;  // of the gradient from bucket.begin on
};

// One rank's part in the sums of a gradient, bucket by bucket; a single bucket if the options ask for none.
std::vector<BucketSum> make_bucket_sums(Device& device, const ParameterLayout& layout,
                                        const StrategyOptions& options, Seat seat);

// A sum made by one device for all ranks, as a reference for verification. It adds in rank order what
// a transport would add, and rounds at every addition.
void sum_in_turn(std::span<GradientSum* const> of_ranks, std::span<float* const> gradients, Device& device,
                 Stream& stream);

}  // namespace breakeven::compression
