// SPDX-License-Identifier: Apache-2.0
// Tensor parallelism within a group of ranks: this rank's share of every layer (src/core/strategy/tensor.h).
// The ranks all-reduce partial sums over a layer's units, in fp32, for the group's whole batch.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/side_stream.h"
#include "mpi/communicator.h"
#include "src/model/mlp.h"
#include "src/strategy/gradient_checks.h"
#include "src/strategy/model_split.h"
#include "src/strategy/phase_marks.h"

namespace breakeven::strategy {

class TensorLayers final : public ModelSplit {
 public:
  // `whole` is the model that the group splits, with the group's samples. With `updates`, backward() may be
  // given products that update weights; with fp16 these then wait until all ranks know of overflow.
  TensorLayers(Device& device, Communicator& group, const MlpSettings& whole, bool updates);

  const MlpSettings& mlp_settings() const override { return part_; }
  const std::vector<Phase>& phases() const override { return phases_; }
  void make_gradient(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) override;

  void load_and_forward(model::Mlp& mlp, BatchSource source, PhaseMarks& marks, Stream& stream);
  // `product_of(layer)` returns the product that makes the layer's weight gradient, or the update fused with
  // it. It runs on a side stream during the exchanges, or after all ranks know of overflow. The caller marks
  // the end of the last Phase::backward.
  void backward(model::Mlp& mlp, const std::function<Product(std::size_t layer)>& product_of,
                PhaseMarks& marks, Stream& stream);

  void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) override;
  // Rank 0 also reports the biases that all ranks hold.
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp) const override;

 private:
  bool inputs_divided(std::size_t layer) const { return inputs_are_divided_[layer]; }
  Matrix sums_for(Matrix of_layers, std::size_t width) const;
  // Sums over the ranks and finishes the layer: AddBias in place, BiasReluDropout or ReluDropoutBackward.
  void exchange(Matrix sums, const Epilogue& epilogue, Matrix finished, Phase within, PhaseMarks& marks,
                Stream& stream);
  void finish(Matrix sums, const Epilogue& epilogue, Matrix finished, Stream& stream);
  void measure_loss(model::Mlp& mlp, Stream& stream);

  Device& device_;
  Communicator& group_;
  MlpSettings part_;
  ParameterLayout whole_layout_;
  std::vector<bool> inputs_are_divided_;  // [layer]: ranks share its inputs; otherwise they share its outputs
  std::vector<Phase> phases_;
  std::vector<Buffer> sums_;  // [width] fp32 sums; empty for fp32 products, which sum in place
  Buffer loss_of_others_;     // ranks other than 0 write the loss here, so that it counts once
  OverflowAgreement agreement_;
  bool agrees_;  // on overflow before any product that may update weights
  SideStream side_stream_;
};

}  // namespace breakeven::strategy
