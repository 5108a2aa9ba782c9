// SPDX-License-Identifier: Apache-2.0
// What the strategies share that cut the model's state into a share for each rank.
#pragma once

#include <array>
#include <memory>
#include <optional>

#include "kernels/side_stream.h"
#include "src/strategy/gradient_norm.h"
#include "src/strategy/overflow_agreement.h"
#include "src/strategy/strategy.h"

namespace breakeven {

class ShardedStrategy : public Strategy {
 public:
  ShardedStrategy(const StrategySetup& setup, const Sharding& sharding);

  MlpSettings mlp_settings(const MlpSettings& whole) const override;
  void gather_parameters(Mlp& mlp, std::span<float> whole, Stream& stream) override;
  std::vector<std::span<const float>> own_gradients(Mlp& mlp, std::uint32_t kind) const override;

 protected:
  // The backward pass with every bucket's gradients reduce-scattered beside it, each as soon as it is there.
  // `before_layer` as in Mlp::backward. Joined by the caller.
  void backward_during_scatter(Mlp& mlp, const Mlp::LayerHook& before_layer, Stream& stream);
  void scatter_gradients(ModelState& state, std::size_t bucket, Stream& stream);
  // Ranks that see their own parts alone do not see that another's has overflowed, nor the whole norm. After
  // the exchange of gradients; then update_own.
  void agree_on_gradient(ModelState& state, Stream& stream);
  void update_own(Mlp& mlp, Stream& stream);
  // What the products read of a bucket, from the ranks that own its parts; and all biases where these do not
  // come along.
  void gather_weights(ModelState& state, std::size_t bucket, Stream& stream);
  void gather_biases(ModelState& state, Stream& stream);

  SideStream& side_stream() { return side_stream_; }

 private:
  Sharding sharding_;
  OverflowAgreement overflow_;
  float clip_norm_;
  std::optional<GradientNorm> norm_;  // where it is to be clipped
  SideStream side_stream_;
  // The memory in which a sharded bucket's gradients were made may be written again; by turns.
  std::array<std::unique_ptr<Event>, 2> scattered_;
};

// zero1 and zero2: one step, by what is sharded (sharded_step.cpp).
std::unique_ptr<Strategy> make_zero(const StrategySetup& setup, const Sharding& sharding);

}  // namespace breakeven
