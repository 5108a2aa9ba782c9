// SPDX-License-Identifier: Apache-2.0
// Pipeline parallelism. Each rank holds consecutive layers, with their weights, gradients and optimizer
// state. The batch is cut into micro-batches. Each rank sends their activations to the next rank and the
// gradients of activations to the previous one; no weight gradient is exchanged. The schedule is GPipe (Huang
// et al., "GPipe", NeurIPS 2019, section 2) or 1F1B (Narayanan et al., "Memory-Efficient Pipeline-Parallel
// DNN Training", ICML 2021, section 2, PipeDream-Flush). With fp16, one float per step tells all ranks of
// overflow.
#include "src/strategy/pipeline_stage.h"

namespace breakeven::strategy {
namespace {

class Pipeline final : public SplitStrategy {
 public:
  explicit Pipeline(const StrategySetup& setup)
      : SplitStrategy(
            setup,
            std::make_unique<PipelineStage>(setup.device, *setup.communicator, setup.options, setup.whole),
            info_of(setup.whole.precision).scales_loss ? std::vector{Phase::exchange, Phase::optimizer}
                                                       : std::vector{Phase::optimizer}),
        agreement_(setup.device, *setup.communicator, setup.whole.precision) {}

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    split().make_gradient(mlp, source, marks, stream);
    if (agreement_.is_needed()) {
      agreement_.agree(mlp.state(), stream);
      marks.end_of(Phase::exchange, stream);
    }
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

 private:
  OverflowAgreement agreement_;
};

}  // namespace

std::unique_ptr<Strategy> make_pipeline(const StrategySetup& setup) {
  return std::make_unique<Pipeline>(setup);
}

}  // namespace breakeven::strategy
