// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/read_all_results.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/failure.h"
#include "src/hdf5/read_results.h"

namespace breakeven {
namespace {

// A launch on fewer of a machine's GPUs is still of that machine.
std::set<std::string> devices_of(const Results& results) {
  std::set<std::string> names;
  for (const Launch& launch : results.launches) {
    for (const RankInfo& rank : launch.topology.ranks)
      names.insert(rank.device.backend == "cuda" ? rank.device.name : rank.device.name + " (host backend)");
  }
  return names;
}

void check_machine(const Results& first, const Results& other) {
  const auto one = devices_of(first);
  const auto two = devices_of(other);
  if (one == two) return;
  throw Failure(ExitCode::usage,
                fmt::format("{} was measured on {}, {} on {}. Files that are read together must come from "
                            "one machine. To compare two machines, run: breakeven compare {} {}",
                            first.path, fmt::join(one, " and "), other.path, fmt::join(two, " and "),
                            first.path, other.path));
}

// What no two launches have in common: they were started at different times, or by different commands.
using LaunchKey = std::tuple<std::string, std::string>;

void check_launches(const std::vector<Results>& files) {
  std::map<LaunchKey, std::string> known;
  for (const Results& file : files) {
    std::map<LaunchKey, std::string> own;
    for (const Launch& launch : file.launches) own[{launch.started, launch.command_line}] = file.path;
    for (const auto& [key, path] : own) {
      const auto [place, is_new] = known.emplace(key, path);
      if (!is_new)
        throw Failure(ExitCode::usage, fmt::format("{} and {} hold the same launch, started {}. Pass it once",
                                                   place->second, path, std::get<0>(key)));
    }
  }
}

void append(Results file, Results& all) {
  const auto launches = static_cast<std::uint32_t>(all.launches.size());
  for (Launch& launch : file.launches) all.launches.push_back(std::move(launch));
  for (RecordedRun& run : file.runs) {
    run.launch += launches;
    run.label = fmt::format("{} #{}", label_of(run.planned.what), all.runs.size());
    all.runs.push_back(std::move(run));
  }
  all.path += ", " + file.path;
}

}  // namespace

Results as_one(std::vector<Results> files) {
  for (const Results& file : files) check_machine(files.front(), file);
  check_launches(files);
  Results all = std::move(files.front());
  for (std::size_t i = 1; i < files.size(); ++i) append(std::move(files[i]), all);
  return all;
}

Results read_all_results(const std::vector<std::string>& paths) {
  std::vector<Results> files;
  for (const std::string& path : paths) files.push_back(read_results(path));
  return as_one(std::move(files));
}

}  // namespace breakeven
