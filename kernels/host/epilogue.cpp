// SPDX-License-Identifier: Apache-2.0
#include "kernels/host/epilogue.h"

#include "kernels/host/rows.h"

namespace breakeven {
namespace {

// Calls the flat optimizer row by row, because the padding between rows must not change.
AdamArrays arrays_from(const AdamArrays& arrays, std::int64_t place) {
  return {arrays.parameter + place, arrays.first_moment + place, arrays.second_moment + place};
}

struct Finish {
  const Product& p;
  const Matrix& sums;
  Device& device;
  Stream& stream;

  void operator()(const StoreProduct&) const { store(); }

  void operator()(const AddBias& e) const {
    device.add_bias(e.bias, sums, stream);
    store();
  }

  void operator()(const BiasReluDropout& e) const {
    device.bias_relu_dropout(e.bias, e.dropout, e.state, sums, stream);
    store(e.state);
  }

  void operator()(const SquaredErrorLoss& e) const {
    device.add_bias(e.bias, sums, stream);
    device.mean_squared_error(sums, e.target, e.global_batch, e.state, sums, e.losses, stream);
    store(e.state);
  }

  void operator()(const ReluDropoutBackward& e) const {
    device.relu_dropout_backward(e.h, e.rate, e.state, sums, stream);
    store(e.state);
  }

  void operator()(const WeightGradient& e) const {
    device.remove_loss_scale(e.state, sums, stream);
    device.bias_gradient(p.a, e.state, e.bias_gradient, stream);
  }

  void operator()(const AdamUpdate& e) const {
    (*this)(WeightGradient{e.bias_gradient, e.state});
    const Dtype dtype = info_of(p.precision).dtype;
    const auto units = static_cast<std::size_t>(sums.cols);
    for (std::int64_t row = 0; row < sums.rows; ++row) {
      const std::int64_t place = row * sums.ld;
      void* working = e.working_weight == nullptr
                          ? nullptr
                          : static_cast<char*>(e.working_weight) + place * bytes_of(dtype);
      device.adam(units, sums.floats() + place, e.settings, e.state, arrays_from(e.weight, place), working,
                  dtype, stream);
    }
    device.adam(static_cast<std::size_t>(sums.rows), e.bias_gradient, e.settings, e.state, e.bias, nullptr,
                Dtype::fp32, stream);
  }

  // With a state, sets its overflow if a stored value is not finite.
  void store(StepState* state = nullptr) const {
    for (std::int64_t row = 0; row < sums.rows; ++row) {
      store_row(sums.floats() + row * sums.ld, p.c, row);
      if (state != nullptr) tell_overflow(p.c, row, *state);
    }
  }
};

}  // namespace

void apply_epilogue(const Product& product, const Matrix& sums, Device& device, Stream& stream) {
  std::visit(Finish{product, sums, device, stream}, product.epilogue);
}

}  // namespace breakeven
