// SPDX-License-Identifier: Apache-2.0
// Times the forms of one product in blocks. A block measures and checks each case once, in its own random
// order, so that cases that are compared were measured close together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "src/bench/matmul/matmul_form.h"
#include "src/measure/progress.h"

namespace breakeven::bench {

struct MatmulProtocol {
  std::uint32_t repeats = 7;
  std::uint32_t warmup = 2;  // products before each timed one
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

// Times are of the case's slowest rank, since the product is complete when the last rank is ready.
struct MatmulSample {
  PartTimes times;
  double error = 0;  // relative Frobenius, against one device
};

struct MatmulSeries {
  MatmulCase what;
  double reference_error = 0;         // of one device against float64; the largest of all ranks
  double error_limit = 0;             // of both errors
  std::vector<MatmulSample> samples;  // by block; only on the case's ranks
};

class MatmulBench {
 public:
  // All borrowed. `progress` is null on all ranks but the first.
  MatmulBench(measure::RunContext& context, LinkCache& links, const MatmulProtocol& protocol,
              measure::Progress* progress);

  // Measures cases of one size and precision. Collective over all ranks of the launch; ranks that a case does
  // not use sleep until it is over.
  std::vector<MatmulSeries> measure(std::span<const MatmulCase> cases);

 private:
  // Null for cases that do not use this rank.
  std::vector<std::unique_ptr<MatmulForm>> make_forms(std::span<const MatmulCase> cases,
                                                      const Problem* problem);
  MatmulSample measure_once(const MatmulCase& what, const Problem& problem, MatmulForm& form);

  measure::RunContext& context_;
  LinkCache& links_;
  MatmulProtocol protocol_;
  measure::Progress* progress_;
  std::unique_ptr<Stream> stream_;
  PartMarks marks_;
  std::size_t measured_ = 0;  // cases, so far
};

}  // namespace breakeven::bench
