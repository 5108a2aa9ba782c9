// SPDX-License-Identifier: Apache-2.0
// The table of forms, and what they share.
#include "src/bench/matmul/matmul_form.h"

#include <array>

namespace breakeven::bench {
namespace {

constexpr FormInfo single{.name = "single",
                          .counted = Counted::root_to_root,
                          .begins = "A and B on the root",
                          .ends = "C on the root",
                          .how = "one product on the root; nothing is sent",
                          .make = make_resident_form};

constexpr std::array table{
    FormInfo{.name = "naive",
             .counted = Counted::root_to_root,
             .begins = "A and B on the root",
             .ends = "C on the root",
             .how =
                 "the root copies its matrices to host memory and sends every rank its rows of A and all of "
                 "B, one rank after another; the products come back the same way",
             .make = make_naive_form},
    FormInfo{.name = "overlapped",
             .counted = Counted::root_to_root,
             .begins = "A and B on the root",
             .ends = "C on the root",
             .how = "B is broadcast once; each rank's rows of A are sent in chunks, and sending, computing "
                    "and returning chunks overlap; all data go through host memory",
             .make = make_overlapped_form},
    FormInfo{.name = "resident",
             .counted = Counted::in_place,
             .begins = "rows of A and all of B on each rank",
             .ends = "rows of C on each rank",
             .how = "computation only: neither distributing the operands nor collecting the product is timed",
             .make = make_resident_form},
    FormInfo{.name = "library",
             .counted = Counted::root_to_root,
             .begins = "A and B on the root",
             .ends = "C on the root",
             .how = "like naive, but data go from device to device (over NCCL where available), and the "
                    "vendor's library multiplies",
             .by_library = true,
             .make = make_library_form},
    FormInfo{.name = "summa",
             .counted = Counted::in_place,
             .begins = "panels of A and B, distributed over a mesh of ranks",
             .ends = "a block of C on each rank",
             .how = "panels of A are broadcast along the rows of the mesh and panels of B along its columns, "
                    "while the previous panels are multiplied and added up",
             .make = make_summa_form},
};

}  // namespace

void MatmulForm::clear(Stream& stream) {
  for (const Buffer& buffer : room_) device().fill_zero(buffer.as<char>(), buffer.bytes(), stream);
  const Matrix c = result().c;  // may belong to the problem
  device().fill_zero(c.data, bytes_in(c), stream);
}

Matrix MatmulForm::make_room(std::int64_t rows, std::int64_t cols, Memory memory) {
  return make_room(rows, cols, info_of(settings_.problem->precision()).dtype, memory);
}

Matrix MatmulForm::make_room(std::int64_t rows, std::int64_t cols, Dtype dtype, Memory memory) {
  Matrix matrix{nullptr, rows, cols, padded_width(cols), dtype};
  const bool pinned = memory == Memory::pinned;
  room_.emplace_back(device(), bytes_in(matrix), pinned, "a piece of a product");
  matrix.data = room_.back().as<char>();
  return matrix;
}

RootedForm::RootedForm(const FormSettings& settings)
    : MatmulForm(settings), a_(whole().a), b_(whole().b), c_(whole().c) {
  if (links().is_root()) return;
  a_ = received_a_ = make_room(my_rows().count, a_.cols);
  b_ = received_b_ = make_room(b_.rows, b_.cols);
  c_ = make_room(my_rows().count, c_.cols);
}

void MatmulForm::gemm(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c, Stream& stream) {
  if (c.rows == 0 || c.cols == 0) return;
  Product product = whole();
  product.a = a;
  product.b = b;
  product.c = c;
  device().gemm(product, stream);
}

const FormInfo& single_form() { return single; }

std::span<const FormInfo> matmul_forms() { return table; }

std::string_view word_of(Counted counted) {
  return counted == Counted::in_place ? "in_place" : "root_to_root";
}

}  // namespace breakeven::bench
