// SPDX-License-Identifier: Apache-2.0
// The whole product on one device.
#include "src/bench/matmul/matmul_form.h"

namespace breakeven {
namespace {

class Single final : public MatmulForm {
 public:
  using MatmulForm::MatmulForm;

  void multiply(PartMarks& marks, Stream& stream) override {
    marks.begin(stream);
    device().gemm(whole(), stream);
    marks.end_of(Part::compute, stream);
  }

  ResultBlock result() const override { return {whole().c}; }
};

}  // namespace

std::unique_ptr<MatmulForm> make_single_form(const FormSettings& settings) {
  return std::make_unique<Single>(settings);
}

}  // namespace breakeven
