// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/read_results.h"

#include <sys/stat.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <tuple>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/failure.h"
#include "src/hdf5/checksums.h"
#include "src/hdf5/label_faults.h"
#include "src/hdf5/labels.h"
#include "src/hdf5/read_contents.h"
#include "src/hdf5/records.h"

namespace breakeven::hdf5 {
namespace {

// Sentences about damage. Without a list, the first is thrown.
class Findings {
 public:
  explicit Findings(std::vector<std::string>* list) : list_(list) {}
  void add(const std::string& sentence) {
    if (!list_) throw Failure(ExitCode::file, sentence);
    list_->push_back(sentence);
  }

 private:
  std::vector<std::string>* list_;
};

// Takes runs and launches with damaged labels out of the contents.
void check_labels(Contents& contents, const std::string& path, Findings& findings) {
  DamagedLabels damaged = find_damaged_labels(contents);
  for (const std::size_t launch : damaged.launches)
    findings.add(
        fmt::format("{}: launch {} is damaged: its labels do not have the checksum they were written with",
                    path, launch));
  for (const std::size_t run : damaged.runs)
    findings.add(fmt::format(
        "{}: run {} is damaged: its labels do not have the checksum they were written with", path, run));
  take_out(contents, damaged);
}

// A step time that cannot have been measured: not between a nanosecond and thirty years. What is not a number
// was not measured.
std::optional<double> impossible_step(const RunRecord& record) {
  constexpr double shortest = 1e-9, longest = 1e9;
  for (std::uint32_t step = 0; step < record.steps; ++step) {
    const double seconds = record.at(step, Phase::step);
    if (seconds < shortest || seconds > longest) return seconds;
  }
  return std::nullopt;
}

void check_run(RecordedRun& run, std::size_t place, std::span<const std::uint64_t> stored,
               const Results& results, Findings& findings) {
  const std::string name = fmt::format("{}: run {} ({})", results.path, place, run.label);
  if (!(run.launch < results.launches.size()))
    throw Failure(ExitCode::file, name + " belongs to a launch that is not in the file");
  if (run.status == RunStatus::planned) return;
  for (std::size_t rank = 0; rank < run.ranks.size(); ++rank) {
    const bool is_whole = checksum_of(run.ranks[rank]) == stored[rank];
    const std::optional<double> impossible = impossible_step(run.ranks[rank]);
    if (is_whole && !impossible) continue;
    findings.add(is_whole
                     ? fmt::format("{} is wrong: rank {} has a step of {} s, which no step can take", name,
                                   rank, *impossible)
                     : fmt::format("{} is damaged: the numbers of rank {} do not have the checksum they were "
                                   "written with",
                                   name, rank));
    run.ranks.assign(run.ranks.size(), RunRecord(run.steps));
    run.status = RunStatus::planned;
    run.stop = StopReason::none;
    return;
  }
}

Results results_in(Contents contents, const std::string& path, Findings& findings) {
  const Extents extents = extents_of(contents);
  Results results{path, std::vector<Launch>(extents[Dimension::launch]),
                  std::vector<RecordedRun>(extents[Dimension::run])};
  for (std::size_t i = 0; i < results.launches.size(); ++i) {
    // The labels of all runs come along with the first launch's.
    const std::span<RecordedRun> runs = i == 0 ? std::span(results.runs) : std::span<RecordedRun>();
    read_labels(contents, extents, {i, results.launches[i], 0, runs});
  }
  read_records(contents, extents, 0, results.runs);
  const std::vector<std::uint64_t> stored = read_checksums(contents, extents, 0, results.runs.size());
  for (std::size_t run = 0; run < results.runs.size(); ++run)
    check_run(results.runs[run], run, std::span(stored).subspan(run * extents[Dimension::rank]), results,
              findings);
  note_nccl_settings(results);
  return results;
}

using Prepare = std::function<void(Contents&)>;

// Every sentence begins with the path. `prepare` sees the contents before they are taken as results.
Results read(const FileDescriptor& file, const std::string& path, std::vector<std::string>* left_out,
             const Prepare& prepare = nullptr) {
  Findings findings(left_out);
  try {
    Contents contents = read_contents(file, path);
    check_labels(contents, path, findings);
    if (prepare) prepare(contents);
    return results_in(std::move(contents), path, findings);
  } catch (const Failure& failure) {
    const std::string said = failure.what();
    if (said.starts_with(path)) throw;
    const bool is_damaged = failure.code() != ExitCode::environment;
    throw Failure(failure.code(),
                  fmt::format("{} {}: {}", path, is_damaged ? "is damaged" : "cannot be read", said));
  }
}

// Numbers would be divided by a batch of 0.
void expect_batches(const Results& results) {
  for (std::size_t run = 0; run < results.runs.size(); ++run) {
    const std::uint32_t batch = results.runs[run].planned.what.batch;
    if (batch >= 1 && batch <= largest_recorded_batch) continue;
    throw Failure(ExitCode::file,
                  fmt::format("{}: run {} claims a batch of {}, and a batch has 1 to {} samples",
                              results.path, run, batch, largest_recorded_batch));
  }
}

timespec last_change(const FileDescriptor& file) {
  struct stat info {};
  fstat(file.get(), &info);
  return info.st_mtim;
}

}  // namespace

Results read_results(const std::string& path) {
  const FileDescriptor file = open_to_read(path);
  for (int tries = 1;; ++tries) {
    const timespec before = last_change(file);
    try {
      Results results = read(file, path, nullptr);
      expect_batches(results);
      return results;
    } catch (const Failure&) {
      // A launch that wrote meanwhile may have changed what belongs together.
      const timespec after = last_change(file);
      const bool changed = before.tv_sec != after.tv_sec || before.tv_nsec != after.tv_nsec;
      if (!changed || tries == 5) throw;
    }
  }
}

Results read_whole_parts(const std::string& path, std::vector<std::string>& left_out) {
  Results results = read(open_to_read(path), path, &left_out);
  expect_batches(results);
  return results;
}

Results read_any_values(const std::string& path, std::vector<std::string>& left_out) {
  return read(open_to_read(path), path, &left_out, [&](Contents& contents) {
    for (std::string& sentence : mend_labels(contents)) left_out.push_back(std::move(sentence));
  });
}

Results read_to_extend(const std::string& path) {
  const Contents contents = read_contents(open_to_read(path), path);
  if (!contents.unknown().empty())
    throw Failure(ExitCode::file,
                  fmt::format("{} has the variable {}, which this program does not know. Extend it with "
                              "the program that wrote it, or choose another --output",
                              path, contents.unknown().front()));
  for (const Variable& variable : variables()) {
    const auto* names = std::get_if<Names>(&variable.source);
    if (!names || !contents.has(variable)) continue;
    const std::vector<std::string>& cells = column_of<std::string>(contents, variable);
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const std::string_view known = i < names->words.size() ? names->words[i] : "";
      if (!cells[i].empty() && cells[i] != known)
        throw Failure(ExitCode::file,
                      fmt::format("{} has '{}' as number {} of its {} names; this program has '{}'", path,
                                  cells[i], i, variable.name, known));
    }
  }
  return read_results(path);
}

namespace {

// A launch on fewer of a machine's GPUs is still of that machine.
std::set<std::string> devices_of(const Results& results) {
  std::set<std::string> names;
  for (const Launch& launch : results.launches) {
    for (const RankInfo& rank : launch.topology.ranks) {
      const std::string name = rank.device.name.empty() ? "a device without a name" : rank.device.name;
      names.insert(rank.device.is_gpu() ? name : name + " (host backend)");
    }
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

namespace {

std::vector<Results> read_files(const std::vector<std::string>& paths, std::vector<std::string>* left_out) {
  std::vector<Results> files;
  for (const std::string& path : paths)
    files.push_back(left_out ? read_whole_parts(path, *left_out) : read_results(path));
  return files;
}

}  // namespace

std::vector<MachineResults> read_machines(const std::vector<std::string>& paths,
                                          std::vector<std::string>* left_out) {
  std::vector<std::pair<std::string, std::vector<Results>>> groups;
  for (Results& file : read_files(paths, left_out)) {
    const std::string name = fmt::format("{}", fmt::join(devices_of(file), " and "));
    auto group = std::ranges::find(groups, name, [](const auto& one) { return one.first; });
    if (group == groups.end()) group = groups.insert(groups.end(), {name, {}});
    group->second.push_back(std::move(file));
  }
  std::vector<MachineResults> machines;
  for (auto& [name, files] : groups) machines.push_back({name, as_one(std::move(files))});
  return machines;
}

Results read_all_results(const std::vector<std::string>& paths) { return as_one(read_files(paths, nullptr)); }

}  // namespace breakeven::hdf5
