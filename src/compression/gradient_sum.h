// SPDX-License-Identifier: Apache-2.0
// How the sum of a gradient over the ranks is made. Afterwards every rank has the same bits.
//
// A sum is made in rounds: each rank prepares memory that the transport then sums or gathers, and after the
// last round each rank finishes by itself. So the transport may be a communicator, or, where one device does
// the work of all ranks, a loop.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/device.h"
#include "mpi/communicator.h"
#include "src/core/compression/compression.h"

namespace breakeven {

// Which of the ranks, of how many.
struct Seat {
  int rank = 0;
  int ranks = 1;
};

// What a rank hands to its transport. Gathered, `data` has a message of `count` floats for every rank, of
// which this rank's own is filled; `count` elements otherwise.
struct ExchangePart {
  enum class Kind : std::uint8_t { all_reduce, all_gather };
  Kind kind;
  void* data;
  std::size_t count;
  Dtype dtype = Dtype::fp32;
};

// One rank's part of the sums of one range of the gradient, with what it keeps from sum to sum. All calls may
// be captured into a graph where the transport's may be. A value that is not finite, in any rank's gradient,
// makes the sum not finite on every rank.
class GradientSum {
 public:
  virtual ~GradientSum() = default;

  // In place, over the ranks of the communicator: of as many and in the same order as the seats.
  void sum(float* gradient, Communicator& communicator, Stream& stream) {
    begin(gradient, stream);
    end(gradient, communicator, stream);
  }
  // The same in two: what comes before the first exchange, and all else.
  void begin(float* gradient, Stream& stream) { first_ = prepare(0, gradient, stream); }
  void end(float* gradient, Communicator& communicator, Stream& stream);

  // Its rounds, one by one. prepare() returns what is to be exchanged before the next call.
  virtual std::size_t rounds() const = 0;
  virtual ExchangePart prepare(std::size_t round, float* gradient, Stream& stream) = 0;
  virtual void finish(float* gradient, Stream& stream) = 0;

 private:
  ExchangePart first_{};
};

// The same sum by one device for all ranks, one after another: what the others are held against. What a
// transport adds is added in rank order here, and rounded at every addition.
void sum_in_turn(std::span<GradientSum* const> of_ranks, std::span<float* const> gradients, Device& device,
                 Stream& stream);

}  // namespace breakeven
