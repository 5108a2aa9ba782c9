// SPDX-License-Identifier: Apache-2.0
// A results file's cells, changed as libFuzzer's bytes decide, and what the child that reads the file says of
// them.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "src/hdf5/contents.h"
#include "tests/fuzz/decisions.h"

namespace breakeven::fuzz {

class ChangedContents {
 public:
  explicit ChangedContents(const hdf5::Contents& whole) : contents_(whole) {}

  // Changes cells, shapes and dimensions, leaves variables out and adds unknown ones.
  void change(Decisions& decisions);

  // Of what the cells are now; where nobody could read them they stay as they are.
  void make_checksums_right();

  // As send_contents() would send them.
  std::string messages() const;

 private:
  void change_once(Decisions& decisions);
  void set_cells(const hdf5::Variable& variable, Decisions& decisions);
  void copy_cell(const hdf5::Variable& variable, Decisions& decisions);
  void change_shape(const hdf5::Variable& variable, Decisions& decisions);
  void resize(hdf5::Dimension dimension, hsize_t places);
  void leave_out(const hdf5::Variable& variable);

  hdf5::Contents contents_;
  std::set<std::string_view> left_out_;
};

}  // namespace breakeven::fuzz
