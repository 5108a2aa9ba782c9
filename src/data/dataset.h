// SPDX-License-Identifier: Apache-2.0
// The training samples, in device memory or streamed from the host.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "kernels/device.h"
#include "src/core/axis_values.h"
#include "src/model/mlp.h"

namespace breakeven::data {

// Samples in host memory, as read from a file. Rows are padded like every matrix of the project.
struct SampleTable {
  std::uint32_t samples = 0;
  std::uint32_t inputs = 0;
  std::uint32_t target_width = 0;  // outputs, or 1 for class numbers
  std::vector<float> features;     // [samples][padded_width(inputs)]
  std::vector<float> targets;      // [samples][padded_width(target_width)]
};

// A user's data set: HDF5 datasets `features` [samples, inputs] and `targets`. Floating-point targets
// [samples, outputs] mean regression; integer targets [samples] are classes 0 to C - 1. For the accuracy
// after training, `test_features` and `test_targets` of the same kinds.
struct DatasetFile {
  SampleTable training;
  SampleTable test;  // samples = 0 if the file has no test part
  LossKind loss = LossKind::mean_squared_error;
  std::uint32_t outputs = 0;  // classes, or the width of the targets
};

// FNV-1a over the values of all tables, a float at a time: tells one data set from another.
std::uint64_t checksum_of(const DatasetFile& data);

// Throws Failure(file) with one sentence if a dataset is missing, is damaged, or has the wrong shape or type.
// A child process reads it first (hdf5/apart.h), since HDF5 may crash or loop on a damaged file.
DatasetFile read_dataset_file(const std::string& path);

// The same in this process alone.
DatasetFile read_dataset_here(const std::string& path);

// One training set, placed for one device.
class Dataset {
 public:
  // The synthetic set of `samples` samples (kernels/synthetic.h).
  Dataset(Device& device, const ModelShape& shape, std::uint32_t samples, std::uint64_t seed,
          DataPlacement place);
  // A table that outlives this object.
  Dataset(Device& device, const SampleTable& table, DataPlacement place);

  DataPlacement place() const { return place_; }
  std::uint32_t samples() const { return static_cast<std::uint32_t>(features_.rows); }
  ConstMatrix features() const { return features_; }  // in device memory if resident, else in host memory
  ConstMatrix targets() const { return targets_; }
  std::size_t device_bytes() const { return device_memory_.bytes(); }
  // The memory of a resident set of this size.
  static std::size_t bytes_of(std::uint32_t samples, std::uint32_t inputs, std::uint32_t target_width);

 private:
  DataPlacement place_;
  Buffer device_memory_;
  std::unique_ptr<Device> host_;  // fills a streamed synthetic set
  Buffer host_memory_;
  ConstMatrix features_;
  ConstMatrix targets_;
};

}  // namespace breakeven::data
