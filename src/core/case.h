// SPDX-License-Identifier: Apache-2.0
// What is measured: a case is one point of the experiment, a run is one case measured once.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "src/core/axis_values.h"
#include "src/core/gemm_kernel.h"
#include "src/core/level.h"
#include "src/core/precision.h"
#include "src/core/transport.h"

namespace breakeven {

struct ModelShape;
struct StrategyChoice;

// The word `auto` is no strategy: such a case has a known one in `chosen`.
using CaseModel = Parsed<ModelShape>;         // src/core/model/model_shape.h
using CaseStrategy = Parsed<StrategyChoice>;  // src/core/strategy/description.h
template <>
std::shared_ptr<const ModelShape> CaseModel::parse(std::string_view word);
template <>
std::shared_ptr<const StrategyChoice> CaseStrategy::parse(std::string_view word);

// Every field but `chosen` and `nccl` is a level of an axis of a launch; axes.h is the table of all.
struct Case {
  CaseModel model = {};        // "medium", "784-512-10"
  std::uint32_t batch = 0;     // global batch: samples a step over all GPUs; of independent copies each one's
  int gpus = 1;                // ranks [0, gpus) take part
  CaseStrategy strategy = {};  // "single", "ddp:buckets=4MB"
  Level<Precision> precision = {};
  Level<GemmKernel> gemm = {};
  Level<Transport> transport = {};  // Transport::none for single
  Level<Scaling> scaling = {};
  Level<Timing> timing = {};  // without a value where a case stands for both timings
  bool graph = false;         // the step is one CUDA graph
  Level<DataPlacement> data = {};
  CaseStrategy chosen = {};  // the strategy that "auto" has chosen, with as many GPUs as `gpus`; "" of others
  // NCCL's settings in the launch, "NAME=VALUE NAME=VALUE"; "" without settings or without NCCL. NCCL reads
  // them once per launch, so cases of a launch leave them empty, and only cases read from a file have them.
  std::string nccl = {};
  bool operator==(const Case&) const = default;
};

// The word of --strategies that leaves strategy and GPUs to the launch (src/autotune/).
inline constexpr std::string_view auto_strategy = "auto";
inline bool is_auto(const Case& what) { return what.strategy == auto_strategy; }

// The strategy that trains the case.
inline const CaseStrategy& trained_strategy(const Case& what) {
  return what.chosen.empty() ? what.strategy : what.chosen;
}

// "ddp", "auto (ddp)": for readers.
std::string words_of_strategy(const Case& what);

struct PlannedRun {
  Case what;
  std::uint32_t repeat = 0;  // 0-based, within the case
  std::uint32_t order = 0;   // 0-based, place in the launch's random order
};

// ", NCCL_P2P_DISABLE=1", to end a name with; "" without settings of NCCL.
std::string nccl_suffix(const Case& what);
// ", peer" or another transport that is not the usual one.
std::string unusual_transport(const Case& what);
// Both, the transport first.
std::string exchange_suffix(const Case& what);

// "medium b64 2x ddp fp32 tiled nccl phases": for progress lines, and with " #N", the run's number, as the
// run's unique label in the file.
std::string label_of(const Case& what);

}  // namespace breakeven
