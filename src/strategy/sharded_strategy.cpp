// SPDX-License-Identifier: Apache-2.0
#include "src/strategy/sharded_strategy.h"

#include "src/core/strategy/sharding.h"

namespace breakeven::strategy {

ShardedStrategy::ShardedStrategy(const StrategySetup& setup, const Sharding& sharding,
                                 std::vector<Phase> phases)
    : Strategy(setup, std::move(phases)),
      sharding_(sharding),
      overflow_(setup.device, communicator(), setup.whole.precision),
      clip_norm_(setup.options.clip_norm),
      side_stream_(setup.device) {
  if (clip_norm_ > 0)
    norm_.emplace(setup.device, sharded_buckets(mlp_settings(setup.whole)).size(), setup.communicator);
  for (auto& event : scattered_) event = setup.device.make_event();
}

MlpSettings ShardedStrategy::mlp_settings(const MlpSettings& whole) const {
  return sharded(whole, sharding_, rank(), ranks());
}

void ShardedStrategy::backward_during_scatter(model::Mlp& mlp, const model::Mlp::LayerHook& before_layer,
                                              Stream& stream) {
  model::ModelState& state = mlp.state();
  std::size_t made = state.layout().layers();  // the layer of the last gradient
  std::size_t bucket = 0;
  const auto before = [&](std::size_t layer) {
    const std::size_t before_bucket =
        bucket == 0 ? state.layout().layers() : state.buckets()[bucket - 1].first_layer;
    const bool begins_bucket = made == before_bucket;
    if (begins_bucket && mlp.settings().shards(Sharded::gradients)) {
      if (bucket >= 2) stream.wait_for(*scattered_[bucket % 2]);
      state.clear_padding(bucket, stream);
    }
    before_layer(layer);
  };
  const auto scatter_what_is_ready = [&](std::size_t layer) {
    made = layer;
    if (layer > state.buckets()[bucket].first_layer) return;
    Stream& side = side_stream_.from(stream);
    scatter_gradients(state, bucket, side);
    scattered_[bucket % 2]->record(side);
    ++bucket;
  };
  mlp.backward(before, scatter_what_is_ready, stream);
}

void ShardedStrategy::scatter_gradients(model::ModelState& state, std::size_t bucket, Stream& stream) {
  communicator().reduce_scatter_sum(state.bucket_gradients(bucket).data(), state.own_parts()[bucket].floats,
                                    stream);
  state.keep_own_gradient(bucket, stream);
}

void ShardedStrategy::agree_on_gradient(model::ModelState& state, Stream& stream) {
  overflow_.agree(state, stream);
  if (norm_) norm_->measure(state, stream);
}

void ShardedStrategy::update_own(model::Mlp& mlp, Stream& stream) {
  if (norm_) norm_->clip(mlp.state(), clip_norm_, stream);
  mlp.update(stream);
}

void ShardedStrategy::gather_weights(model::ModelState& state, std::size_t bucket, Stream& stream) {
  state.lay_own_weights(bucket, stream);
  const auto [data, share] = state.bucket_weights(bucket);
  communicator().all_gather(data, share, stream);
}

void ShardedStrategy::gather_biases(model::ModelState& state, Stream& stream) {
  const std::span<float> biases = state.gathered_biases();
  if (biases.empty()) return;
  state.lay_own_biases(stream);
  communicator().all_reduce_sum(biases.data(), biases.size(), stream);
}

bool ShardedStrategy::updates_shares_at_once(model::ModelState& state, Stream& stream) {
  return clip_norm_ <= 0 && state.update_shares(communicator(), stream);
}

void ShardedStrategy::gather_parameters(model::Mlp& mlp, std::span<float> whole, Stream& stream) {
  const model::ModelState& state = mlp.state();
  const ParameterLayout& padded = state.layout();
  const ParameterLayout plain(mlp.settings().shape);
  const Buffer gathered(device(), padded.floats() * sizeof(float), false, "gathered parameters");
  // If this rank holds all parameters, they are read where they lie.
  const float* from = mlp.parameters().data();
  if (mlp.settings().shards_masters()) {
    from = gathered.as<>();
    for (std::size_t b = 0; b < state.buckets().size(); ++b) {
      const std::span<const float> own = state.own_parameters(b);
      device().copy(gathered.as<>() + state.own_parts()[b].in_whole, own.data(), own.size_bytes(), stream);
      communicator().all_gather(gathered.as<>() + state.buckets()[b].begin, own.size(), stream);
    }
  }
  for (std::size_t l = 0; l < plain.layers(); ++l) {
    device().copy(whole.data() + plain.weight_offset(l), from + padded.weight_offset(l),
                  plain.layer_floats(l) * sizeof(float), stream);
  }
  stream.synchronize();  // before `gathered` is freed
}

std::vector<std::span<const float>> ShardedStrategy::own_gradients(model::Mlp& mlp, std::uint32_t) const {
  std::vector<std::span<const float>> parts;
  for (std::size_t b = 0; b < mlp.state().buckets().size(); ++b) {
    parts.emplace_back(mlp.state().own_gradient(b));
  }
  return parts;
}

}  // namespace breakeven::strategy
