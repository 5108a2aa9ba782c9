// SPDX-License-Identifier: Apache-2.0
// A prepared results file that is open on all ranks. They write only numbers.
#pragma once

#include <mpi.h>

#include <string>
#include <vector>

#include "src/hdf5/cells.h"
#include "src/hdf5/h5.h"
#include "src/hdf5/schema.h"

namespace breakeven::hdf5 {

class ParallelFile {
 public:
  // Collective over `group`, which must not have a Cartesian topology: with one, Open MPI 4.1 chooses several
  // aggregators, which damage each other's data where sieving is on.
  ParallelFile(const std::string& path, MPI_Comm group);

  // Collective, in the same order on all ranks. A rank without `block` takes part without writing. Throws
  // Failure where HDF5 did not write collectively. Cell is double, uint64 or uint8.
  template <typename Cell>
  void write(const Variable& variable, const Block* block, const Cell* cells);

  void close();  // collective

  hid_t id() const { return file_.get(); }

 private:
  hid_t dataset_of(const Variable& variable);

  std::string path_;
  H5File file_;
  H5Properties collective_;
  std::vector<H5Dataset> datasets_;  // by place in variables(), opened when first needed
};

}  // namespace breakeven::hdf5
