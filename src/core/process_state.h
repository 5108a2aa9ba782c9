// SPDX-License-Identifier: Apache-2.0
// Who this process is and what it is doing, in memory that a forked child shares: the watchdog
// (mpi/watchdog.h) reads it, whatever has happened to this process.
#pragma once

#include <array>
#include <atomic>
#include <string>

namespace breakeven {

// Written by the main thread only. The reader may look at any moment, so nothing here is locked: a process
// that is stopped while it holds a lock would block its reader.
struct ProcessState {
  std::atomic<int> rank{-1};
  std::atomic<int> gpu{-1};                    // -1: the host device
  std::array<char, 64> host{};                 // set before the rank
  std::atomic<unsigned> activities{0};         // how many have begun: more of them is progress
  std::array<std::array<char, 400>, 2> texts;  // the current activity is texts[activities % 2]
  std::atomic<double> limit_seconds{120};      // longest time that one activity may take
};

ProcessState& process_state();

std::string current_activity();

}  // namespace breakeven
