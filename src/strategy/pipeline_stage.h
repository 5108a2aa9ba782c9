// SPDX-License-Identifier: Apache-2.0
// One stage of a pipeline: this rank's consecutive layers of a model that is split among a group of ranks.
// Micro-batches pass through the stages forward and backward; each stage adds up its gradients over them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.h"
#include "src/core/strategy/pipeline.h"
#include "src/model/mlp.h"
#include "src/strategy/model_split.h"
#include "src/strategy/phase_marks.h"

namespace breakeven::strategy {

class PipelineStage final : public ModelSplit {
 public:
  // `whole` is the model that the group splits, with the group's samples.
  PipelineStage(Device& device, Communicator& group, const StrategyOptions& options,
                const MlpSettings& whole);

  const MlpSettings& mlp_settings() const override { return part_; }
  // Input, then forward, backward and exchange in the order of the schedule.
  const std::vector<Phase>& phases() const override { return phases_; }

  void make_gradient(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) override;

  void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) override;
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp) const override {
    return {mlp.gradients()};
  }

 private:
  bool is_first() const { return group_.rank() == 0; }
  bool is_last() const { return part_.place.ends_model; }
  void load_batch(model::Mlp& mlp, BatchSource source, Stream& stream);
  void run(const StageTask& task, model::Mlp& mlp, Stream& stream);

  Device& device_;
  Communicator& group_;
  MlpSettings part_;
  ParameterLayout whole_layout_;
  std::vector<StageTask> tasks_;
  std::vector<Phase> phases_;
};

}  // namespace breakeven::strategy
