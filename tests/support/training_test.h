// SPDX-License-Identifier: Apache-2.0
// A small case on all ranks of the test, trained and held against its references.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string_view>

#include "src/measure/workbench.h"
#include "src/train/training.h"
#include "src/verify/references.h"
#include "src/verify/trajectory.h"
#include "src/verify/verdict.h"
#include "tests/support/mpi_session.h"

namespace breakeven {

inline RunOptions short_options() {
  RunOptions options = run_defaults();
  options.warmup = 3;
  options.steps = 17;
  options.samples = 500;
  return options;
}

inline Case ddp_case(const Device& device) {
  Case what{"37-31-19-5", 24,        test_session().size(), "ddp", "fp32", "", "", "strong", "total",
            false,        "resident"};
  what.gemm = name_of(device.gemm_kernels(Precision::fp32).front());
  what.collective = testing_on_cuda() ? "nccl" : "mpi";
  return what;
}

class TrainingTest : public testing::Test {
 protected:
  TrainingTest()
      : options(short_options()),
        device(make_test_device()),
        bench(test_session(), *device, options, nullptr),
        what(ddp_case(*device)) {}

  Verdict verdict_of(const Case& candidate) {
    return compare(candidate, references_of(candidate), train(candidate, bench), bench.group(candidate.gpus));
  }

  References references_of(const Case& candidate) {
    return test_session().is_root() ? train_references(candidate, bench) : References{};
  }

  RunOptions options;
  std::unique_ptr<Device> device;
  Workbench bench;
  Case what;
};

inline void expect_all_passed(const Case& what, const Verdict& verdict) {
  ASSERT_EQ(verdict.checks.size(), what.precision == "fp32" ? 6u : what.precision == "fp16" ? 8u : 7u);
  for (const Check& check : verdict.checks) EXPECT_TRUE(check.passed()) << check.what << ": " << check.value;
}

inline const Check& check_named(std::string_view name, const Verdict& verdict) {
  return *std::ranges::find(verdict.checks, name, &Check::what);
}

}  // namespace breakeven
