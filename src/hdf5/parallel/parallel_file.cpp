// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/parallel/parallel_file.h"

#include "src/core/failure.h"

namespace breakeven::hdf5 {
namespace {

H5File open_on_all(const std::string& path, MPI_Comm group) {
  silence_h5();
  const std::string doing = "opening " + path + " on all ranks";
  const H5Properties access(H5_CALL(H5Pcreate(H5P_FILE_ACCESS), doing));
  H5_CALL(H5Pset_fapl_mpio(access.get(), group, MPI_INFO_NULL), doing);  // HDF5 makes its own duplicate
  return H5File(H5_CALL(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.get()), doing));
}

H5Properties collective_transfer() {
  H5Properties transfer(H5_CALL(H5Pcreate(H5P_DATASET_XFER), "a collective transfer"));
  H5_CALL(H5Pset_dxpl_mpio(transfer.get(), H5FD_MPIO_COLLECTIVE), "a collective transfer");
  return transfer;
}

// HDF5 falls back to independent writes silently, which are slower and take other paths through MPI.
void expect_collective(hid_t transfer, const std::string& doing) {
  std::uint32_t cause_here = 0;
  std::uint32_t cause_anywhere = 0;
  H5_CALL(H5Pget_mpio_no_collective_cause(transfer, &cause_here, &cause_anywhere), doing);
  if (cause_anywhere != H5D_MPIO_COLLECTIVE)
    throw Failure(ExitCode::file, "HDF5 did not write collectively, cause " + std::to_string(cause_anywhere) +
                                      " of H5D_mpio_no_collective_cause_t (" + doing + ")");
}

}  // namespace

ParallelFile::ParallelFile(const std::string& path, MPI_Comm group)
    : path_(path),
      file_(open_on_all(path, group)),
      collective_(collective_transfer()),
      datasets_(variables().size()) {}

template <typename Cell>
void ParallelFile::write(const Variable& variable, const Block* block, const Cell* cells) {
  const std::string doing = "writing variable " + std::string(variable.name) + " into " + path_;
  const hid_t dataset = dataset_of(variable);
  const hsize_t count = block ? block->cells() : 1;
  const H5Space memory(H5_CALL(H5Screate_simple(1, &count, nullptr), doing));
  H5Space place =
      block ? select_block(dataset, *block, doing) : H5Space(H5_CALL(H5Dget_space(dataset), doing));
  if (!block) {
    H5_CALL(H5Sselect_none(memory.get()), doing);
    H5_CALL(H5Sselect_none(place.get()), doing);
  }
  const H5Type type = memory_type<Cell>();
  H5_CALL(H5Dwrite(dataset, type.get(), memory.get(), place.get(), collective_.get(), cells), doing);
  expect_collective(collective_.get(), doing);
}

template void ParallelFile::write(const Variable&, const Block*, const double*);
template void ParallelFile::write(const Variable&, const Block*, const std::uint64_t*);
template void ParallelFile::write(const Variable&, const Block*, const std::uint8_t*);

void ParallelFile::close() {
  datasets_.clear();
  H5_CALL(file_.close_now(), "closing " + path_ + " on all ranks");
}

hid_t ParallelFile::dataset_of(const Variable& variable) {
  H5Dataset& dataset = datasets_[&variable - variables().data()];
  if (!dataset) dataset = open_variable(file_.get(), variable);
  return dataset.get();
}

}  // namespace breakeven::hdf5
