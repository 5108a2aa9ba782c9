// SPDX-License-Identifier: Apache-2.0
// Work in a child process with limits. HDF5 may crash, loop or allocate without end on a damaged file; then
// only the child does, and the parent says so in one sentence.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>

#include "src/core/handle.h"
#include "src/hdf5/launch_lock.h"

namespace breakeven::hdf5 {

struct ApartLimits {
  std::uint64_t memory_bytes;  // in addition to what this process has
  unsigned cpu_seconds;
  unsigned wall_seconds;
};

// The child's end of the pipe.
class Sender {
 public:
  explicit Sender(int descriptor) : descriptor_(descriptor) {}
  void send(const void* data, std::size_t bytes) const;

 private:
  int descriptor_;
};

class Apart {
 public:
  // Starts `work` in a child, which sees the parent's memory as it is now. It must not throw.
  Apart(const ApartLimits& limits, const std::function<void(const Sender&)>& work);
  ~Apart();  // ends the child
  Apart(const Apart&) = delete;
  Apart& operator=(const Apart&) = delete;

  // Waits for so many bytes of the child. False where it ended before, or came to a limit.
  bool receive(void* data, std::size_t bytes);

  // Waits for the child's end. Says how it ended: "crashed (Segmentation fault)". Throws Failure(environment)
  // if another process ended it, which says nothing about the file.
  std::string end();

 private:
  ApartLimits limits_;
  FileDescriptor pipe_;
  pid_t child_ = -1;
  std::int64_t deadline_ms_ = 0;
  bool is_late_ = false;
};

}  // namespace breakeven::hdf5
