// SPDX-License-Identifier: Apache-2.0
// Pipeline parallelism: each rank has some of the layers, and micro-batches go from rank to rank (Huang et
// al., "GPipe", NeurIPS 2019; the schedule 1F1B: Narayanan et al., "Memory-Efficient Pipeline-Parallel DNN
// Training", ICML 2021, section 2, PipeDream-Flush). No gradient of a weight is exchanged.
#include "src/strategy/overflow_agreement.h"
#include "src/strategy/pipeline_stage.h"
#include "src/strategy/strategy_functions.h"

namespace breakeven {
namespace {

class Pipeline final : public Strategy {
 public:
  explicit Pipeline(const StrategySetup& setup)
      : Strategy(setup),
        stage_(setup.device, *setup.communicator, setup.options, setup.whole),
        agreement_(setup.device, *setup.communicator, setup.whole.precision),
        phases_(stage_.phases()) {
    if (agreement_.is_needed()) phases_.push_back(Phase::exchange);
    phases_.push_back(Phase::optimizer);
  }

  MlpSettings mlp_settings(const MlpSettings&) const override { return stage_.mlp_settings(); }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    stage_.make_gradient(mlp, source, marks, stream);
    if (agreement_.is_needed()) {
      agreement_.agree(mlp.state(), stream);
      marks.end_of(Phase::exchange, stream);
    }
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return phases_; }

  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override {
    stage_.gather_parameters(mlp, whole, stream);
  }
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t) const override {
    return stage_.own_gradients(mlp);
  }

 private:
  PipelineStage stage_;
  OverflowAgreement agreement_;
  std::vector<Phase> phases_;
};

}  // namespace

std::string pipeline_refusal(const StrategyOptions& options, const SharedWork& work) {
  return pipeline_split_refusal(options, work.shape, work.batch, work.ranks);
}

// Gradients are added micro-batch by micro-batch, and the parameters of a stage are on one rank alone.
StrategyPromise pipeline_promise(const StrategyOptions&) { return {.definition_bits = false}; }

MemoryNeed pipeline_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                int ranks) {
  const MlpSettings part = pipeline_part_of_rank(options, whole, rank, ranks);
  MemoryNeed need = Mlp::memory_need(part);
  need.strategy = OverflowAgreement::bytes_needed(whole.precision);
  return need;
}

std::vector<Message> pipeline_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                       int ranks) {
  std::vector<Message> messages = PipelineStage::messages(options, whole, rank, ranks);
  OverflowAgreement::add_messages(whole.precision, ranks, messages);
  return messages;
}

// A stage's own turns, and those in which it waits for a micro-batch: the bubble, if all take the same time.
RankWork pipeline_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const std::uint32_t micro_batches = micro_batches_of(options, ranks);
  return {.shape = pipeline_part_of_rank(options, whole, rank, ranks).shape,
          .rows = whole.rows / micro_batches,
          .passes = micro_batches + ranks - 1.0};
}

std::unique_ptr<Strategy> make_pipeline(const StrategySetup& setup) {
  return std::make_unique<Pipeline>(setup);
}

}  // namespace breakeven
