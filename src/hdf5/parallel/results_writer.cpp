// SPDX-License-Identifier: Apache-2.0
#include "src/hdf5/parallel/results_writer.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "mpi/mpi_call.h"
#include "src/hdf5/checksums.h"
#include "src/hdf5/parallel/parallel_file.h"
#include "src/hdf5/read_contents.h"
#include "src/hdf5/records.h"
#include "src/hdf5/serial_file.h"

namespace breakeven::hdf5 {

struct ResultsWriter::State {
  const Session& session;
  std::string path;
  std::vector<RecordedRun> runs;          // the plan's, without numbers
  hsize_t first_run = 0;                  // place of runs[0] in the file
  std::vector<std::uint8_t> left;         // by run: not measured by an earlier launch
  std::vector<std::uint8_t> status;       // by run, as the file has it; rank 0's
  std::vector<std::uint64_t> checksums;   // of this rank's numbers, by run; 0 where it had none
  std::vector<bool> written;              // the same on every rank
  std::vector<std::uint8_t> stop;         // by run, as the file has it; rank 0's
  std::vector<std::uint64_t> label_sums;  // by run, without status and stop; rank 0's
  FileDescriptor own;                     // rank 0's, of the file that this launch made, and its lock
  std::optional<ParallelFile> file;

  void write_numbers(std::size_t run, const RunRecord* mine);
  void open();
  void check_name(const std::string& consequence) const;
  void write_state(std::size_t run, std::size_t count);
  void write_cells_of_root(const char* variable, std::size_t run, const auto* cells, std::size_t count);
  std::vector<std::uint64_t> gather_checksums() const;
  std::string verify(const std::vector<std::uint64_t>& written_checksums);
};

namespace {

void expect(bool holds, const std::string& sentence) {
  if (!holds) throw Failure(ExitCode::file, sentence);
}

}  // namespace

ResultsWriter::ResultsWriter(const Session& session, const std::string& path, OpenMode mode,
                             const LaunchPlan& plan)
    : state_(new State{.session = session,
                       .path = path,
                       .runs = plan.runs,
                       .left = std::vector<std::uint8_t>(plan.runs.size()),
                       .status = std::vector<std::uint8_t>(plan.runs.size()),
                       .checksums = std::vector<std::uint64_t>(plan.runs.size()),
                       .written = std::vector<bool>(plan.runs.size()),
                       .stop = std::vector<std::uint8_t>(plan.runs.size()),
                       .label_sums = std::vector<std::uint64_t>(plan.runs.size()),
                       .own = {},
                       .file = {}}) {
  State& self = *state_;
  if (session.is_root()) {
    PreparedFile prepared = prepare_file(path, mode, plan);
    self.first_run = prepared.plan.first_run;
    self.own = std::move(prepared.file);
    self.label_sums = std::move(prepared.label_sums);
    for (std::size_t run = 0; run < self.runs.size(); ++run) {
      self.left[run] = breakeven::is_left(prepared.plan.runs[run]);
      self.status[run] = static_cast<std::uint8_t>(prepared.plan.runs[run].status);
      self.stop[run] = static_cast<std::uint8_t>(prepared.plan.runs[run].stop);
    }
  }
  MPI_CALL(MPI_Bcast(&self.first_run, sizeof self.first_run, MPI_BYTE, 0, session.world()),
           "preparing " + path);
  MPI_CALL(MPI_Bcast(self.left.data(), static_cast<int>(self.left.size()), MPI_UINT8_T, 0, session.world()),
           "preparing " + path);
  self.open();
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
  self.status[run] = static_cast<std::uint8_t>(RunStatus::complete);
  self.write_state(run, 1);
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

// Every rank opens the file through MPI_COMM_WORLD, whatever communicators the session has
// (parallel_file.h).
void ResultsWriter::State::open() {
  file.emplace(path, MPI_COMM_WORLD);
  check_name("Nothing was written into the file that has this name now");
}

// MPI opens files by name, and another launch may have given the name to its own file.
void ResultsWriter::State::check_name(const std::string& consequence) const {
  expect(!session.is_root() || is_named(own, path),
         path + " was moved or replaced while this launch wrote it. " + consequence);
}

// Of `run` and those after it, by rank 0. One of the checksums fits at every moment.
void ResultsWriter::State::write_state(std::size_t run, std::size_t count) {
  std::vector<std::uint64_t> sums;
  for (std::size_t i = run; i < run + count; ++i)
    sums.push_back(with_state(label_sums[i], status[i], stop[i]));
  write_cells_of_root("label_checksum_next", run, sums.data(), count);
  write_cells_of_root("status", run, &status[run], count);
  write_cells_of_root("stop", run, &stop[run], count);
  write_cells_of_root("label_checksum", run, sums.data(), count);
}

void ResultsWriter::State::write_cells_of_root(const char* variable, std::size_t run, const auto* cells,
                                               std::size_t count) {
  const Block block{{first_run + run}, {count}};
  file->write(variable_named(variable), session.is_root() && count > 0 ? &block : nullptr, cells);
}

void ResultsWriter::write_stop(std::size_t run, StopReason reason) {
  State& self = *state_;
  expect(self.file && run < self.runs.size(), "a run that does not stand in " + self.path);
  self.stop[run] = static_cast<std::uint8_t>(reason);
  self.write_state(run, 1);
}

void ResultsWriter::close() {
  State& self = *state_;
  self.file->close();
  constexpr auto consequence =
      "The runs that it finished are complete in the file that it made, but not verified";
  self.check_name(consequence);  // a deleted file cannot be read back
  const std::vector<std::uint64_t> checksums = self.gather_checksums();
  const std::string damage = self.session.is_root() ? self.verify(checksums) : "";
  self.check_name(consequence);
  MPI_CALL(MPI_Barrier(self.session.world()), "reading " + self.path + " back");
  self.open();
  self.write_state(0, self.runs.size());
  self.file->close();
  self.file.reset();
  if (self.session.is_root()) {
    flush_to_disk(self.own, self.path);
    expect(damage.empty(), damage);
  }
  self.own = {};
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
std::string ResultsWriter::State::verify(const std::vector<std::uint64_t>& written_checksums) {
  const Contents back = read_contents(own, path);
  const Extents extents = extents_of(back);
  std::vector<RecordedRun> found = runs;
  read_records(back, extents, first_run, found);
  const std::vector<std::uint64_t> stored = read_checksums(back, extents, first_run, runs.size());
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
