// SPDX-License-Identifier: Apache-2.0
// Training with compressed gradients: each form against its own serial definition, in every way to launch it,
// at the cost of its formulas.
#include "src/core/compression/compression.h"
#include "src/measure/run_case.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

// Each against its own serial definition, to the bit where two ranks add.
TEST_F(TrainingTest, EveryCompressionEqualsItsSerialDefinition) {
  for (const std::string form : {"bf16", "fp16", "int8", "topk:0.05", "powersgd:2", "onebit"}) {
    for (const char* buckets : {"", ":buckets=4kB:first-bucket=1kB"}) {
      what.strategy = "ddp:compress=" + form + buckets;
      SCOPED_TRACE(what.strategy.word());
      for (const Precision precision : {Precision::fp32, Precision::fp16}) {
        what.precision = precision;
        what.graph = what.precision == Precision::fp32;
        expect_all_passed(what, verdict_of(what));
      }
    }
  }
}

TEST_F(TrainingTest, ACompressionThatIsNotAskedForIsCaught) {
  const verify::Trajectory uncompressed = verify::train(what, bench);
  for (const std::string form : {"int8", "topk:0.05", "powersgd:2", "onebit"}) {
    Case claimed = what;
    claimed.strategy = "ddp:compress=" + form;
    const verify::Verdict verdict =
        verify::compare(claimed, references_of(claimed), uncompressed, test_session().world());
    EXPECT_FALSE(check_named("weights, relative difference from the serial definition", verdict).passed())
        << form;
  }
}

TEST_F(TrainingTest, CompressedExchangesCostWhatTheirFormulasSay) {
  for (const std::string form : {"bf16", "int8", "topk:0.05", "powersgd:2", "onebit"}) {
    what.strategy = "ddp:compress=" + form;
    what.timing = Timing::phases;
    const RunRecord record = measure::run_case(what, bench);
    const ParameterLayout layout(bench.settings_for(what, 20).shape);
    const SumCost cost =
        parse_compression(form)->cost(range_of_layers(layout, 0, layout.layers()), what.gpus);
    const MeanTraffic traffic = mean_traffic_of(cost.messages);
    EXPECT_EQ(record.exchange_calls, traffic.calls) << form;
    EXPECT_EQ(record.exchange_bytes, traffic.bytes) << form;
    EXPECT_GT(record.at(0, Phase::collect), 0) << form;
    if (!testing_on_cuda()) {
      EXPECT_EQ(record.peak_memory_bytes, record.predicted_memory_bytes) << form;
    }
  }
}

}  // namespace
}  // namespace breakeven
