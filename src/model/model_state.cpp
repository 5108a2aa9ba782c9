// SPDX-License-Identifier: Apache-2.0
#include "src/model/model_state.h"

#include <cmath>

namespace breakeven {
namespace {

// fp16's first loss scale, and how long it must hold before it doubles: the values that have become usual
// since Micikevicius et al. (step_state.h).
constexpr float first_loss_scale = 65536;
constexpr std::uint32_t growth_interval = 2000;

StepState first_step(Precision precision) {
  StepState start;
  if (precision == Precision::fp16) {
    start.loss_scale = first_loss_scale;
    start.growth_interval = growth_interval;
  }
  return start;
}

}  // namespace

MemoryNeed ModelState::memory_need(const ReplicaSettings& settings) {
  const std::size_t floats = ParameterLayout(settings.shape).floats();
  const Element element = settings.element();
  MemoryNeed need;
  need.parameters = floats * sizeof(float) + sizeof(StepState);
  if (element != Element::fp32) need.working_copy = floats * static_cast<std::size_t>(bytes_of(element));
  need.gradients = floats * sizeof(float);
  if (settings.optimizer == OptimizerKind::adam) need.moments = 2 * floats * sizeof(float);
  return need;
}

ModelState::ModelState(Device& device, const ReplicaSettings& settings, Stream& stream)
    : device_(device),
      settings_(settings),
      layout_(settings.shape),
      parameters_(device, memory_need(settings).parameters, false, "parameters"),
      gradients_(device, memory_need(settings).gradients, false, "gradients") {
  const MemoryNeed need = memory_need(settings);
  if (need.moments > 0) {
    first_moment_ = Buffer(device, need.moments / 2, false, "first moment");
    second_moment_ = Buffer(device, need.moments / 2, false, "second moment");
  }
  const StepState start = first_step(settings.precision);
  device.copy(step_state(), &start, sizeof start, stream);
  stream.synchronize();  // `start` lives on this stack
  for (std::size_t l = 0; l < settings.shape.layers(); ++l) {
    // He et al., "Delving Deep into Rectifiers", ICCV 2015, section 2.2: variance 2 / inputs; biases start at
    // 0.
    const float bound = std::sqrt(6.0f / static_cast<float>(settings.shape.widths[l]));
    device.fill_uniform(settings.seed, static_cast<std::uint32_t>(l), bound,
                        layout_.weight(parameters_.as<>(), l), stream);
  }
  if (need.working_copy > 0) {
    working_ = Buffer(device, need.working_copy, false, "working copy of the parameters");
  }
  take_parameters(stream);
}

ConstMatrix ModelState::weight(std::size_t layer) const {
  const Element element = settings_.element();
  if (element == Element::fp32) return layout_.weight(parameters_.as<>(), layer);
  const Matrix place = layout_.weight(nullptr, layer);
  auto* at =
      working_.as<std::byte>() + layout_.weight_offset(layer) * static_cast<std::size_t>(bytes_of(element));
  return {at, place.rows, place.cols, place.ld, element};
}

AdamUpdate ModelState::adam_update(std::size_t layer) const {
  const auto arrays_at = [&](std::size_t offset) {
    return AdamArrays{parameters_.as<>() + offset, first_moment_.as<>() + offset,
                      second_moment_.as<>() + offset};
  };
  void* working = settings_.element() == Element::fp32 ? nullptr : const_cast<void*>(weight(layer).data);
  return {settings_.adam,
          step_state(),
          arrays_at(layout_.weight_offset(layer)),
          working,
          arrays_at(layout_.bias_offset(layer)),
          bias_gradient(layer),
          settings_.keep_gradients};
}

void ModelState::update(Stream& stream) {
  void* working = working_.as<void>();
  const Element element = settings_.element();
  // Another rank's part of the gradient may have overflowed.
  if (settings_.precision == Precision::fp16) {
    device_.find_overflow(layout_.floats(), gradients_.as<>(), step_state(), stream);
  }
  if (settings_.optimizer == OptimizerKind::adam) {
    device_.adam(layout_.floats(), gradients_.as<>(), settings_.adam, step_state(),
                 {parameters_.as<>(), first_moment_.as<>(), second_moment_.as<>()}, working, element, stream);
  } else {
    device_.sgd(layout_.floats(), gradients_.as<>(), settings_.adam.learning_rate, step_state(),
                parameters_.as<>(), working, element, stream);
  }
  end_step(stream);
}

void ModelState::take_parameters(Stream& stream) {
  if (settings_.element() == Element::fp32) return;
  device_.convert(layout_.floats(), parameters_.as<>(), working_.as<void>(), settings_.element(), stream);
}

void ModelState::end_step(Stream& stream) { device_.advance_step(settings_.adam, step_state(), stream); }

}  // namespace breakeven
