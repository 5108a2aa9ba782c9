// SPDX-License-Identifier: Apache-2.0
// Pipeline parallelism: each rank has some of the layers, and micro-batches go from rank to rank (Huang et
// al., "GPipe", NeurIPS 2019; the schedule 1F1B: Narayanan et al., "Memory-Efficient Pipeline-Parallel DNN
// Training", ICML 2021, section 2, PipeDream-Flush). No gradient of a weight is exchanged.
#include "src/strategy/overflow_agreement.h"
#include "src/strategy/pipeline_stage.h"
#include "src/strategy/strategy.h"

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

std::unique_ptr<Strategy> make_pipeline(const StrategySetup& setup) {
  return std::make_unique<Pipeline>(setup);
}

}  // namespace breakeven
