// SPDX-License-Identifier: Apache-2.0
// Which kernel computes a product fastest, as measured by `breakeven kernels --tune`: a plain text of one
// line each, `precision layout m n k kernel tile parts microseconds`. docs/kernels.md describes it.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/product.h"

namespace breakeven {

struct GemmTableRow {
  Precision precision;
  GemmLayout layout;
  GemmShape shape;
  GemmVariant variant;
  double seconds;
};

class GemmTable {
 public:
  GemmTable() = default;
  explicit GemmTable(std::vector<GemmTableRow> rows);  // of two rows for one product the later one counts

  std::span<const GemmTableRow> rows() const { return rows_; }  // by precision, layout, m, n, k

  // Of the row with this shape; else of the nearest one in the same precision and layout. The distance of two
  // shapes is the sum of |log2| of the ratios of m, n and k; where any of the three ratios is beyond a factor
  // of two, the row says nothing about this shape.
  std::optional<GemmVariant> find(Precision precision, GemmLayout layout, const GemmShape& shape) const;

 private:
  std::vector<GemmTableRow> rows_;
};

// Lines that begin with # are comments. Throws Failure(file) with one sentence that begins with
// "name:line: " where a line is none of the table.
GemmTable parse_gemm_table(std::string_view text, std::string_view name);
GemmTable read_gemm_table(const std::string& path);

// What parse_gemm_table reads: `header`'s lines as comments, then the rows in columns.
std::string format_gemm_table(const GemmTable& table, std::string_view header);

}  // namespace breakeven
