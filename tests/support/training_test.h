// SPDX-License-Identifier: Apache-2.0
// A short training on the ranks of the test, and the checks that every strategy must pass.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string_view>
#include <vector>

#include "kernels/synthetic.h"
#include "src/measure/run_case.h"
#include "src/measure/run_context.h"
#include "src/train/training.h"
#include "src/verify/references.h"
#include "src/verify/trajectory.h"
#include "src/verify/verdict.h"
#include "tests/support/mpi_session.h"

namespace breakeven {

inline measure::RunOptions short_options() {
  measure::RunOptions options = measure::run_defaults();
  options.warmup = 3;
  options.steps = 17;
  options.samples = 500;
  options.settle = {};
  return options;
}

inline Case ddp_case(const Device& device) {
  Case what{.model = "37-31-19-5",
            .batch = 24,
            .gpus = test_session().size(),
            .strategy = "ddp",
            .precision = Precision::fp32,
            .scaling = Scaling::strong,
            .timing = Timing::steps,
            .data = DataPlacement::resident};
  what.gemm = device.gemm_kernels(Precision::fp32).front();
  what.transport = testing_on_cuda() ? Transport::nccl : Transport::mpi;
  return what;
}

class TrainingTest : public testing::Test {
 protected:
  TrainingTest()
      : options(short_options()),
        device(make_test_device()),
        bench(test_session(), *device, options, nullptr),
        what(ddp_case(*device)) {}

  verify::Verdict verdict_of(const Case& candidate) {
    const verify::Trajectory trajectory = verify::train(candidate, bench);
    return verify::compare(candidate, references_of(candidate, trajectory.served), trajectory,
                           bench.group(candidate.gpus));
  }

  verify::References references_of(const Case& candidate, const verify::ServedOrder& served = {}) {
    return test_session().is_root() ? verify::train_references(candidate, bench, served)
                                    : verify::References{};
  }

  void expect_phases_add_up();
  void expect_memory_by_formula();

  // Targets so large that the first loss scales are too large for fp16: on the ranks with the largest errors
  // the gradient overflows longest, and until it does on none, all of them skip the step.
  // The first step that applies gradients is `first`.
  void expect_overflow_skips_the_step_on_all(std::size_t first = 0);

  measure::RunOptions options;
  std::unique_ptr<Device> device;
  measure::RunContext bench;
  Case what;
};

inline void expect_all_passed(const Case& what, const verify::Verdict& verdict) {
  ASSERT_EQ(verdict.checks.size(), what.precision == Precision::fp32   ? 7u
                                   : what.precision == Precision::fp16 ? 9u
                                                                       : 8u);
  for (const verify::Check& check : verdict.checks)
    EXPECT_TRUE(check.passed()) << check.what << ": " << check.value;
}

inline const verify::Check& check_named(std::string_view name, const verify::Verdict& verdict) {
  return *std::ranges::find(verdict.checks, name, &verify::Check::what);
}

// The synthetic samples, with targets a thousand times as large.
inline data::DatasetFile with_large_targets() {
  data::SampleTable table{500, 37, 5, std::vector<float>(500 * padded_width(37)),
                          std::vector<float>(500 * padded_width(5))};
  for (std::uint32_t sample = 0; sample < table.samples; ++sample) {
    for (std::uint32_t unit = 0; unit < table.inputs; ++unit)
      table.features[sample * padded_width(37) + unit] = synthetic_feature(42, sample, unit);
    for (std::uint32_t out = 0; out < table.target_width; ++out)
      table.targets[sample * padded_width(5) + out] = 1000 * synthetic_target(42, sample, out, 37);
  }
  return {std::move(table), {}, LossKind::mean_squared_error, 5};
}

// Of classes, with a test part: what is left of an output is its accuracy.
inline data::DatasetFile with_classes() {
  data::DatasetFile file = with_large_targets();
  for (std::size_t i = 0; i < file.training.targets.size(); ++i)
    file.training.targets[i] = static_cast<float>(i % 5);
  file.training.target_width = 1;
  file.test = file.training;
  file.loss = LossKind::softmax_cross_entropy;
  return file;
}

inline void TrainingTest::expect_phases_add_up() {
  what.timing = Timing::phases;
  const RunRecord record = measure::run_case(what, bench);
  for (std::uint32_t step = 0; step < record.steps; ++step) {
    double sum = 0;
    for (const PhaseInfo& info : phases) {
      if (info.phase != Phase::step) sum += record.at(step, info.phase);
    }
    EXPECT_NEAR(sum, record.at(step, Phase::step), 1e-9);
    EXPECT_GT(record.at(step, Phase::forward), 0);
    EXPECT_GT(record.at(step, Phase::backward), 0);
  }
}

inline void TrainingTest::expect_memory_by_formula() {
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    SCOPED_TRACE(testing::Message() << what.data.word() << " " << name_of(precision));
    what.precision = precision;
    const RunRecord record = measure::run_case(what, bench);
    if (testing_on_cuda()) {
      EXPECT_GE(record.peak_memory_bytes, record.predicted_memory_bytes);  // the streams' scratch
    } else {
      EXPECT_EQ(record.peak_memory_bytes, record.predicted_memory_bytes);
    }
  }
}

inline void TrainingTest::expect_overflow_skips_the_step_on_all(std::size_t first) {
  const data::DatasetFile file = with_large_targets();
  measure::RunContext of_file(test_session(), *device, options, &file);
  what.precision = Precision::fp16;
  const verify::References references =
      test_session().is_root() ? verify::train_references(what, of_file, {}) : verify::References{};
  const verify::Trajectory trajectory = verify::train(what, of_file);
  for (std::size_t step = 0; step <= first; ++step)
    EXPECT_EQ(std::isfinite(trajectory.gradient_norms[step]), step < first);
  EXPECT_TRUE(std::isfinite(trajectory.gradient_norms.back()));
  const verify::Verdict verdict = verify::compare(what, references, trajectory, test_session().world());
  for (const char* held :
       {"weights, relative difference from the serial definition",
        "steps that only one of the two skipped for overflow", "weights whose bits differ between ranks"}) {
    EXPECT_TRUE(check_named(held, verdict).passed()) << held << ": " << check_named(held, verdict).value;
  }
  const auto overflows =
      std::ranges::count_if(trajectory.gradient_norms, [](double norm) { return !std::isfinite(norm); });
  EXPECT_EQ(measure::run_case(what, of_file).skipped_steps, static_cast<double>(overflows));
}

}  // namespace breakeven
