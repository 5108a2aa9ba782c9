// SPDX-License-Identifier: Apache-2.0
// SUMMA: van de Geijn and Watts, "SUMMA: scalable universal matrix multiplication algorithm", Concurrency:
// Practice and Experience 9(4), 1997. Each rank of a mesh owns a block of C. k is cut into panels. The
// columns of the mesh own the panels of A in turn, its rows those of B. Each panel is broadcast to the ranks
// that need it, and its product is added to C while the next panel is sent.
#include <algorithm>
#include <array>

#include "src/bench/matmul/matmul_form.h"

namespace breakeven::bench {
namespace {

class Summa final : public MatmulForm {
 public:
  explicit Summa(const FormSettings& settings)
      : MatmulForm(settings),
        mesh_(mesh_of(links().ranks)),
        rows_(piece_of(settings.problem->size(), mesh_.rows, mesh_.row_of(links().rank))),
        cols_(piece_of(settings.problem->size(), mesh_.cols, mesh_.col_of(links().rank))),
        panels_(std::max({settings.chunks, mesh_.rows, mesh_.cols})),
        transfers_(device().make_stream()),
        begun_(device().make_event()) {
    const std::int64_t widest = panel(0).count;
    for (Matrix& room : a_room_) room = make_room(rows_.count, widest);
    for (Matrix& room : b_room_) room = make_room(cols_.count, widest);
    c_ = make_room(rows_.count, cols_.count);
    term_ = make_room(rows_.count, cols_.count, Dtype::fp32, Memory::device);
    sum_ = c_.dtype == Dtype::fp32 ? c_ : make_room(rows_.count, cols_.count, Dtype::fp32, Memory::device);
    for (int number = 0; number < panels_; ++number) {
      arrived_.push_back(device().make_event());
      computed_.push_back(device().make_event());
      own_a_.push_back(owns_a(number) ? pack(whole().a, rows_, panel(number)) : Matrix{});
      own_b_.push_back(owns_b(number) ? pack(whole().b, cols_, panel(number)) : Matrix{});
    }
  }

  void multiply(PartMarks& marks, Stream& stream) override {
    marks.begin(stream);
    begun_->record(stream);
    transfers_->wait_for(*begun_);
    fetch(0);
    for (int number = 0; number < panels_; ++number) {
      add_panel(number, marks, stream);
      if (number + 1 < panels_) fetch(number + 1);
    }
    if (c_.dtype != Dtype::fp32) {
      device().convert(bytes_in(sum_) / sizeof(float), sum_.floats(), c_.data, c_.dtype, stream);
      marks.end_of(Part::compute, stream);
    }
  }

  ResultBlock result() const override { return {c_, rows_.first, cols_.first}; }

 private:
  Piece panel(int number) const { return piece_of(settings().problem->size(), panels_, number); }
  bool owns_a(int number) const { return number % mesh_.cols == mesh_.col_of(links().rank); }
  bool owns_b(int number) const { return number % mesh_.rows == mesh_.row_of(links().rank); }

  // Copies a panel to memory of its own, because a broadcast needs contiguous memory.
  Matrix pack(const ConstMatrix& from, const Piece& rows, const Piece& cols) {
    Matrix packed{nullptr, rows.count, cols.count, padded_width(cols.count), from.dtype};
    owned_.emplace_back(device(), bytes_in(packed), false, "a panel of an operand");
    packed.data = owned_.back().as<char>();
    const auto stream = device().make_stream();
    const std::int64_t size = bytes_of(from.dtype);
    for (std::int64_t row = 0; row < rows.count; ++row) {
      device().copy(packed.as<char>() + row * packed.ld * size,
                    from.as<char>() + ((rows.first + row) * from.ld + cols.first) * size,
                    static_cast<std::size_t>(cols.count * size), *stream);
    }
    stream->synchronize();
    return packed;
  }

  // Memory for a panel of another rank; that of the panel before the last is free again.
  static Matrix room_for(const std::array<Matrix, 2>& room, int number, std::int64_t width) {
    Matrix view = room[static_cast<std::size_t>(number % 2)];
    view.cols = width;
    view.ld = padded_width(width);
    return view;
  }
  Matrix a_panel(int number) const {
    return owns_a(number) ? own_a_[static_cast<std::size_t>(number)]
                          : room_for(a_room_, number, panel(number).count);
  }
  Matrix b_panel(int number) const {
    return owns_b(number) ? own_b_[static_cast<std::size_t>(number)]
                          : room_for(b_room_, number, panel(number).count);
  }

  // In a row of the mesh a rank's number is its column; in a column it is its row.
  void fetch(int number) {
    if (number >= 2) transfers_->wait_for(*computed_[static_cast<std::size_t>(number - 2)]);
    const Matrix a = a_panel(number);
    const Matrix b = b_panel(number);
    if (links().mesh_row != nullptr && floats_in(a) > 0)
      links().mesh_row->broadcast(a.floats(), floats_in(a), number % mesh_.cols, *transfers_);
    if (links().mesh_col != nullptr && floats_in(b) > 0)
      links().mesh_col->broadcast(b.floats(), floats_in(b), number % mesh_.rows, *transfers_);
    arrived_[static_cast<std::size_t>(number)]->record(*transfers_);
  }

  void add_panel(int number, PartMarks& marks, Stream& stream) {
    stream.wait_for(*arrived_[static_cast<std::size_t>(number)]);
    marks.end_of(Part::send, stream);
    if (panel(number).count > 0) {
      const Matrix& term = number == 0 ? sum_ : term_;
      gemm(a_panel(number), b_panel(number), term, stream);
      if (number > 0) device().add(floats_in(term_), term_.floats(), sum_.floats(), stream);
    }
    marks.end_of(Part::compute, stream);
    computed_[static_cast<std::size_t>(number)]->record(stream);
  }

  Mesh mesh_;
  Piece rows_, cols_;  // of this rank's block of C
  int panels_;         // at least one for every row and column of the mesh
  std::unique_ptr<Stream> transfers_;
  std::unique_ptr<Event> begun_;
  std::vector<std::unique_ptr<Event>> arrived_, computed_;  // by panel, as the next two
  std::vector<Matrix> own_a_, own_b_;
  std::vector<Buffer> owned_;              // operands, which clear() keeps
  std::array<Matrix, 2> a_room_, b_room_;  // one is filled while the other is multiplied
  Matrix sum_, term_;                      // fp32
  Matrix c_;
};

}  // namespace

std::unique_ptr<MatmulForm> make_summa_form(const FormSettings& settings) {
  return std::make_unique<Summa>(settings);
}

}  // namespace breakeven::bench
