// SPDX-License-Identifier: Apache-2.0
// What the runs of a launch share: this rank's device, its data sets and its connected communicators.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>

#include "kernels/device.h"
#include "kernels/telemetry.h"
#include "mpi/clock_offset.h"
#include "mpi/communicator.h"
#include "mpi/session.h"
#include "src/core/case.h"
#include "src/core/strategy/case_strategy.h"
#include "src/data/dataset.h"
#include "src/measure/plan/options.h"

namespace breakeven::measure {

class RunContext {
 public:
  // All borrowed. `dataset` is null for synthetic data.
  RunContext(const Session& session, Device& device, const RunOptions& options,
             const data::DatasetFile* dataset);

  const Session& session() const { return session_; }
  Device& device() { return device_; }
  const GpuMonitor& monitor() const { return monitor_; }
  const RunOptions& options() const { return options_; }
  const data::DatasetFile* dataset_file() const { return dataset_file_; }

  // The ranks [0, count); MPI_COMM_NULL on other ranks. Collective over those ranks at the first use of a
  // count.
  MPI_Comm group(int count);

  // Collective over the group at first use; null for Transport::none.
  Communicator* communicator(Transport transport, int count);
  // How long this rank took to connect it and make a first call; NaN if it is not connected.
  double connect_seconds(Transport transport, int count) const;

  // Converts this host's clock (host_seconds()) to the clock that all ranks share: rank 0's, since its
  // context was created. Collective over the ranks [0, ranks).
  ClockOffset offset_to_launch(int ranks);

  const data::Dataset& dataset(const ModelShape& shape, DataPlacement place);

  // The settings of this rank's network in this case; `total_steps` includes the warm-up.
  MlpSettings settings_for(const Case& what, std::uint32_t total_steps) const;

  // The memory that the case needs on a rank: its strategy's formula, and the samples.
  MemoryNeed memory_need(const Case& what, int rank) const;

 private:
  double created_;  // by host_seconds()
  const Session& session_;
  Device& device_;
  const RunOptions& options_;
  const data::DatasetFile* dataset_file_;
  GpuMonitor monitor_;
  std::map<int, MPI_Comm> groups_;
  std::map<std::pair<Transport, int>, std::unique_ptr<Communicator>> communicators_;
  std::map<std::pair<Transport, int>, double> connect_seconds_;
  std::map<std::pair<std::string, DataPlacement>, std::unique_ptr<data::Dataset>> datasets_;
};

}  // namespace breakeven::measure
