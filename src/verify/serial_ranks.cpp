// SPDX-License-Identifier: Apache-2.0
#include "src/verify/serial_ranks.h"

#include <algorithm>
#include <cmath>

#include "kernels/device.h"
#include "src/core/philox.h"

namespace breakeven::verify {
namespace {

// Cuts the rows of `whole` into `pieces` parts, or into fewer if it has fewer rows.
std::vector<MlpSettings> in_pieces(const MlpSettings& whole, std::uint32_t pieces) {
  pieces = std::min(pieces, whole.rows);
  std::vector<MlpSettings> parts;
  for (std::uint32_t piece = 0; piece < pieces; ++piece) {
    const std::uint32_t begin = whole.rows * piece / pieces;
    parts.push_back(whole);
    parts.back().first_sample += begin;
    parts.back().rows = whole.rows * (piece + 1) / pieces - begin;
  }
  return parts;
}

}  // namespace

MlpSettings settings_with_own_means(const Case& what, measure::RunContext& context) {
  MlpSettings settings = context.settings_for(what, all_steps(context));
  settings.rows_of_mean = what.batch / static_cast<std::uint32_t>(what.gpus);
  settings.share = 1.0f / static_cast<float>(what.gpus);
  return settings;
}

SerialRanks::SerialRanks(const Case& what, measure::RunContext& context, const MlpSettings& whole,
                         const Rounding& rounding)
    : device_(context.device()),
      dataset_(context.dataset(whole.shape, DataPlacement::resident)),
      stream_(device_.make_stream()),
      steps_(whole.total_steps) {
  const std::uint32_t accumulated = strategy_of_case(what).options.accumulate;
  for (int rank = 0; rank < what.gpus; ++rank) {
    MlpSettings mine = whole;
    const Shard shard = shard_of(what.batch, rank, what.gpus);
    mine.first_sample = shard.first_sample;
    mine.rows = shard.rows;
    Rank made;
    for (const MlpSettings& part : in_pieces(mine, rounding.pieces * accumulated))
      made.pieces.push_back(std::make_unique<model::Mlp>(device_, part, *stream_));
    made.squares = Buffer(device_, (steps_ + 1) * sizeof(double), false, "squares of the gradient");
    ranks_.push_back(std::move(made));
  }
  if (rounding.nudge > 0) nudge_parameters(whole.seed, rounding.nudge);
}

// All ranks in the same way. What is 0 stays: biases, and the padding.
void SerialRanks::nudge_parameters(std::uint64_t seed, std::uint32_t nudge) {
  std::vector<float> values = download(device_, std::span<const float>(parameters(0)), *stream_);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto place = static_cast<std::uint32_t>(i);
    const std::uint32_t draw = random_word(seed, RandomUse::verification, nudge, 0, 0, place) % 3;
    if (values[i] != 0 && draw > 0) values[i] = std::nextafter(values[i], draw == 1 ? -HUGE_VALF : HUGE_VALF);
  }
  for (int rank = 0; rank < size(); ++rank) {
    device_.copy(parameters(rank).data(), values.data(), parameters(rank).size_bytes(), *stream_);
    take_parameters(rank);
  }
  stream_->synchronize();  // the values are read until then
}

void SerialRanks::make_gradient(int rank) {
  const std::span<float> sum = gradients(rank);
  for (const auto& piece : ranks_[static_cast<std::size_t>(rank)].pieces) {
    const MlpSettings& mine = piece->settings();
    piece->load_batch(
        {dataset_.features(), dataset_.targets(), mine.seed, mine.global_batch, mine.first_sample}, *stream_);
    piece->forward(*stream_);
    piece->backward([](std::size_t) {}, *stream_);
    if (piece->gradients().data() != sum.data())
      device_.add(sum.size(), piece->gradients().data(), sum.data(), *stream_);
  }
}

void SerialRanks::update(int rank) {
  first(rank).update(*stream_);
  take_parameters(rank);
}

void SerialRanks::take_parameters(int rank) {
  const std::span<float> from = first(rank).state().parameters_and_state();
  for (const auto& piece : ranks_[static_cast<std::size_t>(rank)].pieces) {
    const std::span<float> to = piece->state().parameters_and_state();
    if (to.data() != from.data()) device_.copy(to.data(), from.data(), from.size_bytes(), *stream_);
    piece->state().take_parameters(*stream_);
  }
}

void SerialRanks::note_gradient(int rank) {
  const std::span<const float> values = gradients(rank);
  device_.sum_of_squares(values.size(), values.data(), first(rank).step_state(),
                         {ranks_[static_cast<std::size_t>(rank)].squares.as<double>(), steps_ + 1}, *stream_);
}

Trajectory SerialRanks::trajectory(std::span<const float> parameters) {
  Trajectory result;
  result.losses.resize(steps_);
  result.gradient_norms.resize(steps_);
  const double share = first(0).settings().share;
  for (const Rank& rank : ranks_) {
    for (const auto& piece : rank.pieces) {
      const std::vector<float> losses = download(device_, piece->losses(), *stream_);
      for (std::uint32_t step = 0; step < steps_; ++step) result.losses[step] += share * losses[step];
    }
    const std::vector<double> squares =
        download(device_, std::span(rank.squares.as<double>() + 1, steps_), *stream_);
    for (std::uint32_t step = 0; step < steps_; ++step) result.gradient_norms[step] += share * squares[step];
  }
  for (double& norm : result.gradient_norms) norm = std::sqrt(norm);
  result.parameters = download(device_, parameters, *stream_);
  return result;
}

}  // namespace breakeven::verify
