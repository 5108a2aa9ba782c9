// SPDX-License-Identifier: Apache-2.0
// The variables of a results file as one table, which creating, writing, reading and checking all walk. It is
// the table of docs/results-file.md.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "src/core/axes.h"
#include "src/core/records/results.h"

namespace breakeven {

inline constexpr std::string_view format_name = "breakeven-results-1";

enum class Dimension {
  run,
  rank,
  step,
  phase,
  peer,
  launch,
  transport,
  group,
  operation,
  message,
  candidate,
  product_precision
};
inline constexpr std::array<std::string_view, 12> dimension_names{
    "run",       "rank",  "step",      "phase",   "peer",      "launch",
    "transport", "group", "operation", "message", "candidate", "product_precision"};

// What a variable's values are where they are not a member of something.
struct PlaceNumber {};  // 0, 1, ... along the dimension
struct PhaseName {};    // the names of src/core/phase.h
struct TransportName {
};  // those of the messages that a launch has measured (src/core/records/message_times.h)
struct GroupRanks {};
struct OperationName {};
struct MessageBytes {};
struct PrecisionName {};   // the names of src/core/precision.h
struct RecordChecksum {};  // of the rank's numbers in the run (checksum.h)

using Pairs = std::vector<std::pair<std::string, std::string>>;

// Where a variable's values live in memory. The class of a member says what the variable belongs to: a run
// (RecordedRun, where the list of candidates stands for its length; PlannedRun, Case), a candidate of one
// (AutoCandidate), a rank's record of one (RunRecord, Telemetry), a launch (Launch, Topology,
// where the list of ranks stands for its length; MessageTimes), a rank of one (RankInfo, DeviceInfo,
// Roofline), or a link.
using Source =
    std::variant<PlaceNumber, PhaseName, TransportName, GroupRanks, OperationName, MessageBytes,
                 PrecisionName,                                                                           //
                 std::vector<AutoCandidate> RecordedRun::*, double RecordedRun::*,                        //
                 std::string AutoCandidate::*, int AutoCandidate::*, double AutoCandidate::*,             //
                 std::uint32_t AutoCandidate::*,                                                          //
                 RecordChecksum,                                                                          //
                 std::string RecordedRun::*, std::uint32_t RecordedRun::*, std::uint64_t RecordedRun::*,  //
                 RunStatus RecordedRun::*, StopReason RecordedRun::*, std::uint32_t PlannedRun::*,        //
                 std::string Case::*, std::uint32_t Case::*, int Case::*, bool Case::*,                   //
                 Level<Precision> Case::*, Level<GemmKernel> Case::*, Level<Transport> Case::*,           //
                 Level<Scaling> Case::*, Level<Timing> Case::*, Level<DataPlacement> Case::*,             //
                 std::vector<double> RunRecord::*, double RunRecord::*, double Telemetry::*,              //
                 std::string Launch::*, Pairs Launch::*, std::vector<RankInfo> Topology::*,               //
                 std::string RankInfo::*, std::string DeviceInfo::*, int DeviceInfo::*,
                 std::size_t DeviceInfo::*, double Roofline::*, RateByPrecision Roofline::*,  //
                 std::vector<double> MessageTimes::*,                                         //
                 std::string Link::*, bool Link::*, double Link::*>;

struct Variable {
  std::string_view name;
  std::vector<Dimension> dimensions;
  std::string_view units;  // empty for text
  std::string_view long_name;
  Source source;

  bool has(Dimension dimension) const;
  bool is_coordinate() const;  // of the dimension that it is named after
  bool is_measured() const;    // a rank's numbers in a run; everything else is a label
  bool is_addition() const;    // files that older programs wrote do not have it
};

const std::vector<Variable>& variables();
const Variable& variable_named(std::string_view name);

}  // namespace breakeven
