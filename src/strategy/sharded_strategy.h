// SPDX-License-Identifier: Apache-2.0
// What zero1, zero2 and fsdp share: each rank owns a share of the training state.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "kernels/side_stream.h"
#include "src/strategy/gradient_checks.h"
#include "src/strategy/strategy.h"

namespace breakeven::strategy {

class ShardedStrategy : public Strategy {
 public:
  ShardedStrategy(const StrategySetup& setup, const Sharding& sharding, std::vector<Phase> phases);

  MlpSettings mlp_settings(const MlpSettings& whole) const override;
  void gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) override;
  std::vector<std::span<const float>> own_gradients(model::Mlp& mlp, std::uint32_t kind) const override;

 protected:
  // The backward pass. Each bucket's gradients are reduce-scattered on the side stream as soon as they are
  // ready; the caller joins it. `before_layer` as in Mlp::backward.
  void backward_during_scatter(model::Mlp& mlp, const model::Mlp::LayerHook& before_layer, Stream& stream);
  void scatter_gradients(model::ModelState& state, std::size_t bucket, Stream& stream);
  // Call it after the exchange of gradients and before update_own: each rank sees only its own parts, so the
  // ranks must agree on overflow and on the norm of the whole gradient.
  void agree_on_gradient(model::ModelState& state, Stream& stream);
  void update_own(model::Mlp& mlp, Stream& stream);
  // Brings a bucket's weights from the ranks that own them; and all biases, if these are not part of the
  // buckets.
  void gather_weights(model::ModelState& state, std::size_t bucket, Stream& stream);
  void gather_biases(model::ModelState& state, Stream& stream);
  // Instead of scatter_gradients, agree_on_gradient, update_own and gather_weights, where the transport can
  // and nothing comes between the sums and the update.
  bool updates_shares_at_once(model::ModelState& state, Stream& stream);

  SideStream& side_stream() { return side_stream_; }

 private:
  Sharding sharding_;
  OverflowAgreement overflow_;
  float clip_norm_;
  std::optional<GradientNorm> norm_;  // with clip=NORM only
  SideStream side_stream_;
  // [bucket % 2]: the buffer of the bucket's gradients may be written again.
  std::array<std::unique_ptr<Event>, 2> scattered_;
};

// zero1 and zero2 run the same step (zero1.cpp); `sharding` says what each rank owns a share of.
std::unique_ptr<Strategy> make_zero(const StrategySetup& setup, const Sharding& sharding);

}  // namespace breakeven::strategy
