// SPDX-License-Identifier: Apache-2.0
// Strategies that split the model: what its parts compute together is what one device computes with all of
// it, and what they exchange is what the formulas of docs/strategies.md say.
#include "src/core/strategy/pipeline.h"
#include "src/core/strategy/tensor.h"
#include "tests/support/training_test.h"

namespace breakeven {
namespace {

// An odd number of layers and an even one, with widths that no number of ranks divides.
constexpr std::array models{"37-31-45-5", "40-61-31-33-7"};

// Two groups, or two parts of each model, where the ranks are even.
std::string hybrid(const std::string& split) {
  const int ranks = test_session().size();
  const int data = ranks % 2 == 0 ? 2 : 1;
  return "hybrid:data=" + std::to_string(data) + ":" + split + "=" + std::to_string(ranks / data);
}

class SplitTraining : public TrainingTest, public testing::WithParamInterface<std::string> {
 protected:
  SplitTraining() {
    what.strategy = GetParam().starts_with("hybrid") ? hybrid(GetParam().substr(7)) : GetParam();
    what.model = models[1];
  }

  // A stage has a layer at least.
  bool can_split(const char* model) const {
    const StrategyChoice choice = strategy_of_case(what);
    const auto shape = std::get<ModelShape>(parse_model(model));
    return choice.info->refusal(choice.options, {shape, what.batch, what.gpus}).empty();
  }
};
INSTANTIATE_TEST_SUITE_P(Training, SplitTraining,
                         testing::Values("tensor", "pipeline", "pipeline:schedule=gpipe:micro-batches=6",
                                         "pipeline:schedule=1f1b:micro-batches=12",
                                         "pipeline:micro-batches=1", "hybrid:tensor", "hybrid:pipeline"));

TEST_P(SplitTraining, EqualsTheSingleDeviceInEveryPrecision) {
  for (const char* model : models) {
    if (!can_split(model)) continue;
    what.model = model;
    for (const PrecisionInfo& info : precisions) {
      SCOPED_TRACE(testing::Message() << model << " " << info.name);
      what.precision = info.precision;
      expect_all_passed(what, verdict_of(what));
    }
  }
}

TEST_P(SplitTraining, EqualsTheSingleDeviceForOneOrTwoLayers) {
  for (const char* model : {"37-5", "37-45-5"}) {
    if (!can_split(model)) continue;
    SCOPED_TRACE(model);
    what.model = model;
    expect_all_passed(what, verdict_of(what));
  }
}

TEST_P(SplitTraining, OverflowOnOneRankSkipsTheStepOnAll) {
  what.model = "37-61-31-33-5";
  expect_overflow_skips_the_step_on_all();
}

TEST_P(SplitTraining, InAGraphAndWithStreamedData) {
  what.graph = true;
  what.data = DataPlacement::streamed;
  expect_all_passed(what, verdict_of(what));
}

TEST_P(SplitTraining, SgdToo) {
  options.optimizer = OptimizerKind::sgd;
  options.learning_rate = 0.1f;
  for (const Precision precision : {Precision::fp32, Precision::bf16}) {
    SCOPED_TRACE(name_of(precision));
    what.precision = precision;
    expect_all_passed(what, verdict_of(what));
  }
}

// Samples of classes, with a test part: the accuracy is that of the whole model, on every rank.
TEST_P(SplitTraining, AccuracyEqualsTheSingleDevices) {
  what.model = "37-61-31-33-5";
  const data::DatasetFile file = with_classes();
  measure::RunContext of_file(test_session(), *device, options, &file);
  const double accuracy = measure::run_case(what, of_file).test_accuracy;
  EXPECT_GT(accuracy, 0);
  if (!test_session().is_root()) return;
  EXPECT_NEAR(accuracy, measure::run_case(verify::single_device_case(what), of_file).test_accuracy,
              2.0 / 500);
}

TEST_P(SplitTraining, PhasesAddUp) { expect_phases_add_up(); }

TEST_P(SplitTraining, MemoryIsWhatTheFormulaSays) {
  for (const DataPlacement data : {DataPlacement::resident, DataPlacement::streamed}) {
    // Of a mesh, the rows that are staged are predicted as those of the whole batch.
    if (what.strategy.word().starts_with("hybrid") && data == DataPlacement::streamed) continue;
    what.data = data;
    expect_memory_by_formula();
  }
}

class TensorTraining : public TrainingTest {};

TEST_F(TensorTraining, ExchangesSumsOverUnitsOfEveryOtherLayer) {
  what.strategy = "tensor";
  for (const char* model : models) {
    what.model = model;
    const ModelShape shape = std::get<ModelShape>(parse_model(model));
    double floats = 0, messages = 0;
    for (std::size_t l = 0; l < shape.layers(); ++l) {
      if (!inputs_are_divided(shape, l) && l == 0) continue;
      floats += what.batch * padded_width(shape.widths[inputs_are_divided(shape, l) ? l + 1 : l]);
      messages += 1;
    }
    for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
      SCOPED_TRACE(testing::Message() << model << " " << name_of(precision));
      what.precision = precision;
      const double agreement = what.precision == Precision::fp16 ? 1 : 0;
      const RunRecord record = measure::run_case(what, bench);
      EXPECT_EQ(record.exchange_bytes, (floats + agreement) * sizeof(float));
      EXPECT_EQ(record.exchange_calls, messages + agreement);
    }
  }
}

class HybridTraining : public TrainingTest {};

TEST_F(HybridTraining, EveryMeshEqualsTheSingleDevice) {
  if (test_session().size() != 4) GTEST_SKIP() << "four ranks have several meshes";
  what.model = models[1];
  for (const char* mesh : {"hybrid", "hybrid:data=4", "hybrid:data=1:tensor=4", "hybrid:pipeline=2",
                           "hybrid:data=2:pipeline=2:schedule=gpipe:micro-batches=3"}) {
    SCOPED_TRACE(mesh);
    what.strategy = mesh;
    expect_all_passed(what, verdict_of(what));
  }
}

TEST_F(HybridTraining, ExchangesTheGroupsSumsAndTheGradientOfItsPart) {
  if (test_session().size() != 4) GTEST_SKIP() << "a mesh of two by two";
  what.strategy = "hybrid:data=2:tensor=2";
  what.model = models[1];
  const ModelShape shape = what.model.value();
  MlpSettings whole;
  whole.shape = shape;
  const int part = test_session().rank() % 2;
  const double gradient = static_cast<double>(ParameterLayout(tensor_part_of(whole, part, 2).shape).floats());
  // The second pair's input and its gradient, and the output, of half of the batch.
  const double sums = what.batch / 2 * (2.0 * padded_width(shape.widths[2]) + padded_width(shape.widths[4]));
  const RunRecord record = measure::run_case(what, bench);
  EXPECT_EQ(record.exchange_bytes, (sums + gradient) * sizeof(float));
  EXPECT_EQ(record.exchange_calls, 4);
}

class PipelineTraining : public TrainingTest {};

TEST_F(PipelineTraining, ExchangesWhatLeavesAStageForEachMicroBatch) {
  what.strategy = "pipeline:micro-batches=6";
  what.model = models[1];
  const ModelShape shape = what.model.value();
  const auto borders = stage_borders(shape, what.batch, 6, static_cast<std::size_t>(what.gpus));
  const auto rank = static_cast<std::size_t>(test_session().rank());
  for (const Precision precision : {Precision::fp32, Precision::bf16, Precision::fp16}) {
    SCOPED_TRACE(name_of(precision));
    what.precision = precision;
    double bytes = what.precision == Precision::fp16 ? sizeof(float) : 0;
    double messages = what.precision == Precision::fp16 ? 1 : 0;
    for (const std::size_t border : {borders[rank], borders[rank + 1]}) {
      if (border == 0 || border == shape.layers()) continue;
      bytes +=
          2.0 * what.batch * padded_width(shape.widths[border]) * (what.precision == Precision::fp32 ? 4 : 2);
      messages += 2 * 6;
    }
    const RunRecord record = measure::run_case(what, bench);
    EXPECT_EQ(record.exchange_bytes, bytes);
    EXPECT_EQ(record.exchange_calls, messages);
  }
}

}  // namespace
}  // namespace breakeven
