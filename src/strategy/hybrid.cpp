// SPDX-License-Identifier: Apache-2.0
// Data parallelism of groups, each of which splits the model: a mesh, of which neighbouring ranks are the
// parts of one model, and the ranks with the same part add up its gradient (Narayanan et al., "Efficient
// Large-Scale Language Model Training on GPU Clusters", SC 2021, section 3).
#include <fmt/format.h>

#include "src/core/strategy/mesh.h"
#include "src/strategy/overflow_agreement.h"
#include "src/strategy/pipeline_stage.h"
#include "src/strategy/strategy.h"
#include "src/strategy/tensor_layers.h"

namespace breakeven {
namespace {

class Hybrid final : public Strategy {
 public:
  explicit Hybrid(const StrategySetup& setup)
      : Strategy(setup),
        mesh_(mesh_of(setup.options, ranks())),
        model_(communicator().part(fmt::format("model of {}", mesh_.parts), rank() / mesh_.parts)),
        data_(communicator().part(fmt::format("data of {}", mesh_.parts), rank() % mesh_.parts)),
        agreement_(setup.device, communicator(), setup.whole.precision) {
    const MlpSettings whole = with_samples_of_group(setup.whole, mesh_, rank());
    if (setup.options.pipeline > 0) {
      split_ = std::make_unique<PipelineStage>(setup.device, model_, setup.options, whole);
    } else {
      split_ = std::make_unique<TensorLayers>(setup.device, model_, whole, false);
    }
    phases_ = split_->phases();
    phases_.insert(phases_.end(), {Phase::exchange, Phase::optimizer});
  }

  MlpSettings mlp_settings(const MlpSettings&) const override { return split_->mlp_settings(); }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks, Stream& stream) override {
    split_->make_gradient(mlp, source, marks, stream);
    const std::span<float> gradients = mlp.gradients();
    data_.all_reduce_sum(gradients.data(), gradients.size(), stream);
    agreement_.agree(mlp.state(), stream);
    marks.end_of(Phase::exchange, stream);
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  std::span<const Phase> phases() const override { return phases_; }

  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override {
    split_->gather_parameters(mlp, whole, stream);
  }
  // The groups have the same sums.
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t) const override {
    return data_.rank() == 0 ? split_->own_gradients(mlp) : std::vector<std::span<const float>>{};
  }

 private:
  RankMesh mesh_;
  Communicator& model_;
  Communicator& data_;
  OverflowAgreement agreement_;
  std::unique_ptr<ModelSplit> split_;
  std::vector<Phase> phases_;
};

}  // namespace

std::unique_ptr<Strategy> make_hybrid(const StrategySetup& setup) { return std::make_unique<Hybrid>(setup); }

}  // namespace breakeven
