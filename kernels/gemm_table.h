// SPDX-License-Identifier: Apache-2.0
// The fastest kernel of each product, as measured by `breakeven kernels --tune`. The file has one line per
// product: `precision layout m n k kernel tile parts microseconds`, where parts is the split-k factor
// (docs/kernels.md).
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
  explicit GemmTable(std::vector<GemmTableRow> rows);  // of two rows for one product, the later one counts

  std::span<const GemmTableRow> rows() const { return rows_; }  // by precision, layout, m, n, k

  // The variant in the row of this shape.
  std::optional<GemmVariant> find(Precision precision, GemmLayout layout, const GemmShape& shape) const;

 private:
  std::vector<GemmTableRow> rows_;
};

// Lines that begin with # are comments. Throws Failure(file) for an invalid line; the sentence begins with
// "name:line: ".
GemmTable parse_gemm_table(std::string_view text, std::string_view name);
GemmTable read_gemm_table(const std::string& path);

// The text that parse_gemm_table reads: `header`'s lines as comments, then the rows in columns.
std::string format_gemm_table(const GemmTable& table, std::string_view header);

}  // namespace breakeven
