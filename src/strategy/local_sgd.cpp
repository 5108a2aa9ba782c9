// SPDX-License-Identifier: Apache-2.0
// Every rank trains a model of its own on its part of the batch, and once in a period of steps the parameters
// are averaged (Stich, "Local SGD Converges Fast and Communicates Little", ICLR 2019). Between two averages
// a step is that of a single GPU. The optimizer's moments stay local.
//
// With outer=nesterov the average is not taken as it is: what the ranks went away from the parameters they
// began the period with is the gradient of an outer step of SGD with Nesterov's momentum (Douillard et al.,
// "DiLoCo", 2023, algorithm 1).
#include "src/core/strategy/kept_activations.h"
#include "src/strategy/strategy.h"

namespace breakeven {
namespace {

enum Kind : std::uint32_t { local_step, averaging_step, kind_count };

class LocalSgd final : public Strategy {
 public:
  explicit LocalSgd(const StrategySetup& setup)
      : Strategy(setup),
        options_(setup.options),
        phases_(phases_of_step(options_, {Phase::exchange, Phase::optimizer})) {}

  MlpSettings mlp_settings(const MlpSettings& whole) const override { return settings_of_own_batch(whole); }

  std::span<const Phase> phases() const override { return phases_; }
  std::uint32_t kinds() const override { return kind_count; }
  // The first step averages, so that what the libraries set up at first use is there for the others.
  std::uint32_t kind_of(std::uint32_t step) const override {
    return step % options_.period == 0 ? averaging_step : local_step;
  }

  void step(Mlp& mlp, const BatchSource& source, std::uint32_t kind, PhaseMarks& marks,
            Stream& stream) override {
    const bool averages = kind == averaging_step;
    if (averages && options_.outer_nesterov) begin_outer(mlp, stream);
    enqueue_forward(mlp, source, marks, stream);
    mlp.backward_and_update(stream);
    marks.end_of(Phase::backward, stream);
    if (averages) sum_parameters(mlp.parameters(), stream);
    marks.end_of(Phase::exchange, stream);
    if (averages) take_average(mlp, stream);
    marks.end_of(Phase::optimizer, stream);
  }

  // The model that the ranks have trained together is their average.
  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override {
    Strategy::gather_parameters(mlp, whole, stream);
    sum_parameters(whole, stream);
    device().scale(whole.size(), average(), whole.data(), stream);
  }

  // Each rank's is that of a batch of its own.
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t) const override {
    return {mlp.gradients()};
  }

 private:
  float average() const { return 1.0f / static_cast<float>(ranks()); }
  void sum_parameters(std::span<float> parameters, Stream& stream) {
    communicator().all_reduce_sum(parameters.data(), parameters.size(), stream);
  }

  // Once, before the first step: all ranks begin with the same parameters.
  void begin_outer(Mlp& mlp, Stream& stream) {
    if (begin_.bytes() > 0) return;
    const std::span<const float> parameters = mlp.parameters();
    begin_ = Buffer(device(), parameters.size_bytes(), false, "parameters at the beginning of a period");
    velocity_ = Buffer(device(), parameters.size_bytes(), false, "outer momentum");
    device().copy(begin_.as<>(), parameters.data(), parameters.size_bytes(), stream);
  }

  void take_average(Mlp& mlp, Stream& stream) {
    const std::span<float> parameters = mlp.parameters();
    device().scale(parameters.size(), average(), parameters.data(), stream);
    if (options_.outer_nesterov) outer_step(parameters, stream);
    mlp.state().take_parameters(stream);
  }

  // g = begin - average; velocity = momentum velocity + g; begin -= rate (g + momentum velocity). The
  // parameters' place holds g and what is subtracted, and in the end the new beginning.
  void outer_step(std::span<float> parameters, Stream& stream) {
    const std::size_t count = parameters.size();
    float* const work = parameters.data();
    float* const begin = begin_.as<>();
    float* const velocity = velocity_.as<>();
    device().scale(count, -1, work, stream);
    device().add(count, begin, work, stream);
    device().scale(count, options_.outer_momentum, velocity, stream);
    device().add(count, work, velocity, stream);
    device().scale(count, -options_.outer_rate, work, stream);
    device().add(count, work, begin, stream);
    device().copy(work, velocity, parameters.size_bytes(), stream);
    device().scale(count, -options_.outer_rate * options_.outer_momentum, work, stream);
    device().add(count, work, begin, stream);
    device().copy(work, begin, parameters.size_bytes(), stream);
  }

  StrategyOptions options_;
  std::vector<Phase> phases_;
  Buffer begin_;  // both empty without an outer step
  Buffer velocity_;
};

}  // namespace

std::unique_ptr<Strategy> make_local_sgd(const StrategySetup& setup) {
  return std::make_unique<LocalSgd>(setup);
}

}  // namespace breakeven
