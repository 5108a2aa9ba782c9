// SPDX-License-Identifier: Apache-2.0
#include "src/verify/random_case.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <span>
#include <vector>

#include <fmt/format.h>

#include "src/core/failure.h"
#include "src/core/model/model_shape.h"
#include "src/core/philox.h"
#include "src/core/strategy/description.h"
#include "src/verify/trajectory.h"

namespace breakeven::verify {
namespace {

// Independent of each other by index and attempt.
class Draws {
 public:
  Draws(std::uint64_t seed, std::uint32_t index, std::uint32_t attempt)
      : seed_(seed), index_(index), attempt_(attempt) {}

  std::uint32_t below(std::size_t count) {
    return random_word(seed_, RandomUse::verification, attempt_, 0, index_, drawn_++) %
           static_cast<std::uint32_t>(count);
  }
  bool one_in(std::size_t count) { return below(count) == 0; }
  template <typename Choices>
  auto of(const Choices& choices) {
    return std::span(choices)[below(std::span(choices).size())];
  }
  // From 1 to about 2^powers, every power of two as likely as the others. Half of them are multiples of 8,
  // as vector loads like them.
  std::uint32_t size(std::uint32_t powers) {
    const std::uint32_t power = below(powers);
    const std::uint32_t size = (1u << power) + below(std::size_t{1} << power);
    return one_in(2) && size >= 8 ? size / 8 * 8 : size;
  }

 private:
  std::uint64_t seed_;
  std::uint32_t index_, attempt_;
  std::uint32_t drawn_ = 0;
};

constexpr std::uint32_t strategy_attempts = 1000;

std::string draw_model(Draws& draws) {
  const std::uint32_t layers = 1 + draws.below(5);
  std::string model = std::to_string(draws.size(11));
  for (std::uint32_t layer = 0; layer < layers; ++layer) model += fmt::format("-{}", draws.size(11));
  return model;
}

// Each of its options every third time, with one of the values that the table names.
std::string draw_strategy(const StrategyDescription& info, Draws& draws) {
  std::string strategy(info.name);
  for (const StrategyOptionInfo& option : strategy_option_table()) {
    const bool takes = std::ranges::find(info.options, option.key) != info.options.end();
    if (takes && draws.one_in(3)) strategy += fmt::format(":{}={}", option.key, draws.of(option.verified_as));
  }
  return strategy;
}

measure::Axes draw_axes(const StrategyDescription& strategy, std::uint32_t gpus, const measure::Offer& offer,
                        Draws& draws) {
  measure::Axes axes;
  axes[Axis::model] = {draw_model(draws)};
  axes[Axis::gpus] = {std::to_string(gpus)};
  axes[Axis::batch] = {std::to_string(draws.size(10) * (draws.one_in(2) ? gpus : 1))};
  axes[Axis::strategy] = {draw_strategy(strategy, draws)};
  const measure::OfferedPrecision precision = draws.of(offer.precisions);
  axes[Axis::precision] = {std::string(name_of(precision.precision))};
  axes[Axis::gemm] = {std::string(name_of(draws.of(precision.gemm)))};
  axes[Axis::transport] = {"auto"};
  if (!offer.transports.empty())
    axes[Axis::transport] = {std::string(name_of(draws.of(offer.transports).transport))};
  axes[Axis::graph] = {draws.one_in(2) ? "on" : "off"};
  for (const Axis axis : {Axis::scaling, Axis::data}) axes[axis] = {draws.of(option_words(axis))};
  axes[Axis::timing] = {option_words(Axis::timing).front()};
  return axes;
}

void draw_training(Draws& draws, measure::RunOptions& options) {
  options.optimizer = draws.one_in(3) ? OptimizerKind::sgd : OptimizerKind::adam;
  options.learning_rate = 1e-3f;
  options.warmup = 2;
  options.steps = 2 + draws.below(11);
  options.samples = 500 + draws.below(3000);
  options.seed = draws.below(1u << 30);
}

}  // namespace

RandomCase draw_case(std::uint64_t seed, std::uint32_t index, const measure::RunOptions& launch,
                     const measure::Offer& offer, double most_flops) {
  const std::span<const StrategyDescription> all = strategies();
  // Not drawn again: cases on many ranks are refused more often.
  const std::uint32_t gpus = 1 + Draws(seed, index, 0).below(static_cast<std::size_t>(offer.ranks));
  for (std::uint32_t attempt = 1; attempt < strategy_attempts * all.size(); ++attempt) {
    Draws draws(seed, index, attempt);
    const StrategyDescription& strategy = all[(index + attempt / strategy_attempts) % all.size()];
    const auto planned = measure::plan_cases(draw_axes(strategy, gpus, offer, draws), offer);
    const auto* cases = std::get_if<std::vector<Case>>(&planned);
    if (cases == nullptr || cases->front().model.value().step_flops(cases->front().batch) > most_flops)
      continue;
    RandomCase drawn{cases->front(), launch};
    draw_training(draws, drawn.options);
    return drawn;
  }
  throw Failure(ExitCode::environment,
                fmt::format("no strategy can train any of {} random cases", strategy_attempts * all.size()));
}

std::string in_words(const RandomCase& drawn) {
  return fmt::format(
      "{}, {}, {} steps", label_of(drawn.what),
      drawn.options.optimizer == OptimizerKind::sgd
          ? fmt::format("{} at {:g}", name_of(drawn.options.optimizer), drawn.options.learning_rate)
          : std::string(name_of(drawn.options.optimizer)),
      drawn.options.warmup + drawn.options.steps);
}

}  // namespace breakeven::verify
