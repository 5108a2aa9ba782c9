// SPDX-License-Identifier: Apache-2.0
// Names on a profiler's timeline (NVTX; Nsight Systems shows them). They cost nothing where no profiler
// listens, and a build without CUDA has none.
#pragma once

namespace breakeven {

// Ranges nest; each push is popped by the same thread. The name is a literal or outlives the range.
void push_profiler_range(const char* name);
void pop_profiler_range();

// One that lasts as long as it lives.
class ProfilerRange {
 public:
  explicit ProfilerRange(const char* name) { push_profiler_range(name); }
  ~ProfilerRange() { pop_profiler_range(); }
  ProfilerRange(const ProfilerRange&) = delete;  // one push, one pop
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace breakeven
