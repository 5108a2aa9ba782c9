// SPDX-License-Identifier: Apache-2.0
// Selects the steps that this device fuses: several steps in one launch, resident on a cluster, or three
// launches per step. Also prepares their kernels' arguments.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

#include "kernels/cuda/cuda_check.h"
#include "kernels/cuda/cuda_device.h"
#include "kernels/cuda/network/arguments.cuh"
#include "kernels/cuda/network/cluster_plan.cuh"
#include "kernels/cuda/network/cuda_step_exchange.h"
#include "kernels/cuda/network/places.cuh"
#include "kernels/cuda/network/resident.cuh"
#include "kernels/cuda/quad.cuh"
#include "src/core/ceil_div.h"

namespace breakeven {
namespace {

// Rows are aligned to 16 bytes and padded to eight values.
bool has_padded_rows(const ConstMatrix& m) { return on_border(m.data) && m.ld == padded_width(m.cols); }

bool arrays_on_border(const AdamArrays& arrays) {
  return on_border(arrays.parameter) && on_border(arrays.first_moment) && on_border(arrays.second_moment);
}

bool product_fits(const Product& p) {
  return p.variant == GemmVariant{} && has_padded_rows(p.a) && has_padded_rows(p.b) && has_padded_rows(p.c);
}

// All hidden layers have the same dropout, except for the layer's number.
bool masks_are_alike(const NetworkStep& step) {
  const Dropout first = std::get<BiasReluDropout>(step.forward.front().epilogue).dropout;
  for (std::size_t l = 0; l + 1 < step.forward.size(); ++l) {
    const Dropout of_layer = std::get<BiasReluDropout>(step.forward[l].epilogue).dropout;
    if (of_layer.layer != l || of_layer.rate != first.rate || of_layer.seed != first.seed ||
        of_layer.first_sample != first.first_sample || of_layer.first_unit != 0) {
      return false;
    }
  }
  return true;
}

// Whether the products are those of a network with these layers, in a precision of operands.cuh, with Adam.
bool is_known_step(const NetworkStep& step) {
  const std::size_t layers = step.forward.size();
  if (layers < 2 || layers > most_layers || step.source.staged) return false;
  if (!with_operands(step.forward.front().precision, [](auto) {})) return false;
  for (std::size_t l = 0; l < layers; ++l) {
    const bool is_last = l + 1 == layers;
    const auto* update = std::get_if<AdamUpdate>(&step.updates[l].epilogue);
    if (!product_fits(step.forward[l]) || !product_fits(step.updates[l])) return false;
    if (update == nullptr || !arrays_on_border(update->weight) || !arrays_on_border(update->bias))
      return false;
    if (is_last != std::holds_alternative<SquaredErrorLoss>(step.forward[l].epilogue)) return false;
    if (!is_last && !std::holds_alternative<BiasReluDropout>(step.forward[l].epilogue)) return false;
  }
  return masks_are_alike(step);
}

// Beyond that, 16-bit products layer by layer are faster (docs/kernels.md).
constexpr std::int64_t most_rows_of_16_bits = 256;

// Whether three launches are the fastest for these sizes.
bool sizes_fit(const NetworkStep& step) {
  if (step.batch.rows < 1 || step.batch.rows > StepNotes::most_rows) return false;
  if (step.batch.dtype != Dtype::fp32 && step.batch.rows > most_rows_of_16_bits) return false;
  if (padded_width(step.batch.cols) > most_first_inputs) return false;
  if (step.source.features.dtype != Dtype::fp32 || !has_padded_rows(step.source.features) ||
      !has_padded_rows(step.source.targets))
    return false;
  if (!has_padded_rows(step.batch) || !has_padded_rows(step.target)) return false;
  return std::all_of(step.forward.begin() + 1, step.forward.end(),
                     [](const Product& p) { return p.a.ld <= 4 * later_threads; });
}

LayerArguments layer_arguments(const Product& forward, const Product& update) {
  const auto& adam = std::get<AdamUpdate>(update.epilogue);
  LayerArguments layer{};
  layer.in = static_cast<int>(forward.a.cols);
  layer.out = static_cast<int>(forward.c.cols);
  layer.in_ld = static_cast<int>(forward.a.ld);
  layer.out_ld = static_cast<int>(forward.c.ld);
  layer.input = const_cast<void*>(update.b.data);
  layer.output = forward.c.data;
  layer.output_gradient = const_cast<void*>(update.a.data);
  layer.weight = adam.weight;
  layer.working_weight = adam.working_weight;
  layer.bias = adam.bias;
  if (adam.keep_gradient) {
    layer.weight_gradient = update.c.floats();
    layer.bias_gradient = adam.bias_gradient;
  }
  return layer;
}

NetworkArguments network_arguments(const NetworkStep& step, CudaStream& stream) {
  const auto& loss = std::get<SquaredErrorLoss>(step.forward.back().epilogue);
  const double values =
      static_cast<double>(loss.global_batch) * static_cast<double>(step.forward.back().c.cols);
  NetworkArguments net{};
  net.layers = static_cast<int>(step.forward.size());
  for (std::size_t l = 0; l < step.forward.size(); ++l) {
    net.layer[l] = layer_arguments(step.forward[l], step.updates[l]);
  }
  net.rows = static_cast<int>(step.batch.rows);
  net.source = step.source;
  net.target = step.target.floats();
  net.target_ld = static_cast<int>(step.target.ld);
  net.mask = mask_of(std::get<BiasReluDropout>(step.forward.front().epilogue).dropout);
  net.state = step.state;
  net.notes = step.notes;
  net.adam = step.adam;
  net.gradient_scale = static_cast<float>(2.0 / values);
  net.loss_scale = 1.0 / values;
  net.losses = loss.losses.data();
  net.loss_slots = static_cast<std::uint32_t>(loss.losses.size());
  net.step_ends = step.step_ends;
  net.loss_parts = static_cast<double*>(stream.reduction_scratch().parts);
  return net;
}

LaterLayersPlan plan_later_layers(const NetworkArguments& net, int rows_a_block, int multiprocessors) {
  LaterLayersPlan plan{};
  Places places;
  plan.rows_a_block = rows_a_block;
  plan.blocks = std::min((net.rows + rows_a_block - 1) / rows_a_block, multiprocessors - 1);
  for (int l = 1; l < net.layers; ++l) {
    plan.weight_at[l] = places.take(net.layer[l].out * net.layer[l].in_ld);
    plan.bias_at[l] = places.take(net.layer[l].out_ld);
  }
  for (int l = 1; l < net.layers; ++l) plan.values_at[l] = places.take(rows_a_block * net.layer[l].in_ld);
  const int output_ld = net.layer[net.layers - 1].out_ld;
  plan.values_at[net.layers] = places.take(rows_a_block * output_ld);
  plan.values_end = places.taken();
  for (int l = 1; l + 1 < net.layers; ++l) {
    plan.factors_at[l] = places.take(rows_a_block * net.layer[l].out_ld);
  }
  plan.target_at = places.take(rows_a_block * net.target_ld);
  plan.sums_at = places.take(rows_a_block * 4 * later_threads);
  plan.floats = places.taken();
  return plan;
}

// The shared memory of a block.
int most_shared_bytes() {
  int bytes = 0;
  int gpu = 0;
  CUDA_CALL(cudaGetDevice(&gpu));
  CUDA_CALL(cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, gpu));
  return bytes;
}

// One row per block has the lowest latency. Two rows share each weight that is read, and need fewer
// multiprocessors.
std::optional<LaterLayersPlan> choose_later_layers(const NetworkArguments& net, int multiprocessors) {
  const int shared_bytes = most_shared_bytes();
  const auto fits = [&](const LaterLayersPlan& plan) {
    return plan.floats * static_cast<int>(sizeof(float)) <= shared_bytes;
  };
  const LaterLayersPlan two = plan_later_layers(net, 2, multiprocessors);
  if (net.rows > multiprocessors / 3 && fits(two)) return two;
  const LaterLayersPlan one = plan_later_layers(net, 1, multiprocessors);
  if (fits(one)) return one;
  return std::nullopt;
}

// False if the network does not fit.
bool take_resident_steps(const NetworkStep& step, const NetworkArguments& net, int compute_capability,
                         CudaStream& stream) {
  if (compute_capability != 90 || step.forward.front().precision != Precision::fp32) return false;
  const std::optional<ResidentPlan> plan = plan_resident(net, most_shared_bytes());
  if (!plan || !can_launch_resident(*plan)) return false;
  for (std::uint32_t done = 0; done < step.steps; done += resident_most_steps) {
    const int steps = std::min(static_cast<int>(step.steps - done), resident_most_steps);
    launch_resident({net, *plan, steps}, stream);
  }
  return true;
}

bool take_steps_of_three_launches(const NetworkStep& step, NetworkArguments net, int multiprocessors,
                                  CudaStream& stream) {
  auto* const exchange = dynamic_cast<CudaStepExchange*>(step.exchange);
  if (step.exchange != nullptr && (exchange == nullptr || !exchange->can_update(net))) return false;
  const Precision precision = step.forward.front().precision;
  const NetworkLaunch launch{net, precision, multiprocessors, stream};
  const auto clusters = stream.launches_early() ? plan_clusters(launch) : std::nullopt;
  const bool has_later_layers = !clusters && info_of(precision).dtype == Dtype::fp32;
  const auto rows = has_later_layers ? choose_later_layers(net, multiprocessors) : std::nullopt;
  if (!clusters && !rows) return false;
  net.loss_part_count =
      clusters ? clusters->loss_parts : ceil_div(net.rows, rows->rows_a_block) * later_warps;
  for (std::uint32_t done = 0; done < step.steps; ++done) {
    launch_first_layer(launch);
    clusters ? launch_cluster_layers(launch, *clusters) : launch_later_layers(launch, *rows);
    exchange != nullptr ? exchange->launch_update(launch, stream) : launch_update_layers(launch);
  }
  return true;
}

}  // namespace

bool CudaDevice::network_step(const NetworkStep& step, Stream& stream) {
  if (!is_known_step(step) || !sizes_fit(step)) return false;
  auto& cuda = dynamic_cast<CudaStream&>(stream);
  const NetworkArguments net = network_arguments(step, cuda);
  const bool is_resident =
      step.exchange == nullptr && take_resident_steps(step, net, info_.compute_capability, cuda);
  return is_resident || take_steps_of_three_launches(step, net, info_.multiprocessors, cuda);
}

}  // namespace breakeven
