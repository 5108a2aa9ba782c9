// SPDX-License-Identifier: Apache-2.0
// Counts runs whose last loss is not a number. They are measured and recorded like others; then the launch
// ends with exit code 3.
#pragma once

#include <cstddef>
#include <string>

#include "mpi/session.h"
#include "src/core/failure.h"
#include "src/core/records/results.h"

namespace breakeven {

class LostLosses {
 public:
  explicit LostLosses(const Session& session) : session_(session) {}

  // Collective. `mine`: what this rank has measured in the run, null where it took no part.
  void made(const RecordedRun& run, const RunRecord* mine);

  // Says on rank 0 what was lost.
  ExitCode tell() const;

 private:
  const Session& session_;
  std::size_t runs_ = 0;
  std::string first_;
};

}  // namespace breakeven
