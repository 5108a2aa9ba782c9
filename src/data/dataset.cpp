// SPDX-License-Identifier: Apache-2.0
#include "src/data/dataset.h"

#include <bit>

#include "src/core/fnv1a.h"

namespace breakeven::data {

std::uint64_t checksum_of(const DatasetFile& data) {
  Fnv1a sum;
  for (const SampleTable* table : {&data.training, &data.test}) {
    for (const std::vector<float>* values : {&table->features, &table->targets}) {
      for (const float value : *values) sum.add_word(std::bit_cast<std::uint32_t>(value));
      sum.add_word(values->size());
    }
  }
  return sum.value();
}
namespace {

struct Views {
  Matrix features;
  Matrix targets;
};

Views lay_out(float* memory, std::uint32_t samples, std::uint32_t inputs, std::uint32_t target_width) {
  const Matrix features{memory, samples, inputs, padded_width(inputs)};
  return {features,
          {memory + features.rows * features.ld, samples, target_width, padded_width(target_width)}};
}

}  // namespace

std::size_t Dataset::bytes_of(std::uint32_t samples, std::uint32_t inputs, std::uint32_t target_width) {
  const auto floats = static_cast<std::size_t>(padded_width(inputs) + padded_width(target_width));
  return samples * floats * sizeof(float);
}

Dataset::Dataset(Device& device, const ModelShape& shape, std::uint32_t samples, std::uint64_t seed,
                 DataPlacement place)
    : place_(place) {
  const std::size_t bytes = bytes_of(samples, shape.inputs(), shape.outputs());
  Device* filler = &device;
  if (place == DataPlacement::streamed) {
    host_ = make_host_device();
    filler = host_.get();
    host_memory_ = Buffer(*host_, bytes, false, "synthetic data set");
  } else {
    device_memory_ = Buffer(device, bytes, false, "synthetic data set");
  }
  float* memory = place == DataPlacement::streamed ? host_memory_.as<>() : device_memory_.as<>();
  const Views views = lay_out(memory, samples, shape.inputs(), shape.outputs());
  const std::unique_ptr<Stream> stream = filler->make_stream();
  filler->fill_synthetic(seed, views.features, views.targets, *stream);
  stream->synchronize();
  features_ = views.features;
  targets_ = views.targets;
}

Dataset::Dataset(Device& device, const SampleTable& table, DataPlacement place) : place_(place) {
  features_ = {table.features.data(), table.samples, table.inputs, padded_width(table.inputs)};
  targets_ = {table.targets.data(), table.samples, table.target_width, padded_width(table.target_width)};
  if (place == DataPlacement::streamed) return;
  device_memory_ =
      Buffer(device, bytes_of(table.samples, table.inputs, table.target_width), false, "data set");
  const Views views = lay_out(device_memory_.as<>(), table.samples, table.inputs, table.target_width);
  const std::unique_ptr<Stream> stream = device.make_stream();
  device.copy(views.features.data, table.features.data(), table.features.size() * sizeof(float), *stream);
  device.copy(views.targets.data, table.targets.data(), table.targets.size() * sizeof(float), *stream);
  stream->synchronize();
  features_ = views.features;
  targets_ = views.targets;
}

}  // namespace breakeven::data
