// SPDX-License-Identifier: Apache-2.0
// A step of a model whose layers are divided among a group of ranks (src/core/strategy/tensor.h), and what
// its ranks exchange: sums over the units of a layer, in fp32, of the whole group's samples.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "kernels/side_stream.h"
#include "mpi/communicator.h"
#include "src/model/mlp.h"
#include "src/strategy/model_split.h"
#include "src/strategy/overflow_agreement.h"
#include "src/strategy/phase_marks.h"

namespace breakeven {

class TensorLayers final : public ModelSplit {
 public:
  // `whole` is the replica that the group's ranks are parts of, with the samples of all of them.
  // With `updates` the products of backward() may be updates: they wait until all ranks know of overflow.
  TensorLayers(Device& device, Communicator& group, const MlpSettings& whole, bool updates);

  const MlpSettings& mlp_settings() const override { return part_; }
  // Of input and forward, and of the way back with whatever comes last.
  const std::vector<Phase>& phases() const override { return phases_; }
  void make_gradient(Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) override;

  void load_and_forward(Mlp& mlp, BatchSource source, PhaseMarks& marks, Stream& stream);
  // The caller marks the end of the last stretch of `backward`. `product_of(layer)` makes the layer's weight
  // gradient, or its update too: it runs beside the exchanges, at the latest when all ranks know of overflow.
  void backward(Mlp& mlp, const std::function<Product(std::size_t layer)>& product_of, PhaseMarks& marks,
                Stream& stream);

  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override;
  // What lies on this rank alone of the group's gradient.
  std::vector<std::span<const float>> own_gradients(Mlp& mlp) const override;

 private:
  bool inputs_divided(std::size_t layer) const { return inputs_are_divided_[layer]; }
  Matrix sums_for(Matrix of_layers, std::size_t width) const;
  void exchange(Matrix sums, Phase within, PhaseMarks& marks, Stream& stream);
  void finish_hidden(Mlp& mlp, std::size_t layer, Matrix sums, Stream& stream);
  void finish_output(Mlp& mlp, Stream& stream);
  void finish_data_gradient(Mlp& mlp, std::size_t layer, Matrix sums, Stream& stream);

  Device& device_;
  Communicator& group_;
  MlpSettings part_;
  ParameterLayout whole_layout_;
  std::vector<bool> inputs_are_divided_;  // of each layer; else its outputs are
  std::vector<Phase> phases_;
  std::vector<Buffer> sums_;  // of each width, where products have a narrower dtype
  Buffer loss_of_others_;     // every rank knows the group's loss; rank 0 alone tells it
  OverflowAgreement agreement_;
  bool agrees_;  // before it makes what may be updates
  SideStream side_stream_;
};

}  // namespace breakeven
