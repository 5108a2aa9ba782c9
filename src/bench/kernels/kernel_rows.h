// SPDX-License-Identifier: Apache-2.0
// The measured results: one row for each candidate and product, compared with the vendor's library, and one
// summary for each kernel. docs/numbers.md explains every number.
#pragma once

#include <span>
#include <vector>

#include "src/analysis/roofline_shares.h"
#include "src/bench/kernels/measure_task.h"
#include "src/core/records/roofline.h"

namespace breakeven::bench {

// Over rounds.
struct Spread {
  double median = not_measured;
  double low = not_measured;
  double high = not_measured;
};

// Compared with the reference, which is measured in the same rounds.
struct AgainstReference {
  Spread seconds;                 // of the reference
  double speedup = not_measured;  // median over rounds of reference / candidate
};

struct KernelRow {
  GemmTask task{};
  Candidate candidate{};
  std::size_t rounds = 0;
  int launches = 0;
  double error = not_measured;  // the largest of all rounds
  double error_limit = 0;
  bool right = false;  // if false, no number below is set: a wrong kernel has no speed
  Spread warm;
  Spread cold;
  AgainstReference warm_reference;
  AgainstReference cold_reference;
  double flops_per_second = not_measured;  // warm
  double flops_share = not_measured;       // of the precision's measured peak
  analysis::Limit limit;                   // roofline of a cold launch
  double limit_share = not_measured;       // limit / cold median
};

// cuBLAS in the candidate's precision, or cuBLASLt for a fused product. tf32x3 has the accuracy of fp32, so
// its reference is in fp32.
Candidate reference_of(const Candidate& candidate);

std::vector<KernelRow> make_rows(const GemmTask& task, std::span<const Measured> measured,
                                 const Roofline& roofline);

// One kernel in one precision, over all products of the models.
struct KernelSummary {
  Precision precision;
  GemmKernel kernel;
  bool fused = false;
  std::size_t products = 0;
  std::size_t faster = 0;         // products on which it is faster than the reference, warm
  std::size_t wrong = 0;          // products with a wrong result; the means are then not measured
  double speedup = not_measured;  // geometric means
  double cold_speedup = not_measured;
  double least_speedup = not_measured;
};
std::vector<KernelSummary> summarize_kernels(std::span<const KernelRow> rows);

}  // namespace breakeven::bench
