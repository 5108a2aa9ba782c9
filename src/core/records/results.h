// SPDX-License-Identifier: Apache-2.0
// A results file in memory. docs/results-file.md describes the file itself.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/core/case.h"
#include "src/core/records/message_times.h"
#include "src/core/records/roofline.h"
#include "src/core/records/run_record.h"
#include "src/core/records/topology.h"

namespace breakeven {

using Pairs = std::vector<std::pair<std::string, std::string>>;  // keep their order

// One start of the program. All text is UTF-8.
struct Launch {
  std::string started;  // ISO 8601, UTC
  std::string command_line;
  std::string git_revision;        // of the sources built, "-dirty" where they were changed
  Pairs versions;                  // "breakeven", "cuda", "nccl", "driver", "mpi", ...
  Pairs settings;                  // options that are no axis: "seed", "optimizer", ...
  Pairs environment;               // an allow-list of variables, never all
  Topology topology;               // the ranks and the links between them
  std::vector<Roofline> roofline;  // by rank; empty where they were not measured
  std::string copy_method;         // of its copies: copied_by_processor, or "" of older launches
  MessageTimes message_times;
};

// False for the launches of programs that record themselves.
inline bool has_roofline(const Launch& launch) {
  return std::ranges::any_of(launch.roofline,
                             [](const Roofline& rank) { return std::isfinite(rank.copy_bytes_per_second); });
}

// "" where the launch recorded no setting of this name.
inline std::string setting_of(const Launch& launch, std::string_view name) {
  for (const auto& [key, value] : launch.settings) {
    if (key == name) return value;
  }
  return "";
}

// The setting of a launch that says where `breakeven wrap` has the step times from; none of a Recorder.
inline constexpr std::string_view step_times_setting = "step-times", by_wall_time = "wall time";

// The setting that tells one user's data set from another: data::checksum_of() in hexadecimal.
inline constexpr std::string_view dataset_checksum = "dataset-checksum";

// The environment variables of NCCL that can change communication, by name: "NCCL_ALGO=Ring
// NCCL_P2P_DISABLE=1".
std::string nccl_settings_of(const Launch& launch);

// State of a planned run. The file stores these numbers.
enum class RunStatus : std::uint8_t {
  planned = 0,   // not started, or the job ended in the middle of it
  complete = 1,  // every rank has written its numbers
  verified = 2,  // read back at the end of the launch and found equal, by checksum
};

// Why no run of the case followed in this launch: on the last run made and on those that were left out.
// `none` where another run followed, or where the launch made all runs that it was asked for.
enum class StopReason : std::uint8_t {
  none = 0,
  precise = 1,  // --target-ci: the case's figures were precise enough
  repeats = 2,  // --target-ci: they were not, but --repeats were made
};

// A configuration among which `--strategies auto` chose. Seconds are per step, bounds at 95 %; NaN where
// there are none.
struct AutoCandidate {
  std::string strategy;
  int gpus = 0;
  double predicted_seconds = not_measured;  // before it was probed, by the step model
  double predicted_low = not_measured;
  double predicted_high = not_measured;
  // NaN if it was not probed: the prediction ruled it out, or it was the only candidate.
  double probed_seconds = not_measured;
  double probed_low = not_measured;
  double probed_high = not_measured;
  std::uint32_t probe_steps = 0;  // over all rounds
};

struct RecordedRun {
  PlannedRun planned;
  std::string label;         // label_of(planned.what) + " #" + number: unique in the file
  std::uint32_t launch = 0;  // index into launches
  std::uint32_t warmup = 0;  // steps before the measured ones
  std::uint32_t steps = 0;
  std::uint64_t parameters = 0;  // of the model, padding not counted
  RunStatus status = RunStatus::planned;
  StopReason stop = StopReason::none;
  std::vector<AutoCandidate> candidates;   // of a case of `auto`
  double choosing_seconds = not_measured;  // of autotuning, once for all runs of the case in the launch
  std::vector<RunRecord> ranks;            // [0, planned.what.gpus)
};

// Neither measured nor left out for a reason: --resume measures it.
inline bool is_left(const RecordedRun& run) {
  return run.status == RunStatus::planned && run.stop == StopReason::none;
}

struct Results {
  std::string path;
  std::vector<Launch> launches;
  std::vector<RecordedRun> runs;
};

// Fills Case::nccl of every run from its launch: runs with different settings of NCCL are different cases.
void note_nccl_settings(Results& results);

}  // namespace breakeven
