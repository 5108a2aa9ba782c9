// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/launch_plan.h"

#include <map>

#include <fmt/format.h>

#include "src/core/text/command_line.h"

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

// Of a setting, which is the option of this name or of its name in older versions.
std::string in_words(std::string_view setting) {
  if (setting == dataset_checksum) return "the checksum of the data set";
  return "--" + new_name_of(std::string(setting));
}

// What must not change within a plan, or its runs could not be compared. A limit of time changes no number.
std::map<std::string, std::string> conditions_of(const Launch& launch) {
  std::map<std::string, std::string> conditions;
  for (const auto& [name, value] : launch.settings) {
    if (name != "timeout") conditions[in_words(name)] = value;
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
  // Versions up to 1.0 did not record it.
  if (!before.contains(in_words(dataset_checksum))) now.erase(in_words(dataset_checksum));
  for (const auto& [name, value] : before) now.try_emplace(name, "");
  for (const auto& [name, value] : now) {
    if (before[name] != value)
      return fmt::format("{} was '{}' in the file and is '{}' now", name, before[name], value);
  }
  return "";
}

}  // namespace

PlacedPlan place_behind(const Results& before, const LaunchPlan& plan) {
  PlacedPlan placed{before.runs.size(), plan.runs};
  for (std::size_t i = 0; i < placed.runs.size(); ++i) {
    RecordedRun& run = placed.runs[i];
    run.label = label_of(run.planned.what) + " #" + std::to_string(placed.first_run + i);
    run.launch = static_cast<std::uint32_t>(before.launches.size());
    run.status = RunStatus::planned;
  }
  return placed;
}

std::variant<PlacedPlan, UsageError> find_plan(const Results& file, const LaunchPlan& plan) {
  const auto refuse = [&](const std::string& reason) {
    return UsageError{fmt::format("--resume: {} holds a different plan: {}", file.path, reason)};
  };
  const std::size_t count = plan.runs.size();
  const std::size_t there = file.runs.size();
  if (there < count) return refuse(fmt::format("it has {} runs, this launch plans {}", there, count));
  PlacedPlan placed{there - count, {file.runs.end() - static_cast<std::ptrdiff_t>(count), file.runs.end()}};
  for (std::size_t i = 0; i < count; ++i) {
    placed.runs[i].planned.what.nccl.clear();  // of the launch, compared below
    placed.runs[i].ranks.clear();
    if (is_same(placed.runs[i], plan.runs[i])) continue;
    return refuse(fmt::format("its run {} is {}; this launch plans {}", placed.first_run + i,
                              in_words(placed.runs[i]), in_words(plan.runs[i])));
  }
  const std::string other = difference(file.launches[placed.runs.front().launch], plan.launch);
  if (!other.empty()) return refuse(other);
  return placed;
}

}  // namespace breakeven::hdf5
