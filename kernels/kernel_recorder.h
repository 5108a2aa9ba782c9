// SPDX-License-Identifier: Apache-2.0
// Records when each kernel, copy and memset of this process began and ended on the GPU; nodes of a graph one
// by one.
#pragma once

#include <memory>

#include "src/core/records/node_record.h"

namespace breakeven {

class KernelRecorder {
 public:
  virtual ~KernelRecorder() = default;

  // Records from now on. Graphs that were captured before may be recorded as a whole. Costs time in each
  // launch.
  virtual void start() = 0;

  // Forgets what was recorded so far, respectively returns it. The device must be idle. Times are nanoseconds
  // by the host's monotonic clock; the clocks are compared in both calls.
  virtual void clear() = 0;
  virtual NodeRecording take() = 0;
};

// Finds the profiler's library; nothing is recorded and nothing slowed down before start(). One for a
// process. Throws Failure(environment), which says what is missing.
std::unique_ptr<KernelRecorder> make_kernel_recorder();

}  // namespace breakeven
