// SPDX-License-Identifier: Apache-2.0
// Named ranges on a profiler's timeline (NVTX, shown by Nsight Systems). They cost nothing without a
// profiler; a build without CUDA has none.
#pragma once

namespace breakeven {

// Ranges nest; the same thread pushes and pops. The name must outlive the range.
void push_profiler_range(const char* name);
void pop_profiler_range();

// A range that lasts as long as this object.
class ProfilerRange {
 public:
  explicit ProfilerRange(const char* name) { push_profiler_range(name); }
  ~ProfilerRange() { pop_profiler_range(); }
  ProfilerRange(const ProfilerRange&) = delete;  // one push, one pop
  ProfilerRange& operator=(const ProfilerRange&) = delete;
};

}  // namespace breakeven
