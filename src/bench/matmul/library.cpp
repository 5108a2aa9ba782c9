// SPDX-License-Identifier: Apache-2.0
// Like naive, with the vendor's libraries: its kernel multiplies, and the fastest transport of the launch
// sends the pieces from device to device.
#include "src/bench/matmul/matmul_form.h"

namespace breakeven::bench {
namespace {

class Library final : public RootedForm {
 public:
  using RootedForm::RootedForm;

  void multiply(PartMarks& marks, Stream& stream) override {
    marks.begin(stream);
    if (links().is_root()) {
      multiply_at_root(marks, stream);
    } else {
      multiply_elsewhere(marks, stream);
    }
  }

 private:
  void multiply_at_root(PartMarks& marks, Stream& stream) {
    for (int rank = 1; rank < links().ranks; ++rank) {
      const ConstMatrix rows = rows_of(a_, rows_of_rank(rank));
      if (rows.rows > 0) links().device->send(rows.floats(), floats_in(rows), rank, stream);
    }
    if (links().ranks > 1) {
      // The root only reads.
      links().device->broadcast(const_cast<float*>(b_.floats()), floats_in(b_), 0, stream);
    }
    marks.end_of(Part::send, stream);
    gemm(rows_of(a_, my_rows()), b_, rows_of(c_, my_rows()), stream);
    marks.end_of(Part::compute, stream);
    for (int rank = 1; rank < links().ranks; ++rank) {
      const Matrix rows = rows_of(c_, rows_of_rank(rank));
      if (rows.rows > 0) links().device->receive(rows.floats(), floats_in(rows), rank, stream);
    }
    marks.end_of(Part::collect, stream);
  }

  void multiply_elsewhere(PartMarks& marks, Stream& stream) {
    if (a_.rows > 0) links().device->receive(received_a_.floats(), floats_in(a_), 0, stream);
    links().device->broadcast(received_b_.floats(), floats_in(b_), 0, stream);
    marks.end_of(Part::send, stream);
    gemm(a_, b_, c_, stream);
    marks.end_of(Part::compute, stream);
    if (c_.rows > 0) links().device->send(c_.floats(), floats_in(c_), 0, stream);
    marks.end_of(Part::collect, stream);
  }
};

}  // namespace

std::unique_ptr<MatmulForm> make_library_form(const FormSettings& settings) {
  return std::make_unique<Library>(settings);
}

}  // namespace breakeven::bench
