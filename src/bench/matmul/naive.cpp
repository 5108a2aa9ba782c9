// SPDX-License-Identifier: Apache-2.0
// The simplest program: the root cuts the operands, sends every piece through host memory, one after another,
// and nothing overlaps. The root's own rows stay where they are.
#include "src/bench/matmul/matmul_form.h"

namespace breakeven::bench {
namespace {

class Naive final : public RootedForm {
 public:
  explicit Naive(const FormSettings& settings) : RootedForm(settings) {
    if (links().is_root()) away_ = {my_rows().count, a_.rows - my_rows().count};
    if (links().ranks == 1) return;
    const std::int64_t rows = links().is_root() ? away_.count : my_rows().count;
    host_a_ = make_room(rows, a_.cols, Memory::pinned);
    host_b_ = make_room(b_.rows, b_.cols, Memory::pinned);
    host_c_ = make_room(rows, c_.cols, Memory::pinned);
  }

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
    if (links().ranks > 1) {
      device().copy(host_a_.data, rows_of(a_, away_).data, bytes_in(host_a_), stream);
      device().copy(host_b_.data, b_.data, bytes_in(host_b_), stream);
      marks.end_of(Part::split, stream);
    }
    for (int rank = 1; rank < links().ranks; ++rank) {
      const Matrix rows = rows_of(host_a_, rows_at_host(rank));
      links().host->send(rows.floats(), floats_in(rows), rank, stream);
      links().host->send(host_b_.floats(), floats_in(host_b_), rank, stream);
    }
    marks.end_of(Part::send, stream);
    gemm(rows_of(a_, my_rows()), b_, rows_of(c_, my_rows()), stream);
    marks.end_of(Part::compute, stream);
    for (int rank = 1; rank < links().ranks; ++rank) {
      const Matrix rows = rows_of(host_c_, rows_at_host(rank));
      links().host->receive(rows.floats(), floats_in(rows), rank, stream);
    }
    if (links().ranks > 1) device().copy(rows_of(c_, away_).data, host_c_.data, bytes_in(host_c_), stream);
    marks.end_of(Part::collect, stream);
  }

  void multiply_elsewhere(PartMarks& marks, Stream& stream) {
    links().host->receive(host_a_.floats(), floats_in(host_a_), 0, stream);
    links().host->receive(host_b_.floats(), floats_in(host_b_), 0, stream);
    device().copy(received_a_.data, host_a_.data, bytes_in(host_a_), stream);
    device().copy(received_b_.data, host_b_.data, bytes_in(host_b_), stream);
    marks.end_of(Part::send, stream);
    gemm(a_, b_, c_, stream);
    marks.end_of(Part::compute, stream);
    device().copy(host_c_.data, c_.data, bytes_in(host_c_), stream);
    links().host->send(host_c_.floats(), floats_in(host_c_), 0, stream);
    marks.end_of(Part::collect, stream);
  }

  // The root's host memory starts with the first row that is sent.
  Piece rows_at_host(int rank) const {
    const Piece rows = rows_of_rank(rank);
    return {rows.first - away_.first, rows.count};
  }

  Matrix host_a_, host_b_, host_c_;
  Piece away_;  // at the root: the rows of all other ranks
};

}  // namespace

std::unique_ptr<MatmulForm> make_naive_form(const FormSettings& settings) {
  return std::make_unique<Naive>(settings);
}

}  // namespace breakeven::bench
