// SPDX-License-Identifier: Apache-2.0
// Computation only: the operands are already where they are needed, and the product stays where it is made.
// No form that splits the rows can be faster. On one device it is the form `single`.
#include "src/bench/matmul/matmul_form.h"

namespace breakeven::bench {
namespace {

class Resident final : public MatmulForm {
 public:
  using MatmulForm::MatmulForm;

  void multiply(PartMarks& marks, Stream& stream) override {
    const Product all = whole();
    marks.begin(stream);
    gemm(rows_of(all.a, my_rows()), all.b, rows_of(all.c, my_rows()), stream);
    marks.end_of(Part::compute, stream);
  }

  ResultBlock result() const override { return {rows_of(whole().c, my_rows()), my_rows().first}; }
};

}  // namespace

std::unique_ptr<MatmulForm> make_resident_form(const FormSettings& settings) {
  return std::make_unique<Resident>(settings);
}

}  // namespace breakeven::bench
