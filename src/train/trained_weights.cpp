// SPDX-License-Identifier: Apache-2.0
#include "src/train/trained_weights.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "src/core/fnv1a.h"

namespace breakeven::train {
namespace {

// The class with the largest output, or -1 where one of them is NaN.
std::int64_t best_class(const float* outputs, std::int64_t classes) {
  const float* end = outputs + classes;
  if (std::any_of(outputs, end, [](float value) { return std::isnan(value); })) return -1;
  return std::max_element(outputs, end) - outputs;
}

// Over 32-bit words.
class WeightsHash {
 public:
  WeightsHash(Device& device, Stream& stream) : device_(device), stream_(stream) {}

  void add(const void* words, std::size_t bytes) {
    const auto* const first = static_cast<const std::uint32_t*>(words);
    for (const std::uint32_t word : download(device_, std::span(first, bytes / sizeof *first), stream_))
      hash_.add_word(word);
  }
  // The highest 53 bits, which depend on every word; a double holds them exactly.
  double value() const { return static_cast<double>(hash_.value() >> 11); }

 private:
  Device& device_;
  Stream& stream_;
  Fnv1a hash_;
};

}  // namespace

double test_accuracy(const data::DatasetFile& file, Training& training, Device& device) {
  const data::SampleTable& test = file.test;
  if (test.samples == 0 || file.loss != LossKind::softmax_cross_entropy) {
    return std::numeric_limits<double>::quiet_NaN();
  }
  Stream& stream = training.stream();
  const std::unique_ptr<model::Mlp> gathered = training.gather_whole_mlp();
  model::Mlp& mlp = gathered != nullptr ? *gathered : training.mlp();
  const Matrix input = mlp.input();
  const auto floats = static_cast<std::size_t>(input.rows * input.ld);
  const Buffer staging(device, floats * sizeof(float), false, "test samples");
  const std::int64_t target_ld = padded_width(test.target_width);
  std::vector<float> outputs;
  std::uint32_t right = 0;
  for (std::int64_t first = 0; first < test.samples; first += input.rows) {
    const std::int64_t rows = std::min<std::int64_t>(input.rows, test.samples - first);
    device.copy(staging.as<>(), test.features.data() + first * input.ld,
                static_cast<std::size_t>(rows * input.ld) * sizeof(float), stream);
    device.convert(floats, staging.as<>(), input.data, input.dtype, stream);
    const ConstMatrix y = gathered != nullptr ? gathered->predict(model::Mlp::no_hook, stream)
                                              : training.strategy().predict(mlp, stream);
    outputs.resize(static_cast<std::size_t>(y.rows * y.ld));
    device.copy(outputs.data(), y.data, outputs.size() * sizeof(float), stream);
    stream.synchronize();
    for (std::int64_t row = 0; row < rows; ++row) {
      const auto target =
          static_cast<std::int64_t>(test.targets[static_cast<std::size_t>((first + row) * target_ld)]);
      right += best_class(outputs.data() + row * y.ld, y.cols) == target ? 1 : 0;
    }
  }
  return static_cast<double>(right) / test.samples;
}

double weights_checksum(Training& training, Device& device) {
  const MlpSettings& settings = training.mlp().settings();
  if (settings.shards(Sharded::parameters)) return std::numeric_limits<double>::quiet_NaN();
  const model::ModelState& state = training.mlp().state();
  WeightsHash sum(device, training.stream());
  for (std::size_t layer = 0; layer < settings.shape.layers(); ++layer) {
    const ConstMatrix weight = state.weight(layer);
    const auto elements = static_cast<std::size_t>(weight.rows * weight.ld);
    sum.add(weight.data, elements * settings.dtype_bytes());  // the padding is zero
    sum.add(state.bias(layer), state.layout().bias_floats(layer) * sizeof(float));
  }
  if (!settings.shards_masters()) sum.add(state.parameters().data(), state.parameters().size_bytes());
  return sum.value();
}

}  // namespace breakeven::train
