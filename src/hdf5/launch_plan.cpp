// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/launch_plan.h"

#include <map>

#include <fmt/format.h>

#include "src/hdf5/labels.h"
#include "src/hdf5/layout.h"
#include "src/hdf5/serial_file.h"

namespace breakeven::hdf5 {
namespace {

std::string in_words(const RecordedRun& run) {
  return fmt::format("{} in repeat {}, {} + {} steps", label_of(run.planned.what), run.planned.repeat,
                     run.warmup, run.steps);
}

bool is_same(const RecordedRun& a, const RecordedRun& b) {
  return a.planned.what == b.planned.what && a.planned.repeat == b.planned.repeat &&
         a.planned.order == b.planned.order && a.warmup == b.warmup && a.steps == b.steps;
}

// What must not change within a plan, or its runs could not be compared. A limit of time changes no number.
std::map<std::string, std::string> conditions_of(const Launch& launch) {
  std::map<std::string, std::string> conditions;
  for (const auto& [name, value] : launch.settings) {
    if (name != "timeout") conditions["--" + name] = value;
  }
  conditions["NCCL's settings"] = nccl_settings_of(launch);
  for (const RankInfo& rank : launch.topology.ranks) {
    conditions["devices"] += (conditions["devices"].empty() ? "" : ", ") + rank.device.name;
  }
  return conditions;
}

std::string difference(const Launch& there, const Launch& here) {
  std::map<std::string, std::string> before = conditions_of(there);
  std::map<std::string, std::string> now = conditions_of(here);
  for (const auto& [name, value] : before) now.try_emplace(name, "");
  for (const auto& [name, value] : now) {
    if (before[name] != value)
      return fmt::format("{} was '{}' in the file and is '{}' now", name, before[name], value);
  }
  return "";
}

}  // namespace

PlacedPlan place_behind(const Extents& before, const LaunchPlan& plan) {
  PlacedPlan placed{before[Dimension::run], plan.runs};
  for (std::size_t i = 0; i < placed.runs.size(); ++i) {
    RecordedRun& run = placed.runs[i];
    run.label = label_of(run.planned.what) + " #" + std::to_string(placed.first_run + i);
    run.launch = static_cast<std::uint32_t>(before[Dimension::launch]);
    run.status = RunStatus::planned;
  }
  return placed;
}

std::variant<PlacedPlan, UsageError> find_plan(hid_t file, const std::string& path, const LaunchPlan& plan) {
  const auto refuse = [&](const std::string& reason) {
    return UsageError{fmt::format("--resume: {} holds a different plan: {}", path, reason)};
  };
  const Extents extents = read_extents(file);
  const std::size_t count = plan.runs.size();
  const hsize_t there = extents[Dimension::run];
  if (there < count) return refuse(fmt::format("it has {} runs, this launch plans {}", there, count));

  PlacedPlan placed{there - count, std::vector<RecordedRun>(count)};
  Launch launch;
  read_labels(file, extents, {0, launch, placed.first_run, placed.runs});
  for (std::size_t i = 0; i < count; ++i) {
    if (is_same(placed.runs[i], plan.runs[i])) continue;
    return refuse(fmt::format("its run {} is {}; this launch plans {}", placed.first_run + i,
                              in_words(placed.runs[i]), in_words(plan.runs[i])));
  }
  Launch first;
  read_labels(file, extents, {placed.runs.front().launch, first, 0, {}});
  const std::string other = difference(first, plan.launch);
  if (!other.empty()) return refuse(other);
  return placed;
}

std::variant<PlacedPlan, UsageError> find_plan(const std::string& path, const LaunchPlan& plan) {
  const H5File file = open_results(path);
  return find_plan(file.get(), path, plan);
}

}  // namespace breakeven::hdf5
