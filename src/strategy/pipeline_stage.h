// SPDX-License-Identifier: Apache-2.0
// A step of a model whose layers are divided into stages, one a rank of a group: micro-batches go through the
// stages forward and back, and every stage adds up their gradients.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "mpi/communicator.h"
#include "src/core/strategy/pipeline.h"
#include "src/model/mlp.h"
#include "src/strategy/model_split.h"
#include "src/strategy/phase_marks.h"

namespace breakeven {

class PipelineStage final : public ModelSplit {
 public:
  // `whole` is the replica that the group's stages are parts of.
  PipelineStage(Device& device, Communicator& group, const StrategyOptions& options,
                const MlpSettings& whole);

  const MlpSettings& mlp_settings() const override { return part_; }
  // Of input, forward and backward of all micro-batches.
  const std::vector<Phase>& phases() const override { return phases_; }

  void make_gradient(Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) override;

  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override;
  std::vector<std::span<const float>> own_gradients(Mlp& mlp) const override { return {mlp.gradients()}; }

 private:
  bool is_first() const { return group_.rank() == 0; }
  bool is_last() const { return part_.place.ends_model; }
  void load_batch(Mlp& mlp, BatchSource source, Stream& stream);
  void run(const StageTask& task, Mlp& mlp, Stream& stream);

  Device& device_;
  Communicator& group_;
  MlpSettings part_;
  ParameterLayout whole_layout_;
  std::vector<StageTask> tasks_;
  std::vector<Phase> phases_;
};

}  // namespace breakeven
