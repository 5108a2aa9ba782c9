// SPDX-License-Identifier: Apache-2.0
#include "src/train/training.h"

#include <algorithm>

#include "kernels/profiler_range.h"
#include "src/core/strategy/kept_activations.h"

namespace breakeven::train {
namespace {

// `count` slots of a ring from the one of step `first` on.
template <typename Value>
auto download_ring(Device& device, std::span<Value> ring, std::uint32_t first, std::uint32_t count,
                   Stream& stream) {
  const std::size_t begin = first % ring.size();
  const std::size_t before_end = std::min<std::size_t>(count, ring.size() - begin);
  auto values = download(device, ring.subspan(begin, before_end), stream);
  if (before_end == count) return values;
  const auto others = download(device, ring.first(count - before_end), stream);
  values.insert(values.end(), others.begin(), others.end());
  return values;
}

}  // namespace

Training::Training(Device& device, const StrategyChoice& strategy, Communicator* communicator,
                   const data::Dataset& dataset, const MlpSettings& settings)
    : device_(device),
      stream_(device.make_stream()),
      strategy_(strategy::make_strategy(*strategy.info, {device, strategy.options, communicator,
                                                         with_kept_activations(strategy.options, settings)})),
      whole_settings_(settings),
      mlp_(device, strategy_->mlp_settings(with_kept_activations(strategy.options, settings)), *stream_),
      feeder_(device, dataset, mlp_.settings()) {}

void Training::launch(std::uint32_t steps, std::span<Event* const> marks) {
  const ProfilerRange range(name_of(Phase::step).data());
  feeder_.before_launch(steps_enqueued_, *stream_);
  const std::uint32_t kind = strategy_->kind_of(steps_enqueued_);
  if (const auto graph = graphs_.find({steps, kind}); graph != graphs_.end()) {
    graph->second->launch(marks, *stream_);
  } else {
    enqueue(steps, kind, marks);
  }
  feeder_.after_launch(steps_enqueued_, *stream_);
  steps_enqueued_ += steps;
}

std::unique_ptr<model::Mlp> Training::gather_whole_mlp() {
  const MlpSettings& settings = mlp_.settings();
  const bool is_whole = settings.shape.widths == whole_settings_.shape.widths;
  if (is_whole && mlp_.input().rows == mlp_.activations().output().rows) return nullptr;
  auto whole = std::make_unique<model::Mlp>(device_, whole_settings_, *stream_);
  strategy_->gather_parameters(mlp_, whole->parameters(), *stream_);
  whole->state().take_parameters(*stream_);
  return whole;
}

void Training::capture(std::uint32_t steps, std::span<Event* const> marks) {
  for (std::uint32_t kind = 0; kind < strategy_->kinds(); ++kind) {
    graphs_[{steps, kind}] = device_.capture(
        [this, steps, kind](std::span<Event* const> current) { enqueue(steps, kind, current); }, marks,
        *stream_);
  }
}

// Several steps are always fused. A strategy with fused steps has one kind of step.
void Training::enqueue(std::uint32_t steps, std::uint32_t kind, std::span<Event* const> marks) {
  if (marks.empty() && !feeder_.source().staged) {
    makes_whole_steps_ = strategy_->whole_steps(mlp_, feeder_.source(), steps, *stream_);
    if (makes_whole_steps_) return;
  }
  strategy::PhaseMarks phase_marks(marks, strategy_->phases());
  strategy_->step(mlp_, feeder_.source(), kind, phase_marks, *stream_);
}

std::vector<float> Training::loss_shares(std::uint32_t first, std::uint32_t count) {
  std::vector<float> losses = download_ring(device_, mlp_.losses(), first, count, *stream_);
  for (float& loss : losses) loss *= mlp_.settings().share;
  return losses;
}

std::vector<std::uint64_t> Training::step_ends(std::uint32_t first, std::uint32_t count) {
  return download_ring(device_, mlp_.step_ends(), first, count, *stream_);
}

}  // namespace breakeven::train
