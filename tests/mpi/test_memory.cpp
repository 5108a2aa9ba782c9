// SPDX-License-Identifier: Apache-2.0
// Every strategy takes the memory that its formula says, on any number of ranks.
#include <gtest/gtest.h>

#include "src/measure/run_case.h"
#include "tests/support/mpi_session.h"

namespace breakeven {
namespace {

measure::RunOptions short_options(OptimizerKind optimizer) {
  measure::RunOptions options = measure::run_defaults();
  options.warmup = 3;
  options.steps = 4;
  options.samples = 96;
  options.settle = {};
  options.optimizer = optimizer;
  return options;
}

Case case_of(const StrategyDescription& strategy, const PrecisionInfo& precision, const Device& device) {
  Case what{.model = "40-32-24-16-8",
            .batch = 24,
            .gpus = test_session().size(),
            .strategy = std::string(strategy.name),
            .precision = precision.precision,
            .gemm = device.gemm_kernels(precision.precision).front(),
            .transport = Transport::none,
            .scaling = Scaling::strong,
            .timing = Timing::steps,
            .data = DataPlacement::resident};
  if (strategy.exchanges) what.transport = testing_on_cuda() ? Transport::nccl : Transport::mpi;
  if (!strategy.exchanges) what.gpus = 1;
  return what;
}

// The host's streams need no scratch, and what goes through MPI lies in pinned memory: to the byte.
void expect_predicted(const RunRecord& record) {
  EXPECT_GT(record.predicted_memory_bytes, 0);
  if (testing_on_cuda()) {
    EXPECT_GE(record.peak_memory_bytes, record.predicted_memory_bytes);
  } else {
    EXPECT_EQ(record.peak_memory_bytes, record.predicted_memory_bytes);
  }
}

TEST(Memory, EqualsEveryStrategysFormula) {
  const std::unique_ptr<Device> device = make_test_device();
  for (const OptimizerKind optimizer : {OptimizerKind::adam, OptimizerKind::sgd}) {
    const measure::RunOptions options = short_options(optimizer);
    measure::RunContext bench(test_session(), *device, options, nullptr);
    for (const StrategyDescription& strategy : strategies()) {
      for (const PrecisionInfo& precision : precisions) {
        const Case what = case_of(strategy, precision, *device);
        SCOPED_TRACE(label_of(what));
        const SharedWork work{what.model.value(), what.batch, what.gpus};
        if (!strategy.refusal({}, work).empty() || test_session().rank() >= what.gpus) continue;
        expect_predicted(measure::run_case(what, bench));
      }
    }
  }
}

}  // namespace
}  // namespace breakeven
