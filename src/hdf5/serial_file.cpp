// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/serial_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "src/core/failure.h"
#include "src/hdf5/h5.h"
#include "src/hdf5/partial_file.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/write_results.h"

namespace breakeven::hdf5 {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_file(const std::string& sentence) { throw Failure(ExitCode::file, sentence); }

// HDF5's own messages are unclear here.
void check_place(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    fail_file("the folder of " + path + " does not exist");
  if (fs::is_directory(path, error)) fail_file(path + " is a folder, not a results file");
  if (const std::string obstacle = obstacle_to(path); !obstacle.empty()) fail_file(path + ": " + obstacle);
}

PlacedPlan place_in(const Results& before, OpenMode mode, const LaunchPlan& plan) {
  if (mode != OpenMode::resume || before.launches.empty()) return place_behind(before, plan);
  auto found = find_plan(before, plan);
  if (std::holds_alternative<PlacedPlan>(found)) return std::get<PlacedPlan>(std::move(found));
  if (!was_about_to_append(before.path, plan)) fail_file(std::get<UsageError>(found).sentence);
  return place_behind(before, plan);
}

// Adds the launch to the results, and its runs where they are not there yet.
void add_launch(const LaunchPlan& plan, PlacedPlan& placed, Results& all) {
  const auto launch = static_cast<std::uint32_t>(all.launches.size());
  all.launches.push_back(plan.launch);
  for (RecordedRun& run : placed.runs)
    if (is_left(run)) run.launch = launch;
  if (placed.first_run == all.runs.size()) {
    all.runs.insert(all.runs.end(), placed.runs.begin(), placed.runs.end());
    return;
  }
  for (std::size_t i = 0; i < placed.runs.size(); ++i)
    all.runs[placed.first_run + i].launch = placed.runs[i].launch;
}

PreparedFile prepare(const std::string& path, OpenMode mode, const LaunchPlan& plan) {
  check_place(path);
  const bool exists = fs::exists(path);
  if (exists && mode == OpenMode::create)
    fail_file(path +
              " exists. Pass --append to add a launch, --resume to finish an interrupted launch, or another "
              "--output");
  const std::string target = exists ? fs::canonical(path).string() : path;  // through links, which stay links
  FileDescriptor replaced;
  if (exists) replaced = lock_to_replace(target);
  Results all = exists ? read_to_extend(target) : Results{};
  PreparedFile prepared{place_in(all, mode, plan), {}, {}};
  add_launch(plan, prepared.plan, all);
  PartialFile partial(target);
  const std::vector<std::uint64_t> sums = write_results(partial.path(), all.launches, all.runs);
  prepared.label_sums.assign(sums.begin() + static_cast<std::ptrdiff_t>(prepared.plan.first_run), sums.end());
  const mode_t rights = mode_of(target).value_or(mode_of_new_files());
  prepared.file = exists ? partial.replace_target(rights, replaced) : partial.publish(rights);
  remove_orphans_of(target);
  return prepared;
}

}  // namespace

PreparedFile prepare_file(const std::string& path, OpenMode mode, const LaunchPlan& plan) {
  try {
    return prepare(path, mode, plan);
  } catch (const H5Failure& failure) {
    fail_writing(path, failure);
  } catch (...) {
    throw;  // what nobody catches would leave the partial file behind
  }
}

std::uint64_t bytes_to_prepare(const Results& before, const LaunchPlan& plan) {
  std::vector<Launch> launches = before.launches;
  launches.push_back(plan.launch);
  Extents extents = extents_for(launches, plan.runs);
  const Extents there = extents_for({}, before.runs);
  extents[Dimension::step] = std::max(extents[Dimension::step], there[Dimension::step]);
  extents[Dimension::run] += there[Dimension::run];
  return stored_bytes(extents);
}

bool was_about_to_append(const std::string& path, const LaunchPlan& plan) {
  const std::vector<std::string> orphans = orphans_of(fs::canonical(path).string());
  return std::ranges::any_of(orphans, [&](const std::string& orphan) {
    try {
      return std::holds_alternative<PlacedPlan>(find_plan(read_results(orphan), plan));
    } catch (const Failure&) {
      return true;  // killed while it wrote, so it does not tell its plan
    }
  });
}

void flush_to_disk(const FileDescriptor& file, const std::string& path) {
  if (fsync(file.get()) != 0) fail_file("fsync " + path + ": " + std::strerror(errno));
}

}  // namespace breakeven::hdf5
