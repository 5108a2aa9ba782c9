// SPDX-License-Identifier: Apache-2.0
// The variables of a results file as one table. Creating, writing, reading and checking the file walk it, and
// docs/results-file.md lists it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "src/core/axes.h"
#include "src/core/records/results.h"

namespace breakeven::hdf5 {

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

// Values that are not a member of something. Cell is the type of one in the file.
struct Numbers {  // consecutive numbers along the dimension
  std::int32_t first = 0;
  using Cell = std::int32_t;
};
struct Names {  // as this program lists them
  std::vector<std::string_view> words;
  using Cell = std::string;
};
struct MessageBytes {  // the sizes of the calls that a launch measures (src/core/message.h)
  using Cell = std::uint64_t;
};
struct RecordChecksum {  // of a rank's numbers in a run (checksums.h)
  using Cell = std::uint64_t;
};
struct LabelChecksum {  // of the labels of a run or of a launch (checksums.h)
  using Cell = std::uint64_t;
};

// Where a variable's values are in memory. The class of a member says what the variable belongs to: a run
// (RecordedRun, PlannedRun, Case), a candidate (AutoCandidate), a rank in a run (RunRecord, Telemetry), a
// launch (Launch, Topology, MessageTimes), a rank in a launch (RankInfo, DeviceInfo, Roofline), or a link
// (Link). Of a list of candidates or ranks, the file stores the length.
using Source =
    std::variant<Numbers, Names, MessageBytes, RecordChecksum, LabelChecksum,                             //
                 std::vector<AutoCandidate> RecordedRun::*, double RecordedRun::*,                        //
                 std::string AutoCandidate::*, int AutoCandidate::*, double AutoCandidate::*,             //
                 std::uint32_t AutoCandidate::*,                                                          //
                 std::string RecordedRun::*, std::uint32_t RecordedRun::*, std::uint64_t RecordedRun::*,  //
                 RunStatus RecordedRun::*, StopReason RecordedRun::*, std::uint32_t PlannedRun::*,        //
                 CaseModel Case::*, CaseStrategy Case::*, std::string Case::*, std::uint32_t Case::*,     //
                 int Case::*, bool Case::*, Level<Precision> Case::*, Level<GemmKernel> Case::*,          //
                 Level<Transport> Case::*, Level<Scaling> Case::*, Level<Timing> Case::*,                 //
                 Level<DataPlacement> Case::*,                                                            //
                 std::vector<double> RunRecord::*, double RunRecord::*, double Telemetry::*,              //
                 std::string Launch::*, Pairs Launch::*, std::vector<RankInfo> Topology::*,               //
                 std::string RankInfo::*, std::string DeviceInfo::*, int DeviceInfo::*,                   //
                 std::size_t DeviceInfo::*, double Roofline::*, RateByPrecision Roofline::*,              //
                 std::vector<double> MessageTimes::*, std::string Link::*, bool Link::*, double Link::*>;

// How the report makes one number of a per-step variable.
enum class Reduction {
  mean,       // over steps, ranks and runs
  highest,    // the same
  final_sum,  // of the last step, summed over ranks, mean over runs
};

// A column of the report's CSV and JSON: a per-step variable, reduced.
struct StepColumn {
  Reduction reduction;
  std::string_view key;
  std::string_view unit;
  std::string_view meaning;
  std::vector<double> RunRecord::*values = nullptr;
};

struct Variable {
  std::string_view name;
  std::vector<Dimension> dimensions;
  std::string_view units;  // empty for text
  std::string_view long_name;
  Source source;
  bool is_addition = false;              // files that older programs wrote do not have it
  std::vector<StepColumn> columns = {};  // of a per-step variable

  Variable reported(std::vector<StepColumn> as) &&;  // with these columns, of its values
  bool has(Dimension dimension) const;
  bool is_coordinate() const;  // of the dimension that it is named after
  bool is_measured() const;    // a rank's numbers in a run; everything else is a label
  bool is_checksum() const;
};

const std::vector<Variable>& variables();
const Variable& variable_named(std::string_view name);
const std::vector<StepColumn>& step_columns();  // of all variables

// Older files, without the dimension `product_precision`, have one variable for the rate of each precision,
// which stands at index_of(precision): PRECISION_flops_per_second[launch, rank].
const std::vector<Variable>& old_rate_variables();

}  // namespace breakeven::hdf5
