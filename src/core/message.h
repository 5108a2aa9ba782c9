// SPDX-License-Identifier: Apache-2.0
// The calls of a communicator as plain values: those that a strategy announces, and those that are measured.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace breakeven {

// The calls of this rank since the communicator was made. `bytes` is the memory that each call works on (all
// shares, for reduce-scatter and all-gather), not what an algorithm sends. A call captured into a CUDA graph
// counts once, when it is captured.
struct Traffic {
  std::uint64_t calls = 0;
  std::uint64_t bytes = 0;
  bool operator==(const Traffic&) const = default;
};
inline Traffic operator+(const Traffic& a, const Traffic& b) {
  return {a.calls + b.calls, a.bytes + b.bytes};
}

// A one-sided call reads or writes the memory of one rank without its participation.
enum class Collective : std::uint8_t {
  all_reduce,
  reduce,
  broadcast,
  reduce_scatter,
  all_gather,
  one_sided,
  send,
  receive
};

// In the terms of MPI and NCCL; in the order of the kinds.
inline constexpr std::array<std::string_view, 8> collective_names{
    "all-reduce", "reduce", "broadcast", "reduce-scatter", "all-gather", "one-sided", "send", "receive"};

constexpr std::string_view name_of(Collective kind) {
  return collective_names[static_cast<std::size_t>(kind)];
}

// 4 B, 16 B, ... 256 MiB: each four times the one before.
inline constexpr std::size_t message_sizes = 14;
constexpr std::uint64_t message_size(std::size_t place) { return std::uint64_t{4} << (2 * place); }

// A receive is the other end of a send and takes the same time.
inline constexpr std::size_t probed_kinds = 7;
constexpr Collective probed_as(Collective kind) {
  return kind == Collective::receive ? Collective::send : kind;
}

// Equal calls of one rank.
struct Message {
  Collective kind;
  std::uint64_t bytes = 0;   // per call, as Traffic counts them
  int ranks = 1;             // that take part: two for a send or a receive, all callers of a one-sided call
  std::uint32_t calls = 1;   // in a step that makes them
  std::uint32_t period = 1;  // one step in so many makes them
  bool operator==(const Message&) const = default;

  double calls_a_step() const { return static_cast<double>(calls) / period; }
};

// The traffic of a step that makes all calls.
inline Traffic traffic_of(std::span<const Message> messages) {
  Traffic sum;
  for (const Message& message : messages) {
    sum = sum + Traffic{message.calls, message.calls * message.bytes};
  }
  return sum;
}

// Averages over many steps.
struct MeanTraffic {
  double calls = 0;
  double bytes = 0;
};
inline MeanTraffic mean_traffic_of(std::span<const Message> messages) {
  MeanTraffic mean;
  for (const Message& message : messages) {
    mean.calls += message.calls_a_step();
    mean.bytes += message.calls_a_step() * static_cast<double>(message.bytes);
  }
  return mean;
}

}  // namespace breakeven
