// SPDX-License-Identifier: Apache-2.0
// Writes files as formula_runs does, without any of the guards: a communicator with a Cartesian topology,
// data sieving as the MPI library likes it, no thread support asked for (which turns sieving off in Open
// MPI 4.1), nothing read back. What comes out shows whether the guards are needed here.
//   mpirun -np N unguarded_runs PATH SEED RUNS STEPS FILES
#include <string>
#include <vector>

#include "mpi/mpi_call.h"
#include "src/hdf5/checksums.h"
#include "src/hdf5/parallel/parallel_file.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"
#include "tests/file/formula.h"

namespace breakeven {
namespace {

MPI_Comm cartesian_world(int ranks) {
  int sides[2] = {0, 0};
  const int periodic[2] = {0, 0};
  MPI_CALL(MPI_Dims_create(ranks, 2, sides));
  MPI_Comm cartesian = MPI_COMM_NULL;
  MPI_CALL(MPI_Cart_create(MPI_COMM_WORLD, 2, sides, periodic, false, &cartesian));
  return cartesian;
}

// `label_sum` is rank 0's.
void write_run(hdf5::ParallelFile& file, const Formula& formula, int run, int rank, bool takes_part,
               std::uint64_t label_sum) {
  const RunRecord record = record_of(formula, run, rank);
  for (const hdf5::Variable& variable : hdf5::variables()) {
    if (!variable.is_measured()) continue;
    const hdf5::Block block = hdf5::block_of(variable, run, rank, record.steps);
    file.write(variable, takes_part ? &block : nullptr, hdf5::values_of(record, variable).data());
  }
  const hsize_t place = run;
  const hdf5::Block checksum_place{{place, static_cast<hsize_t>(rank)}, {1, 1}};
  const std::uint64_t checksum = hdf5::checksum_of(record);
  file.write(hdf5::variable_named("checksum"), takes_part ? &checksum_place : nullptr, &checksum);
  const hdf5::Block status_place{{place}, {1}};
  const auto complete = static_cast<std::uint8_t>(RunStatus::complete);
  file.write(hdf5::variable_named("status"), rank == 0 ? &status_place : nullptr, &complete);
  const std::uint64_t label_checksum = hdf5::with_state(label_sum, complete, 0);
  file.write(hdf5::variable_named("label_checksum"), rank == 0 ? &status_place : nullptr, &label_checksum);
}

void write_file(MPI_Comm group, const std::string& path, const Formula& formula, int rank) {
  const hdf5::LaunchPlan plan = plan_of(formula);
  std::vector<std::uint64_t> label_sums(plan.runs.size());
  if (rank == 0) label_sums = hdf5::prepare_file(path, hdf5::OpenMode::create, plan).label_sums;
  MPI_CALL(MPI_Barrier(group));
  hdf5::ParallelFile file(path, group);
  for (int run = 0; run < formula.runs; ++run)
    write_run(file, formula, run, rank, rank < plan.runs[run].planned.what.gpus, label_sums[run]);
  file.close();
}

}  // namespace
}  // namespace breakeven

int main(int argc, char** argv) {
  using namespace breakeven;
  if (argc < 6) return static_cast<int>(ExitCode::usage);
  MPI_Init(&argc, &argv);
  int rank = 0;
  int ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm group = cartesian_world(ranks);
  const Formula formula{std::stoull(argv[2]), std::stoi(argv[3]), std::stoi(argv[4]), ranks};
  for (int file = 0; file < std::stoi(argv[5]); ++file)
    write_file(group, std::string(argv[1]) + "." + std::to_string(file), formula, rank);
  MPI_Comm_free(&group);
  MPI_Finalize();
  return 0;
}
