// SPDX-License-Identifier: Apache-2.0
// The root broadcasts B once. Then, chunk by chunk, a second stream sends rows of A and returns rows of C
// while the first one multiplies. All data go through host memory.
#include "src/bench/matmul/matmul_form.h"

namespace breakeven::bench {
namespace {

class Overlapped final : public RootedForm {
 public:
  explicit Overlapped(const FormSettings& settings)
      : RootedForm(settings), transfers_(device().make_stream()), border_(device().make_event()) {
    for (int chunk = 0; chunk < settings.chunks; ++chunk) {
      arrived_.push_back(device().make_event());
      computed_.push_back(device().make_event());
    }
  }

  void multiply(PartMarks& marks, Stream& stream) override {
    marks.begin(stream);
    border_->record(stream);
    transfers_->wait_for(*border_);
    if (links().ranks > 1) broadcast_b();
    for (int chunk = 0; chunk < settings().chunks; ++chunk) {
      if (links().is_root()) {
        send_rows(chunk);
      } else {
        receive_rows(chunk);
      }
      compute(chunk, marks, stream);
      if (chunk > 0) collect(chunk - 1);
    }
    collect(settings().chunks - 1);
    border_->record(*transfers_);
    stream.wait_for(*border_);
    marks.end_of(Part::collect, stream);
  }

 private:
  // Within the rows that this rank holds: all rows at the root, its own elsewhere.
  Piece chunk_of(int rank, int chunk) const {
    const Piece rows = piece_of(rows_of_rank(rank), settings().chunks, chunk);
    return {links().is_root() ? rows.first : rows.first - my_rows().first, rows.count};
  }

  void broadcast_b() {
    float* const b = links().is_root() ? const_cast<float*>(b_.floats()) : received_b_.floats();
    links().bridge->broadcast(b, floats_in(b_), 0, *transfers_);  // the root only reads
  }

  void send_rows(int chunk) {
    for (int rank = 1; rank < links().ranks; ++rank) {
      const ConstMatrix rows = rows_of(a_, chunk_of(rank, chunk));
      if (rows.rows > 0) links().bridge->send(rows.floats(), floats_in(rows), rank, *transfers_);
    }
  }

  void receive_rows(int chunk) {
    const Matrix rows = rows_of(received_a_, chunk_of(links().rank, chunk));
    if (rows.rows > 0) links().bridge->receive(rows.floats(), floats_in(rows), 0, *transfers_);
  }

  void compute(int chunk, PartMarks& marks, Stream& stream) {
    const auto number = static_cast<std::size_t>(chunk);
    arrived_[number]->record(*transfers_);
    stream.wait_for(*arrived_[number]);
    marks.end_of(Part::send, stream);
    const Piece rows = chunk_of(links().rank, chunk);
    gemm(rows_of(a_, rows), b_, rows_of(c_, rows), stream);
    marks.end_of(Part::compute, stream);
    computed_[number]->record(stream);
  }

  void collect(int chunk) {
    if (!links().is_root()) {
      transfers_->wait_for(*computed_[static_cast<std::size_t>(chunk)]);
      const Matrix rows = rows_of(c_, chunk_of(links().rank, chunk));
      if (rows.rows > 0) links().bridge->send(rows.floats(), floats_in(rows), 0, *transfers_);
      return;
    }
    for (int rank = 1; rank < links().ranks; ++rank) {
      const Matrix rows = rows_of(c_, chunk_of(rank, chunk));
      if (rows.rows > 0) links().bridge->receive(rows.floats(), floats_in(rows), rank, *transfers_);
    }
  }

  std::unique_ptr<Stream> transfers_;
  std::unique_ptr<Event> border_;
  std::vector<std::unique_ptr<Event>> arrived_, computed_;  // by chunk
};

}  // namespace

std::unique_ptr<MatmulForm> make_overlapped_form(const FormSettings& settings) {
  return std::make_unique<Overlapped>(settings);
}

}  // namespace breakeven::bench
