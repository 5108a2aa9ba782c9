// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/merge_results.h"

#include <algorithm>
#include <filesystem>

#include "src/core/failure.h"
#include "src/hdf5/partial_file.h"
#include "src/hdf5/read_results.h"
#include "src/hdf5/write_results.h"

namespace breakeven::hdf5 {
namespace {

void check_new(const std::string& to) {
  if (const std::string obstacle = obstacle_to(to); !obstacle.empty())
    throw Failure(ExitCode::file, to + ": " + obstacle);
  std::error_code ignored;
  if (std::filesystem::exists(to, ignored))
    throw Failure(ExitCode::file, to + " exists. Choose another --output");
}

// Removes launches that have no run.
void number_launches(Results& all) {
  std::vector<Launch> used;
  for (std::size_t launch = 0; launch < all.launches.size(); ++launch) {
    bool is_used = false;
    for (RecordedRun& run : all.runs) {
      if (run.launch != launch) continue;
      run.launch = static_cast<std::uint32_t>(used.size());
      is_used = true;
    }
    if (is_used) used.push_back(std::move(all.launches[launch]));
  }
  all.launches = std::move(used);
}

void write_new(const Results& all, const std::vector<std::string>& from, const std::string& to) {
  mode_t rights = 0777;
  for (const std::string& path : from) rights &= mode_of(path).value_or(mode_of_new_files());
  try {
    PartialFile partial(to);
    const std::string shortage = shortage_of_space(to, stored_bytes(extents_for(all.launches, all.runs)));
    if (!shortage.empty()) throw Failure(ExitCode::file, shortage);
    write_results(partial.path(), all.launches, all.runs);
    partial.publish(rights);
  } catch (const H5Failure& failure) {
    fail_writing(to, failure);
  } catch (...) {
    throw;  // what nobody catches would leave the partial file behind
  }
  remove_orphans_of(to);
}

}  // namespace

void merge_results(const std::vector<std::string>& from, const std::string& to) {
  check_new(to);
  Results all = read_all_results(from);
  number_launches(all);
  write_new(all, from, to);
}

Results repair_results(const std::string& from, const std::string& to, std::vector<std::string>& left_out) {
  check_new(to);
  Results whole = read_whole_parts(from, left_out);
  if (whole.runs.empty())
    throw Failure(ExitCode::file, from + " holds no run that is whole, so there is nothing to copy");
  write_new(whole, {from}, to);
  return whole;
}

}  // namespace breakeven::hdf5
