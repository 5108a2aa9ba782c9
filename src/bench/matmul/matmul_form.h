// SPDX-License-Identifier: Apache-2.0
// A form distributes one matrix product over GPUs. To add one, add a file here and a row in the table of
// matmul_form.cpp.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/bench/matmul/links.h"
#include "src/bench/matmul/part_marks.h"
#include "src/bench/matmul/problem.h"
#include "src/bench/matmul/split.h"

namespace breakeven::bench {

// Borrowed: the problem outlives the form, and the links the problem.
struct FormSettings {
  const Problem* problem;
  GemmKernel kernel;
  Links links;
  int chunks = 4;  // pieces of a rank's rows, or panels of k, that travel one after another
};

class MatmulForm {
 public:
  explicit MatmulForm(const FormSettings& settings) : settings_(settings) {}
  virtual ~MatmulForm() = default;
  MatmulForm(const MatmulForm&) = delete;  // owns device memory
  MatmulForm& operator=(const MatmulForm&) = delete;

  // Computes the product once, from where its operands are to where its result is wanted; `stream` then waits
  // for all of it. Called by all ranks of the links. Some transfers block the calling thread.
  virtual void multiply(PartMarks& marks, Stream& stream) = 0;

  // This rank's block of the product. The blocks of all ranks make up C.
  virtual ResultBlock result() const = 0;

  // Zeros all memory that multiply() writes, so that a piece that was not sent cannot be left from an earlier
  // product.
  void clear(Stream& stream);

 protected:
  enum class Memory { device, pinned };
  // Owned by the form, and cleared with it.
  Matrix make_room(std::int64_t rows, std::int64_t cols, Memory memory = Memory::device);
  Matrix make_room(std::int64_t rows, std::int64_t cols, Dtype dtype, Memory memory);

  // c = a b, with b stored transposed. c may be empty.
  void gemm(const ConstMatrix& a, const ConstMatrix& b, const Matrix& c, Stream& stream);

  const FormSettings& settings() const { return settings_; }
  const Links& links() const { return settings_.links; }
  Device& device() const { return settings_.problem->device(); }
  Product whole() const { return settings_.problem->product(settings_.kernel); }
  Piece rows_of_rank(int rank) const { return piece_of(settings_.problem->size(), links().ranks, rank); }
  Piece my_rows() const { return rows_of_rank(links().rank); }

 private:
  FormSettings settings_;
  std::vector<Buffer> room_;
};

// A form whose operands start on the root, and whose product ends there. The root uses its own matrices. The
// other ranks receive their rows of A and all of B.
class RootedForm : public MatmulForm {
 public:
  explicit RootedForm(const FormSettings& settings);
  ResultBlock result() const override { return {links().is_root() ? c_ : Matrix{}}; }

 protected:
  ConstMatrix a_, b_;
  Matrix received_a_, received_b_;  // a_ and b_, on the ranks that receive them
  Matrix c_;
};

// What the time of a form includes besides the products.
enum class Counted {
  root_to_root,  // sending the operands from the root, and the product back
  in_place,      // neither, as in a program whose matrices are distributed anyway
};

struct FormInfo {
  std::string_view name;
  Counted counted;
  std::string_view begins;  // where the matrices are when timing starts
  std::string_view ends;    // and when it ends
  std::string_view how;
  bool by_library = false;  // multiplies with the vendor's kernel, whatever --gemm says
  std::unique_ptr<MatmulForm> (*make)(const FormSettings& settings);
};

const FormInfo& single_form();  // on one device alone; all forms are compared with it
std::span<const FormInfo> matmul_forms();
std::string_view word_of(Counted counted);  // "root_to_root": for machines

// Each in the file of its name.
std::unique_ptr<MatmulForm> make_naive_form(const FormSettings& settings);
std::unique_ptr<MatmulForm> make_overlapped_form(const FormSettings& settings);
std::unique_ptr<MatmulForm> make_resident_form(const FormSettings& settings);
std::unique_ptr<MatmulForm> make_library_form(const FormSettings& settings);
std::unique_ptr<MatmulForm> make_summa_form(const FormSettings& settings);

}  // namespace breakeven::bench
