// SPDX-License-Identifier: Apache-2.0
// The reader of results files. The writer is results_writer.cpp; docs/results-file.md describes the format.
#include "src/hdf5/read_results.h"

#include <map>
#include <set>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/failure.h"
#include "src/hdf5/labels.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"

namespace breakeven::hdf5 {
namespace {

void check_runs(const Results& results, const std::vector<std::uint64_t>& stored, hsize_t ranks) {
  for (std::size_t i = 0; i < results.runs.size(); ++i) {
    const RecordedRun& run = results.runs[i];
    const std::string place = results.path + ": run " + std::to_string(i) + " (" + run.label + ")";
    if (!(run.launch < results.launches.size()))
      throw Failure(ExitCode::file, place + " belongs to a launch that is not in the file");
    if (run.status == RunStatus::planned) continue;
    for (std::size_t rank = 0; rank < run.ranks.size(); ++rank)
      if (checksum_of(run.ranks[rank]) != stored[i * ranks + rank])
        throw Failure(ExitCode::file, place + " is damaged: the numbers of rank " + std::to_string(rank) +
                                          " do not have the checksum they were written with");
  }
}

}  // namespace

Results read_results(const std::string& path) {
  const H5File file = open_results(path);
  const Extents extents = read_extents(file.get());
  Results results{path, std::vector<Launch>(extents[Dimension::launch]),
                  std::vector<RecordedRun>(extents[Dimension::run])};
  for (std::size_t i = 0; i < results.launches.size(); ++i) {
    // The labels of all runs come along with the first launch's.
    const std::span<RecordedRun> runs = i == 0 ? std::span(results.runs) : std::span<RecordedRun>();
    read_labels(file.get(), extents, {i, results.launches[i], 0, runs});
  }
  read_records(file.get(), extents, 0, results.runs);
  check_runs(results, read_checksums(file.get(), extents, 0, results.runs.size()), extents[Dimension::rank]);
  note_nccl_settings(results);
  return results;
}

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

// Identifies a launch: its start and its command.
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

}  // namespace breakeven::hdf5
