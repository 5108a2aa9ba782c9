// SPDX-License-Identifier: Apache-2.0
// Writes and checks results files that follow a formula, for the scripts beside this file:
//   mpirun -np N formula_runs create|append|cartesian PATH SEED RUNS STEPS [PAUSE_US [FILES]]
//   formula_runs check PATH...
// `cartesian` writes the way the results writer does not: over a communicator with a topology, without
// reading back. FILES > 1 writes PATH.0, PATH.1, ...
#include <unistd.h>

#include <cstdio>
#include <string>
#include <vector>

#include "mpi/mpi_call.h"
#include "src/file/parallel_file.h"
#include "src/file/records.h"
#include "src/file/serial_file.h"
#include "tests/file/formula.h"
#include "tests/file/formula_check.h"

namespace breakeven {
namespace {

void write_by_writer(const Session& session, const std::string& path, OpenMode mode, const Formula& formula,
                     int pause_us) {
  const LaunchPlan plan = plan_of(formula);
  ResultsWriter writer(session, path, mode, plan);
  for (int run = 0; run < formula.runs; ++run) {
    const bool takes_part = session.rank() < plan.runs[run].planned.what.gpus;
    const RunRecord record = record_of(formula, run, session.rank());
    if (pause_us > 0) usleep(pause_us);
    writer.write(run, takes_part ? &record : nullptr);
  }
  writer.close();
}

MPI_Comm cartesian_world(const Session& session) {
  int sides[2] = {0, 0};
  const int periodic[2] = {0, 0};
  MPI_CALL(MPI_Dims_create(session.size(), 2, sides));
  MPI_Comm cartesian = MPI_COMM_NULL;
  MPI_CALL(MPI_Cart_create(session.world(), 2, sides, periodic, false, &cartesian));
  return cartesian;
}

void write_over(MPI_Comm group, const Session& session, const std::string& path, const Formula& formula) {
  const LaunchPlan plan = plan_of(formula);
  if (session.is_root()) prepare_file(path, OpenMode::create, plan);
  MPI_CALL(MPI_Barrier(group));
  ParallelFile file(path, group);
  for (int run = 0; run < formula.runs; ++run) {
    const RunRecord record = record_of(formula, run, session.rank());
    const bool takes_part = session.rank() < plan.runs[run].planned.what.gpus;
    for (const Variable& variable : variables()) {
      if (!variable.is_measured()) continue;
      const Block block = block_of(variable, run, session.rank(), record.steps);
      file.write(variable, takes_part ? &block : nullptr, values_of(record, variable).data());
    }
    const Block place{{hsize_t(run), hsize_t(session.rank())}, {1, 1}};
    const std::uint64_t checksum = checksum_of(record);
    file.write(variable_named("checksum"), takes_part ? &place : nullptr, &checksum);
    const Block status_place{{hsize_t(run)}, {1}};
    const std::uint8_t complete = static_cast<std::uint8_t>(RunStatus::complete);
    file.write(variable_named("status"), session.is_root() ? &status_place : nullptr, &complete);
  }
  file.close();
}

int write(const std::string& mode, const std::vector<std::string>& arguments, int argc, char** argv) {
  const Session session(&argc, &argv);
  const auto number = [&](std::size_t place, int otherwise) {
    return place < arguments.size() ? std::stoi(arguments[place]) : otherwise;
  };
  const Formula formula{std::stoull(arguments.at(1)), number(2, 1), number(3, 1), session.size()};
  const int files = number(5, 1);
  std::printf("rank %d pid %d\n", session.rank(), getpid());
  std::fflush(stdout);
  MPI_Comm cartesian = cartesian_world(session);
  for (int file = 0; file < files; ++file) {
    const std::string path = files > 1 ? arguments[0] + "." + std::to_string(file) : arguments[0];
    if (mode == "cartesian")
      write_over(cartesian, session, path, formula);
    else
      write_by_writer(session, path, mode == "append" ? OpenMode::append : OpenMode::create, formula,
                      number(4, 0));
  }
  MPI_CALL(MPI_Comm_free(&cartesian));
  return 0;
}

// One line a file; the exit code is 1 where any is not what the formula says.
int check_all(const std::vector<std::string>& paths) {
  int bad = 0;
  for (const std::string& path : paths) {
    try {
      const Verdict verdict = check(read_results(path));
      std::printf("%s: %d verified, %d complete, %d planned; wrong: %d labels, %d numbers, %d strays\n",
                  path.c_str(), verdict.verified, verdict.complete, verdict.planned, verdict.wrong_labels,
                  verdict.wrong_numbers, verdict.stray_numbers);
      bad += !verdict.right();
    } catch (const Failure& failure) {
      std::printf("%s\n", failure.what());
      ++bad;
    }
  }
  std::printf("%d bad of %zu\n", bad, paths.size());
  return bad == 0 ? 0 : 1;
}

}  // namespace
}  // namespace breakeven

int main(int argc, char** argv) {
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() < 2) return 2;
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  return arguments[0] == "check" ? breakeven::check_all(rest)
                                 : breakeven::write(arguments[0], rest, argc, argv);
}
