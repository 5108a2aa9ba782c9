// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/serial_file.h"

#include <fcntl.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "src/core/failure.h"
#include "src/hdf5/h5.h"
#include "src/hdf5/labels.h"
#include "src/hdf5/layout.h"
#include "src/hdf5/old_roofline.h"

namespace breakeven::hdf5 {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void fail_file(const std::string& sentence) { throw Failure(ExitCode::file, sentence); }

std::string names_of_labels() {
  std::string labels;
  for (const Variable& variable : variables())
    if (!variable.is_coordinate() && !variable.is_measured()) labels.append(variable.name).append(" ");
  labels.pop_back();
  return labels;
}

H5File create_empty(const std::string& path) {
  const H5Properties properties(H5_CALL(H5Pcreate(H5P_FILE_CREATE), path));
  constexpr unsigned in_order = H5P_CRT_ORDER_TRACKED | H5P_CRT_ORDER_INDEXED;
  H5_CALL(H5Pset_link_creation_order(properties.get(), in_order), path);
  H5_CALL(H5Pset_attr_creation_order(properties.get(), in_order), path);
  H5File file(
      H5_CALL(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, properties.get(), H5P_DEFAULT), "creating " + path));
  write_attribute(file.get(), "Conventions", format_name);
  write_attribute(file.get(), "title", "breakeven: training steps, measured phase by phase on every rank");
  write_attribute(file.get(), "coordinates", names_of_labels());
  return file;
}

void check_format(hid_t file, const std::string& path) {
  const std::string found = read_text_attribute(file, "Conventions");
  if (found == format_name) return;
  if (found.starts_with("breakeven-results-"))
    fail_file(path + " has the format " + found + "; this program knows " + std::string(format_name));
  fail_file(path + " is an HDF5 file, but not a results file of breakeven");
}

H5File open_checked(const std::string& path, unsigned access) {
  silence_h5();
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (!fs::exists(status)) fail_file(path + ": " + (error ? error.message() : "no such file"));
  if (!fs::is_regular_file(status)) fail_file(path + " is not a file");
  if (!H5_CALL(H5Fis_hdf5(path.c_str()), "opening " + path)) fail_file(path + " is not an HDF5 file");
  H5File file(H5_CALL(H5Fopen(path.c_str(), access, H5P_DEFAULT), "opening " + path));
  check_format(file.get(), path);
  return file;
}

// HDF5's own messages are unclear here.
void check_place(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  std::error_code error;
  if (!folder.empty() && !fs::is_directory(folder, error))
    fail_file("the folder of " + path + " does not exist");
  if (fs::is_directory(path, error)) fail_file(path + " is a folder, not a results file");
}

void copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) fail_file("copying " + from + " to " + to + ": " + error.message());
}

// Writes the launch's labels, which depend on what the file held before.
void write_launch(hid_t file, const Extents& extents, const Launch& launch, PlacedPlan& placed) {
  const hsize_t launch_index = extents[Dimension::launch] - 1;
  for (RecordedRun& run : placed.runs) {
    if (is_left(run)) run.launch = static_cast<std::uint32_t>(launch_index);
  }
  write_labels(file, extents, {launch_index, launch, placed.first_run, placed.runs});
}

Extents extents_with(Extents extents, const LaunchPlan& plan, hsize_t first_run) {
  const hsize_t ranks = plan.launch.topology.ranks.size();
  extents[Dimension::launch] += 1;
  extents[Dimension::run] = first_run + plan.runs.size();
  extents[Dimension::phase] = phase_count;
  extents[Dimension::rank] = std::max(extents[Dimension::rank], ranks);
  extents[Dimension::peer] = std::max(extents[Dimension::peer], ranks);
  extents[Dimension::transport] = std::max<hsize_t>(extents[Dimension::transport], probed_transports.size());
  extents[Dimension::group] =
      std::max<hsize_t>(extents[Dimension::group], plan.launch.message_times.groups());
  extents[Dimension::operation] = probed_kinds;
  extents[Dimension::message] = message_sizes;
  extents[Dimension::product_precision] =
      std::max<hsize_t>(extents[Dimension::product_precision], precisions.size());
  for (const RecordedRun& run : plan.runs) {
    extents[Dimension::step] = std::max<hsize_t>(extents[Dimension::step], run.steps);
    extents[Dimension::candidate] = std::max<hsize_t>(extents[Dimension::candidate], run.candidates.size());
  }
  return extents;
}

PlacedPlan make_new(const std::string& path, const LaunchPlan& plan) {
  H5File file = create_empty(path);
  PlacedPlan placed = place_behind({}, plan);
  const Extents extents = extents_with({}, plan, placed.first_run);
  create_variables(file.get(), extents);
  write_launch(file.get(), extents, plan.launch, placed);
  H5_CALL(file.close_now(), "closing " + path);
  return placed;
}

// Finds the place in an existing file, which may not be a results file.
PlacedPlan place_in(const std::string& path, OpenMode mode, const LaunchPlan& plan) {
  const H5File file = open_checked(path, H5F_ACC_RDONLY);
  if (mode != OpenMode::resume) return place_behind(read_extents(file.get()), plan);
  auto found = find_plan(file.get(), path, plan);
  if (const auto* error = std::get_if<UsageError>(&found)) fail_file(error->sentence);
  return std::get<PlacedPlan>(std::move(found));
}

void extend(const std::string& path, const LaunchPlan& plan, PlacedPlan& placed) {
  H5File file = open_checked(path, H5F_ACC_RDWR);
  const Extents before = read_extents(file.get());
  const Extents extents = extents_with(before, plan, placed.first_run);
  if (add_missing_variables(file.get(), before)) {
    H5_CALL(H5Adelete(file.get(), "coordinates"), "naming the labels of " + path);
    write_attribute(file.get(), "coordinates", names_of_labels());
  }
  extend_variables(file.get(), extents);
  move_old_rates(file.get(), before);
  write_launch(file.get(), extents, plan.launch, placed);
  H5_CALL(file.close_now(), "closing " + path);
}

}  // namespace

PreparedFile prepare_file(const std::string& path, OpenMode mode, const LaunchPlan& plan) {
  silence_h5();
  check_place(path);
  const bool exists = fs::exists(path);
  if (exists && mode == OpenMode::create)
    fail_file(path +
              " exists. Pass --append to add a launch, --resume to finish an interrupted launch, or another "
              "--output");
  const std::string target = exists ? fs::canonical(path).string() : path;  // through links, which stay links
  const std::string partial = target + ".partial";
  FileDescriptor replaced;
  PlacedPlan placed;
  if (exists) {
    replaced = lock_to_replace(target);
    placed = place_in(target, mode, plan);
    copy_file(target, partial);
    extend(partial, plan, placed);
  } else {
    placed = make_new(partial, plan);
  }
  flush_to_disk(partial);
  PreparedFile prepared{std::move(placed), lock_for_launch(partial)};
  if (std::rename(partial.c_str(), target.c_str()) != 0)
    fail_file("rename " + partial + " to " + target + ": " + std::strerror(errno));
  return prepared;
}

H5File open_results(const std::string& path) { return open_checked(path, H5F_ACC_RDONLY); }

H5File open_to_write(const std::string& path) { return open_checked(path, H5F_ACC_RDWR); }

void flush_to_disk(const std::string& path) {
  const FileDescriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file || fsync(file.get()) != 0) fail_file("fsync " + path + ": " + std::strerror(errno));
}

}  // namespace breakeven::hdf5
