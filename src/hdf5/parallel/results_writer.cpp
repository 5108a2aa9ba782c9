// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/parallel/results_writer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/mpi_call.h"
#include "src/hdf5/parallel/parallel_file.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"

namespace breakeven::hdf5 {

struct ResultsWriter::State {
  const Session& session;
  std::string path;
  std::vector<RecordedRun> runs;         // the plan's, without numbers
  hsize_t first_run = 0;                 // place of runs[0] in the file
  std::vector<std::uint8_t> left;        // by run: not measured by an earlier launch
  std::vector<std::uint8_t> status;      // by run, as the file has it at first; rank 0's
  std::vector<std::uint64_t> checksums;  // of this rank's numbers, by run; 0 where it had none
  std::vector<bool> written;             // the same on every rank
  FileDescriptor lock;                   // rank 0's
  std::optional<ParallelFile> file;

  void write_numbers(std::size_t run, const RunRecord* mine);
  void write_status(std::size_t run, const std::vector<std::uint8_t>& status);
  std::vector<std::uint64_t> gather_checksums() const;
  std::string verify(const std::vector<std::uint64_t>& written_checksums,
                     std::vector<std::uint8_t>& status) const;
};

namespace {

void expect(bool holds, const std::string& sentence) {
  if (!holds) throw Failure(ExitCode::file, sentence);
}

// Every rank opens the file by way of MPI_COMM_WORLD, whatever communicators the session has
// (parallel_file.h).
ParallelFile open_on_world(const std::string& path) { return ParallelFile(path, MPI_COMM_WORLD); }

}  // namespace

ResultsWriter::ResultsWriter(const Session& session, const std::string& path, OpenMode mode,
                             const LaunchPlan& plan)
    : state_(new State{session,
                       path,
                       plan.runs,
                       0,
                       std::vector<std::uint8_t>(plan.runs.size()),
                       std::vector<std::uint8_t>(plan.runs.size()),
                       std::vector<std::uint64_t>(plan.runs.size()),
                       std::vector<bool>(plan.runs.size()),
                       {},
                       {}}) {
  State& self = *state_;
  if (session.is_root()) {
    PreparedFile prepared = prepare_file(path, mode, plan);
    self.first_run = prepared.plan.first_run;
    self.lock = std::move(prepared.lock);
    for (std::size_t run = 0; run < self.runs.size(); ++run) {
      self.left[run] = breakeven::is_left(prepared.plan.runs[run]);
      self.status[run] = static_cast<std::uint8_t>(prepared.plan.runs[run].status);
    }
  }
  MPI_CALL(MPI_Bcast(&self.first_run, sizeof self.first_run, MPI_BYTE, 0, session.world()),
           "preparing " + path);
  MPI_CALL(MPI_Bcast(self.left.data(), static_cast<int>(self.left.size()), MPI_UINT8_T, 0, session.world()),
           "preparing " + path);
  self.file = open_on_world(path);
}

ResultsWriter::~ResultsWriter() = default;

bool ResultsWriter::is_left(std::size_t run) const { return state_->left.at(run) != 0; }

void ResultsWriter::write(std::size_t run, const RunRecord* mine) {
  State& self = *state_;
  expect(self.file && run < self.runs.size() && !self.written[run] && is_left(run),
         "a run that cannot be written into " + self.path);
  const RecordedRun& planned = self.runs[run];
  expect((mine != nullptr) == (self.session.rank() < planned.planned.what.gpus),
         "a record from other ranks than the plan of " + self.path + " names");
  expect(!mine || mine->steps == planned.steps,
         "a record of other length than the plan of " + self.path + " says");
  self.write_numbers(run, mine);
  // The status may stand in the file only when all numbers do, on whatever rank.
  MPI_CALL(MPI_Barrier(self.session.world()), "writing into " + self.path);
  self.write_status(run, {static_cast<std::uint8_t>(RunStatus::complete)});
  self.written[run] = true;
}

void ResultsWriter::State::write_numbers(std::size_t run, const RunRecord* mine) {
  const hsize_t place = first_run + run;
  const hsize_t rank = session.rank();
  for (const Variable& variable : variables()) {
    if (!variable.is_measured()) continue;
    const Block block = block_of(variable, place, rank, mine ? mine->steps : 0);
    const bool has_cells = mine && block.cells() > 0;
    file->write(variable, has_cells ? &block : nullptr, mine ? values_of(*mine, variable).data() : nullptr);
  }
  checksums[run] = mine ? checksum_of(*mine) : 0;
  const Block block{{place, rank}, {1, 1}};
  file->write(variable_named("checksum"), mine ? &block : nullptr, &checksums[run]);
}

// Of `run` and those after it, by rank 0.
void ResultsWriter::State::write_status(std::size_t run, const std::vector<std::uint8_t>& status) {
  const Block block{{first_run + run}, {status.size()}};
  const bool mine = session.is_root() && !status.empty();
  file->write(variable_named("status"), mine ? &block : nullptr, status.data());
}

void ResultsWriter::write_stop(std::size_t run, StopReason reason) {
  State& self = *state_;
  expect(self.file && run < self.runs.size(), "a run that does not stand in " + self.path);
  const Block block{{self.first_run + run}, {1}};
  const auto cell = static_cast<std::uint8_t>(reason);
  self.file->write(variable_named("stop"), self.session.is_root() ? &block : nullptr, &cell);
}

void ResultsWriter::close() {
  State& self = *state_;
  self.file->close();
  const std::vector<std::uint64_t> checksums = self.gather_checksums();
  std::vector<std::uint8_t> status = self.status;  // of runs that were there, it stays
  const std::string damage = self.session.is_root() ? self.verify(checksums, status) : "";
  MPI_CALL(MPI_Barrier(self.session.world()), "reading " + self.path + " back");
  self.file = open_on_world(self.path);
  self.write_status(0, status);
  self.file->close();
  self.file.reset();
  self.lock = {};
  if (self.session.is_root()) {
    flush_to_disk(self.path);
    expect(damage.empty(), damage);
  }
  MPI_CALL(MPI_Barrier(self.session.world()), "closing " + self.path);
}

// By rank and run, on rank 0.
std::vector<std::uint64_t> ResultsWriter::State::gather_checksums() const {
  std::vector<std::uint64_t> all(session.is_root() ? session.size() * runs.size() : 0);
  const int count = static_cast<int>(runs.size());
  MPI_CALL(
      MPI_Gather(checksums.data(), count, MPI_UINT64_T, all.data(), count, MPI_UINT64_T, 0, session.world()),
      "gathering checksums of " + path);
  return all;
}

// Fills in the status of each run. Returns a sentence about the first damage, or "".
std::string ResultsWriter::State::verify(const std::vector<std::uint64_t>& written_checksums,
                                         std::vector<std::uint8_t>& status) const {
  const H5File back = open_results(path);
  const Extents extents = read_extents(back.get());
  std::vector<RecordedRun> found = runs;
  read_records(back.get(), extents, first_run, found);
  const std::vector<std::uint64_t> stored = read_checksums(back.get(), extents, first_run, runs.size());
  std::string damage;
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (!written[run]) continue;
    status[run] = static_cast<std::uint8_t>(RunStatus::verified);
    for (std::size_t rank = 0; rank < found[run].ranks.size(); ++rank) {
      const std::uint64_t expected = written_checksums[rank * runs.size() + run];
      if (checksum_of(found[run].ranks[rank]) == expected &&
          stored[run * extents[Dimension::rank] + rank] == expected)
        continue;
      status[run] = static_cast<std::uint8_t>(RunStatus::complete);
      if (damage.empty())
        damage = path + ": run " + std::to_string(first_run + run) + " does not hold what rank " +
                 std::to_string(rank) +
                 " wrote: MPI's file layer has damaged it; try mpirun --mca io romio321";
    }
  }
  return damage;
}

}  // namespace breakeven::hdf5
