// SPDX-License-Identifier: Apache-2.0
// Local SGD (Stich, "Local SGD Converges Fast and Communicates Little", ICLR 2019). Each rank trains its own
// model on its part of the batch. Every `period` steps an all-reduce averages the parameters; the steps
// between exchange nothing. The optimizer's moments stay local.
//
// With outer=nesterov, the ranks average by how much they moved their parameters in the period: the gradient
// of an outer step of SGD with Nesterov momentum (Douillard et al., "DiLoCo", 2023, algorithm 1).
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {
namespace {

enum Kind : std::uint32_t { local_step, averaging_step, kind_count };

class LocalSgd final : public Strategy {
 public:
  explicit LocalSgd(const StrategySetup& setup)
      : Strategy(setup, phases_of_step(setup.options, {Phase::exchange, Phase::optimizer})),
        options_(setup.options) {}

  MlpSettings mlp_settings(const MlpSettings& whole) const override { return settings_of_own_batch(whole); }

  std::uint32_t kinds() const override { return kind_count; }
  // The first step averages, so libraries are set up before the measured steps.
  std::uint32_t kind_of(std::uint32_t step) const override {
    return step % options_.period == 0 ? averaging_step : local_step;
  }

  void step(model::Mlp& mlp, const BatchSource& source, std::uint32_t kind, PhaseMarks& marks,
            Stream& stream) override {
    const bool averages = kind == averaging_step;
    if (averages && options_.outer_nesterov) begin_outer(mlp, stream);
    enqueue_forward(mlp, source, marks, stream);
    mlp.backward_and_update(stream);
    marks.end_of(Phase::backward, stream);
    if (averages) exchange(mlp.parameters(), stream);
    marks.end_of(Phase::exchange, stream);
    if (averages) take_average(mlp, stream);
    marks.end_of(Phase::optimizer, stream);
  }

  // The trained model is the average of all ranks' models.
  void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) override {
    Strategy::gather_parameters(mlp, whole, stream);
    sum_parameters(whole, stream);
    device().scale(whole.size(), average(), whole.data(), stream);
  }

  // Each rank trains on a batch of its own.
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t) const override {
    return {mlp.gradients()};
  }

 private:
  double average() const { return 1.0 / ranks(); }
  void sum_parameters(std::span<float> parameters, Stream& stream) {
    communicator().all_reduce_sum(parameters.data(), parameters.size(), stream);
  }

  // With an outer step, the ranks' own g = begin - parameters is summed. Both are near each other, so g is
  // exact. The rounding of an average would enter g, and all outer steps together multiply it by
  // rate / (1 - m).
  void exchange(std::span<float> parameters, Stream& stream) {
    if (options_.outer_nesterov) {
      device().scale(parameters.size(), -1, parameters.data(), stream);
      device().add(parameters.size(), begin_.as<>(), parameters.data(), stream);
    }
    sum_parameters(parameters, stream);
  }

  // Once, in the first step, when all ranks have the same parameters.
  void begin_outer(model::Mlp& mlp, Stream& stream) {
    if (begin_.bytes() > 0) return;
    const std::span<const float> parameters = mlp.parameters();
    begin_ = Buffer(device(), parameters.size_bytes(), false, "parameters at the beginning of a period");
    momentum_ = Buffer(device(), parameters.size_bytes(), false, "outer momentum");
    device().copy(begin_.as<>(), parameters.data(), parameters.size_bytes(), stream);
  }

  void take_average(model::Mlp& mlp, Stream& stream) {
    const std::span<float> parameters = mlp.parameters();
    device().scale(parameters.size(), average(), parameters.data(), stream);
    if (options_.outer_nesterov) outer_step(parameters, stream);
    mlp.state().take_parameters(stream);
  }

  // momentum = m (momentum + g); begin -= rate * (g + momentum). `parameters` holds g, the mean over the
  // ranks, at first, then intermediate results, and the new beginning at the end.
  void outer_step(std::span<float> parameters, Stream& stream) {
    const std::size_t count = parameters.size();
    float* const work = parameters.data();
    float* const begin = begin_.as<>();
    float* const momentum = momentum_.as<>();
    device().add(count, work, momentum, stream);
    device().scale(count, options_.outer_momentum, momentum, stream);
    device().add(count, momentum, work, stream);
    device().scale(count, -options_.outer_rate, work, stream);
    device().add(count, work, begin, stream);
    device().copy(work, begin, parameters.size_bytes(), stream);
  }

  StrategyOptions options_;
  Buffer begin_;     // empty without an outer step
  Buffer momentum_;  // m times the velocity; empty without an outer step
};

}  // namespace

std::unique_ptr<Strategy> make_local_sgd(const StrategySetup& setup) {
  return std::make_unique<LocalSgd>(setup);
}

}  // namespace breakeven::strategy
