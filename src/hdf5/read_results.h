// SPDX-License-Identifier: Apache-2.0
// Reads results files as a whole.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven::hdf5 {

// More is a sign of damage; a batch of 0 is one too.
inline constexpr std::uint32_t largest_recorded_batch = 2'147'483'647;

// Throws Failure(file) with one sentence where the file cannot be read, is not a results file, or any of it
// is damaged.
Results read_results(const std::string& path);

// Leaves out what is damaged, and appends a sentence about each to `left_out`: a run or launch with damaged
// labels is not in the results, a run with damaged numbers is planned. Throws Failure(file) where nothing can
// be told apart.
Results read_whole_parts(const std::string& path, std::vector<std::string>& left_out);

// The same for `breakeven check`, which says what labels are not legal: reads on behind those that no reader
// can take, and leaves the others as they are.
Results read_any_values(const std::string& path, std::vector<std::string>& left_out);

// For a launch that writes the file anew: also throws where that would lose what this program does not know.
Results read_to_extend(const std::string& path);

// Joins results files of one machine, as if each had been appended to the first. Runs are numbered anew, in
// the order of the files. Throws Failure(usage) where the files come from different devices, or hold the same
// launch twice, which would count as evidence twice.
Results as_one(std::vector<Results> files);

// The files of one machine, joined by as_one().
struct MachineResults {
  std::string name;  // of its devices: "NVIDIA H200", "NVIDIA A100 and NVIDIA H200"
  Results results;
};

// Groups files by their devices, in the order of each machine's first file. Leaves out what is damaged where
// there is a list for it.
std::vector<MachineResults> read_machines(const std::vector<std::string>& paths,
                                          std::vector<std::string>* left_out = nullptr);

// Reads at least one file and joins them.
Results read_all_results(const std::vector<std::string>& paths);

}  // namespace breakeven::hdf5
