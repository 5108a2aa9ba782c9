// SPDX-License-Identifier: Apache-2.0
// What a set of runs is a sample of. Steps of a run are alike, and so are runs of a launch: to count each of
// them as independent promises too much (of 5 launches of 400 steps, pooled, a nominal 95 % interval held the
// truth 16 % of the time). So an interval is made of the highest level of which there are several (Kalibera
// and Jones, "Rigorous Benchmarking in Reasonable Time", ISMM 2013, section 9).
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace breakeven {

enum class SamplingUnit {
  none,    // nothing was measured
  launch,  // several launches: the interval covers what changes from one to the next
  run,     // several runs of one launch: it covers that launch
  batch,   // one run: it covers that run, by batches of its steps
};

// `launches` has the launch of every run.
SamplingUnit unit_of(std::span<const std::uint32_t> launches);

std::string_view word_of(SamplingUnit unit);  // "launch"; "none"

}  // namespace breakeven
