// SPDX-License-Identifier: Apache-2.0
// What the GPUs of a host show each other, and what each keeps for itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "src/core/cuda_qualifiers.h"

namespace breakeven::peer {

constexpr int most_ranks = 8;
constexpr int most_blocks = 32;     // of an exchange; 16 fill a link of NVLink
constexpr int message_blocks = 16;  // of a message between two ranks
constexpr std::size_t staging_bytes = std::size_t{32} << 20;
constexpr std::size_t mailbox_bytes = std::size_t{2} << 20;
constexpr std::size_t inbox_bytes = std::size_t{32} << 20;

// Of an inbox, for each of the other ranks.
HOST_DEVICE std::size_t slot_bytes(int ranks) {
  constexpr std::size_t border = 512;
  return inbox_bytes / static_cast<std::size_t>(ranks > 1 ? ranks - 1 : 1) / border * border;
}

// Numbers of exchanges and messages, which begin at 1 and wrap. The others write to them.
struct Flags {
  std::uint32_t arrived[most_blocks][most_ranks];     // [block][who]: the exchange for which it has staged
  std::uint32_t filled[most_ranks][message_blocks];   // [from]: messages that lie in the mailbox
  std::uint32_t emptied[most_ranks][message_blocks];  // [to]: messages that the receiver has taken out
};

// An area in the memory of a GPU, mapped by all ranks.
struct Area {
  Flags flags;
  alignas(256) unsigned char staging[2][staging_bytes];  // of odd and of even exchanges
  unsigned char mailbox[most_ranks][2][mailbox_bytes];   // [from]: of odd and of even messages
  unsigned char inbox[2][inbox_bytes];                   // of words (inbox.cuh), used in turn
};

// Of one GPU, in its memory, so that the replays of a graph count too.
struct Counts {
  std::uint32_t exchanges;
  std::uint32_t ended_blocks;  // of the current kernel; 0 between kernels
  std::uint32_t turn;          // the inbox of the next call that uses one
  std::uint32_t begun_blocks;  // of the current one; 0 between kernels
  std::uint32_t sent[most_ranks], received[most_ranks];
  std::uint32_t ended_sends[most_ranks], ended_receives[most_ranks];
  std::uint32_t gave_up;
};

// For kernels.
struct Group {
  int rank;
  int ranks;
  Area* area[most_ranks];
  Counts* counts;
  std::uint32_t* unanswered;  // in the host's memory: 0, or 1 + the rank that did not answer in time
};

}  // namespace breakeven::peer
