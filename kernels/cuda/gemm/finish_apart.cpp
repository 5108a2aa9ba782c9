// SPDX-License-Identifier: Apache-2.0
// The epilogues of kernels without fusion, as separate passes over C.
#include "kernels/cuda/cuda_device.h"

namespace breakeven {
namespace {

struct FinishApart {
  CudaDevice& device;
  const Product& p;
  Stream& stream;

  void operator()(const StoreProduct&) const {}
  void operator()(const AddBias& e) const { device.add_bias(e.bias, p.c, stream); }
  void operator()(const BiasReluDropout& e) const {
    device.bias_relu_dropout(e.bias, e.dropout, e.state, p.c, stream);
  }
  void operator()(const SquaredErrorLoss& e) const {
    device.add_bias(e.bias, p.c, stream);
    device.mean_squared_error(p.c, e.target, e.global_batch, e.state, p.c, e.losses, stream);
  }
  void operator()(const ReluDropoutBackward& e) const {
    device.relu_dropout_backward(e.h, e.rate, e.state, p.c, stream);
  }
  void operator()(const WeightGradient& e) const {
    if (info_of(p.precision).scales_loss) device.remove_loss_scale(e.state, p.c, stream);
    device.bias_gradient(p.a, e.state, e.bias_gradient, stream);
  }
  void operator()(const AdamUpdate& e) const {
    (*this)(WeightGradient{e.bias_gradient, e.state});
    const auto floats = static_cast<std::size_t>((p.c.rows - 1) * p.c.ld + p.c.cols);
    device.adam(floats, p.c.floats(), e.settings, e.state, e.weight, e.working_weight, p.a.dtype, stream);
    device.adam(static_cast<std::size_t>(p.c.rows), e.bias_gradient, e.settings, e.state, e.bias, nullptr,
                Dtype::fp32, stream);
  }
};

}  // namespace

void CudaDevice::finish_apart(const Product& product, CudaStream& stream) {
  std::visit(FinishApart{*this, product, stream}, product.epilogue);
}

}  // namespace breakeven
