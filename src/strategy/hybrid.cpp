// SPDX-License-Identifier: Apache-2.0
// Data parallelism over groups of ranks, each of which splits the model by tensor or pipeline parallelism.
// The ranks form a mesh: neighbouring ranks hold the parts of one model; ranks with the same part sum its
// gradients by an all-reduce (Narayanan et al., "Efficient Large-Scale Language Model Training on GPU
// Clusters Using Megatron-LM", SC 2021, section 3). Within a group the exchanges are those of tensor or
// pipeline.
#include <fmt/format.h>

#include "src/core/strategy/mesh.h"
#include "src/strategy/pipeline_stage.h"
#include "src/strategy/tensor_layers.h"

namespace breakeven::strategy {
namespace {

std::unique_ptr<ModelSplit> split_of_group(const StrategySetup& setup) {
  const int rank = setup.communicator->rank();
  const RankMesh mesh = mesh_of(setup.options, setup.communicator->size());
  Communicator& model = setup.communicator->part(fmt::format("model of {}", mesh.parts), rank / mesh.parts);
  const MlpSettings whole = with_samples_of_group(setup.whole, mesh, rank);
  if (setup.options.pipeline > 0)
    return std::make_unique<PipelineStage>(setup.device, model, setup.options, whole);
  return std::make_unique<TensorLayers>(setup.device, model, whole, false);
}

Communicator& ranks_with_same_part(const StrategySetup& setup) {
  const int parts = mesh_of(setup.options, setup.communicator->size()).parts;
  return setup.communicator->part(fmt::format("data of {}", parts), setup.communicator->rank() % parts);
}

class Hybrid final : public SplitStrategy {
 public:
  explicit Hybrid(const StrategySetup& setup)
      : SplitStrategy(setup, split_of_group(setup), {Phase::exchange, Phase::optimizer}),
        data_(ranks_with_same_part(setup)),
        agreement_(setup.device, communicator(), setup.whole.precision) {}

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t, PhaseMarks& marks,
            Stream& stream) override {
    split().make_gradient(mlp, source, marks, stream);
    const std::span<float> gradients = mlp.gradients();
    data_.all_reduce_sum(gradients.data(), gradients.size(), stream);
    agreement_.agree(mlp.state(), stream);
    marks.end_of(Phase::exchange, stream);
    mlp.update(stream);
    marks.end_of(Phase::optimizer, stream);
  }

  // All groups have the same sums, so only the first group's count.
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t kind) const override {
    return data_.rank() == 0 ? SplitStrategy::own_gradients(mlp, kind)
                             : std::vector<std::span<const float>>{};
  }

 private:
  Communicator& data_;
  OverflowAgreement agreement_;
};

}  // namespace

std::unique_ptr<Strategy> make_hybrid(const StrategySetup& setup) { return std::make_unique<Hybrid>(setup); }

}  // namespace breakeven::strategy
