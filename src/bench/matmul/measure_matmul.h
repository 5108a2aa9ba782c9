// SPDX-License-Identifier: Apache-2.0
// Times the forms of one product in blocks: a block measures and checks each case once, in a random order of
// its own, so that what is compared was measured close together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/watchdog.h"
#include "src/bench/matmul/matmul_form.h"
#include "src/measure/progress.h"

namespace breakeven {

struct MatmulProtocol {
  std::uint32_t repeats = 7;
  std::uint32_t warmup = 2;  // products before each that is timed
  int chunks = 4;
  std::uint64_t seed = 42;
};

struct MatmulCase {
  const FormInfo* form = nullptr;
  int gpus = 1;  // the ranks [0, gpus)
  std::int64_t size = 0;
  Precision precision{};
  GemmKernel kernel{};
  bool operator==(const MatmulCase&) const = default;
};
std::string label_of(const MatmulCase& what);

// Of the case's slowest rank, since the product is there when the last one is ready.
struct MatmulSample {
  PartTimes times;
  double error = 0;  // relative Frobenius, against one device
};

struct MatmulSeries {
  MatmulCase what;
  double reference_error = 0;         // of the one device, against float64; the largest of all ranks
  double error_limit = 0;             // of both errors
  std::vector<MatmulSample> samples;  // by block; on the case's ranks alone
};

class MatmulBench {
 public:
  // All borrowed. `progress` is null on all ranks but the first.
  MatmulBench(RunContext& bench, LinkCache& links, const MatmulProtocol& protocol, Progress* progress);

  // Cases of one size and precision. Collective over all ranks of the launch: those that a case does not use
  // sleep until it is over.
  std::vector<MatmulSeries> measure(std::span<const MatmulCase> cases);

 private:
  // Null where this rank has no part in the case.
  std::vector<std::unique_ptr<MatmulForm>> make_forms(std::span<const MatmulCase> cases,
                                                      const Problem* problem);
  MatmulSample measure_once(const MatmulCase& what, const Problem& problem, MatmulForm& form);

  RunContext& bench_;
  LinkCache& links_;
  MatmulProtocol protocol_;
  Progress* progress_;
  Watchdog watchdog_;
  std::unique_ptr<Stream> stream_;
  PartMarks marks_;
  std::size_t measured_ = 0;  // cases, so far
};

}  // namespace breakeven
