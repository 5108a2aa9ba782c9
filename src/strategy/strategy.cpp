// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/strategy.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "src/core/failure.h"

namespace breakeven::strategy {

void Strategy::gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) {
  device_.copy(whole.data(), mlp.parameters().data(), whole.size_bytes(), stream);
}

std::vector<std::span<const float>> Strategy::own_gradients(model::Mlp& mlp, std::uint32_t) const {
  if (rank() != 0) return {};
  return {mlp.gradients()};
}

void enqueue_forward(model::Mlp& mlp, const BatchSource& source, PhaseMarks& marks, Stream& stream) {
  const std::uint32_t last = mlp.settings().micro_batches.count - 1;
  marks.begin(stream);
  for (std::uint32_t part = 0; part <= last; ++part) {
    mlp.load_batch(part, source, stream);
    marks.end_of(Phase::input, stream);
    mlp.forward(part, model::Mlp::no_hook, stream);
    marks.end_of(Phase::forward, stream);
    if (part == last) return;
    mlp.backward(part, model::Mlp::no_hook, model::Mlp::no_hook, stream);
    marks.end_of(Phase::backward, stream);
  }
}

#define STRATEGY(name) std::unique_ptr<Strategy> make_##name(const StrategySetup& setup);
#include "strategies.inc"
#undef STRATEGY

namespace {

struct Maker {
  std::string_view file;  // of its description: the name with _ for -
  std::unique_ptr<Strategy> (*make)(const StrategySetup& setup);
};

constexpr std::array makers{
#define STRATEGY(name) Maker{#name, make_##name},
#include "strategies.inc"
#undef STRATEGY
};

}  // namespace

std::unique_ptr<Strategy> make_strategy(const StrategyDescription& description, const StrategySetup& setup) {
  std::string file(description.name);
  std::ranges::replace(file, '-', '_');
  const auto maker = std::ranges::find(makers, file, &Maker::file);
  if (maker == makers.end())
    throw Failure(ExitCode::usage,
                  "there is no implementation of strategy '" + std::string(description.name) + "'");
  return maker->make(setup);
}

}  // namespace breakeven::strategy
