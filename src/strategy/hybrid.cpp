// SPDX-License-Identifier: Apache-2.0
// Data parallelism of groups, each of which splits the model: a mesh, of which neighbouring ranks are the
// parts of one model, and the ranks with the same part add up its gradient (Narayanan et al., "Efficient
// Large-Scale Language Model Training on GPU Clusters", SC 2021, section 3).
#include <algorithm>

#include <fmt/format.h>

#include "src/core/model/tensor_split.h"
#include "src/strategy/overflow_agreement.h"
#include "src/strategy/pipeline_stage.h"
#include "src/strategy/strategy_functions.h"
#include "src/strategy/tensor_layers.h"

namespace breakeven {
namespace {

// What the options leave open: two parts of every model, or one for each rank where their number is odd.
struct Mesh {
  int data;
  int parts;
};
Mesh mesh_of(const StrategyOptions& options, int ranks) {
  const int unsaid = options.data > 0 ? std::max(1, ranks / options.data) : ranks % 2 == 0 ? 2 : ranks;
  const int parts = options.tensor > 0 ? options.tensor : options.pipeline > 0 ? options.pipeline : unsaid;
  return {options.data > 0 ? options.data : std::max(1, ranks / parts), parts};
}

MlpSettings with_samples_of_group(MlpSettings whole, const Mesh& mesh, int rank) {
  whole.rows = whole.global_batch / static_cast<std::uint32_t>(mesh.data);
  whole.first_sample = whole.rows * static_cast<std::uint32_t>(rank / mesh.parts);
  return whole;
}

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
  Mesh mesh_;
  Communicator& model_;
  Communicator& data_;
  OverflowAgreement agreement_;
  std::unique_ptr<ModelSplit> split_;
  std::vector<Phase> phases_;
};

}  // namespace

std::string hybrid_refusal(const StrategyOptions& options, const SharedWork& work) {
  if (options.tensor > 0 && options.pipeline > 0)
    return "a model is split by tensor or by pipeline, not both";
  const Mesh mesh = mesh_of(options, work.ranks);
  if (mesh.data * mesh.parts != work.ranks)
    return fmt::format("a mesh of {} x {} has {} ranks, not {}", mesh.data, mesh.parts,
                       mesh.data * mesh.parts, work.ranks);
  if (options.pipeline == 0) return tensor_split_refusal(work.shape, mesh.parts);
  const std::uint32_t batch = work.batch / static_cast<std::uint32_t>(mesh.data);
  return pipeline_split_refusal(options, work.shape, batch, mesh.parts);
}

StrategyPromise hybrid_promise(const StrategyOptions&) { return {.definition_bits = false}; }

MemoryNeed hybrid_memory_need(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const Mesh mesh = mesh_of(options, ranks);
  const MlpSettings of_group = with_samples_of_group(whole, mesh, rank);
  const int part = rank % mesh.parts;
  MemoryNeed need = options.pipeline > 0 ? pipeline_memory_need(options, of_group, part, mesh.parts)
                                         : tensor_memory_need(options, of_group, part, mesh.parts);
  // Beside what all ranks agree by, a group of tensor parallelism has its own.
  if (options.pipeline == 0) need.strategy += OverflowAgreement::bytes_needed(whole.precision);
  return need;
}

std::vector<Message> hybrid_messages(const StrategyOptions& options, const MlpSettings& whole, int rank,
                                     int ranks) {
  const Mesh mesh = mesh_of(options, ranks);
  const MlpSettings of_group = with_samples_of_group(whole, mesh, rank);
  const int part = rank % mesh.parts;
  const bool by_pipeline = options.pipeline > 0;
  std::vector<Message> messages = by_pipeline ? PipelineStage::messages(options, of_group, part, mesh.parts)
                                              : TensorLayers::messages(of_group, mesh.parts);
  const MlpSettings mine = by_pipeline ? pipeline_part_of_rank(options, of_group, part, mesh.parts)
                                       : tensor_part_of(of_group, part, mesh.parts);
  messages.push_back(
      {Collective::all_reduce, ParameterLayout(mine.shape).floats() * sizeof(float), mesh.data});
  OverflowAgreement::add_messages(whole.precision, ranks, messages);
  return messages;
}

RankWork hybrid_work(const StrategyOptions& options, const MlpSettings& whole, int rank, int ranks) {
  const Mesh mesh = mesh_of(options, ranks);
  const MlpSettings of_group = with_samples_of_group(whole, mesh, rank);
  const int part = rank % mesh.parts;
  return options.pipeline > 0 ? pipeline_work(options, of_group, part, mesh.parts)
                              : tensor_work(options, of_group, part, mesh.parts);
}

std::unique_ptr<Strategy> make_hybrid(const StrategySetup& setup) { return std::make_unique<Hybrid>(setup); }

}  // namespace breakeven
