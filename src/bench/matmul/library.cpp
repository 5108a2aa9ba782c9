// SPDX-License-Identifier: Apache-2.0
// The vendor's libraries for both halves of the work: its kernel multiplies, and its transport carries the
// pieces straight from device to device.
#include "src/bench/matmul/matmul_form.h"

namespace breakeven {
namespace {

class Library final : public MatmulForm {
 public:
  explicit Library(const FormSettings& settings) : MatmulForm(settings) {
    if (links().is_root()) return;
    const Product all = whole();
    a_ = make_room(my_rows().count, all.a.cols);
    b_ = make_room(all.b.rows, all.b.cols);
    c_ = make_room(my_rows().count, all.c.cols);
  }

  void multiply(PartMarks& marks, Stream& stream) override {
    marks.begin(stream);
    if (links().is_root()) {
      multiply_at_root(marks, stream);
    } else {
      multiply_elsewhere(marks, stream);
    }
  }

  ResultBlock result() const override { return {links().is_root() ? whole().c : Matrix{}}; }

 private:
  void multiply_at_root(PartMarks& marks, Stream& stream) {
    const Product all = whole();
    for (int rank = 1; rank < links().ranks; ++rank) {
      const ConstMatrix rows = rows_of(all.a, rows_of_rank(rank));
      if (rows.rows > 0) links().device->send(rows.floats(), floats_in(rows), rank, stream);
    }
    if (links().ranks > 1) {
      // A broadcast only reads at its root.
      links().device->broadcast(const_cast<float*>(all.b.floats()), floats_in(all.b), 0, stream);
    }
    marks.end_of(Part::send, stream);
    gemm(rows_of(all.a, my_rows()), all.b, rows_of(all.c, my_rows()), stream);
    marks.end_of(Part::compute, stream);
    for (int rank = 1; rank < links().ranks; ++rank) {
      const Matrix rows = rows_of(all.c, rows_of_rank(rank));
      if (rows.rows > 0) links().device->receive(rows.floats(), floats_in(rows), rank, stream);
    }
    marks.end_of(Part::collect, stream);
  }

  void multiply_elsewhere(PartMarks& marks, Stream& stream) {
    if (a_.rows > 0) links().device->receive(a_.floats(), floats_in(a_), 0, stream);
    links().device->broadcast(b_.floats(), floats_in(b_), 0, stream);
    marks.end_of(Part::send, stream);
    gemm(a_, b_, c_, stream);
    marks.end_of(Part::compute, stream);
    if (c_.rows > 0) links().device->send(c_.floats(), floats_in(c_), 0, stream);
    marks.end_of(Part::collect, stream);
  }

  Matrix a_, b_, c_;  // on the other ranks
};

}  // namespace

std::unique_ptr<MatmulForm> make_library_form(const FormSettings& settings) {
  return std::make_unique<Library>(settings);
}

}  // namespace breakeven
