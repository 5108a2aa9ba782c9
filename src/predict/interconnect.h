// SPDX-License-Identifier: Apache-2.0
// The time of an exchange among any number of ranks on a machine of levels: GPUs in a node, nodes in a rack,
// ...
#pragma once

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "src/analysis/exchange_time.h"
#include "src/core/case.h"
#include "src/predict/call_costs.h"

namespace breakeven::predict {

// One level of a machine. Ranks fill it in order: the first `joins` in the first unit, and so on.
struct LinkLevel {
  std::string name;
  int joins = 1;                           // units of the level below; of the lowest: GPUs
  bool is_measured = true;                 // as the file's own links; else by the next two
  double latency_seconds = not_measured;   // alpha: of one message, without the start of a call
  double bytes_per_second = not_measured;  // beta: of one GPU in one direction, while all send
};

struct Machine {
  std::string name;               // for people
  std::vector<LinkLevel> levels;  // the lowest first
};
// Of one level that joins any number of GPUs by links like those measured.
Machine machine_as_measured();
int gpus_of(const Machine& machine);
// Whether the case's transport reaches so many GPUs of the machine, whose lowest level is a host.
bool reaches_all(const Case& what, const Machine& machine);

class Interconnect {
 public:
  Interconnect(Machine machine, Transport transport, CallCosts costs);

  // The fastest form: one over all ranks at the pace of the slowest level that it crosses; or level by level
  // (reduce-scatter inside, all-reduce across, all-gather inside: Cho et al., "BlueConnect", MLSys 2019,
  // section 3), each in its own fastest form.
  struct Call {
    analysis::ExchangeTime time;
    std::string form;  // "ring", "ring in nvlink, tree in infiniband"
  };
  // Of ranks at a distance of `stride` in the machine.
  Call call(const Message& message, int stride = 1) const;

  const CallCosts& costs() const { return costs_; }

 private:
  struct Part {  // a level, and the ranks that meet there
    const LinkLevel* level;
    double ranks;
  };
  std::vector<Part> parts_of(int ranks, int stride) const;
  double hop_seconds(const LinkLevel& level, Collective kind, double ranks) const;
  double seconds_of_bytes(const LinkLevel& level, Collective kind, double bytes, double ranks) const;
  // Without the call's start.
  Call within(const Part& part, Collective kind, double bytes) const;
  Call flat(const std::vector<Part>& parts, Collective kind, double bytes) const;
  Call by_levels(const std::vector<Part>& parts, std::size_t first, Collective kind, double bytes) const;

  Machine machine_;
  Transport transport_;
  CallCosts costs_;
};

}  // namespace breakeven::predict
