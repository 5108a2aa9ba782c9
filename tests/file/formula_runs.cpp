// SPDX-License-Identifier: Apache-2.0
// Writes and checks results files that follow a formula, for the scripts beside this file:
//   mpirun -np N formula_runs create|append|half|resume|damage PATH SEED RUNS STEPS [PAUSE_US [FILES]]
//   formula_runs check PATH...
// FILES > 1 writes PATH.0, PATH.1, ... `half` stops after half of the runs, as an interrupted launch does.
// Before it closes the writer, `damage` changes one number of the file's first run behind its back. Each rank
// prints "rank R pid P" first, and rank 0 "run N" after each run.
#include <unistd.h>

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "mpi/mpi_call.h"
#include "src/hdf5/read_results.h"
#include "tests/file/formula.h"
#include "tests/file/formula_check.h"

namespace breakeven {
namespace {

// Finds the number by its bytes, which occur once.
void damage(const std::string& path, double number) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(file), {}};
  const std::string pattern(reinterpret_cast<const char*>(&number), sizeof number);
  const std::size_t place = bytes.find(pattern);
  if (place == std::string::npos || bytes.find(pattern, place + 1) != std::string::npos)
    throw Failure(ExitCode::file, "no unique number to damage in " + path);
  file.clear();
  file.seekp(place);
  file.put(static_cast<char>(bytes[place] ^ 1));
}

double first_ordinary_number(const RunRecord& record) {
  for (const double value : record.seconds)
    if (value > 0 && value < 1e9) return value;
  throw Failure(ExitCode::file, "no ordinary number in the record");
}

void say(const std::string& what, int number) {
  std::printf("%s %d\n", what.c_str(), number);
  std::fflush(stdout);
}

hdf5::OpenMode mode_of(const std::string& mode) {
  if (mode == "resume") return hdf5::OpenMode::resume;
  return mode == "append" || mode == "half" ? hdf5::OpenMode::append : hdf5::OpenMode::create;
}

void write_file(const Session& session, const std::string& mode, const std::string& path,
                const Formula& formula, int pause_us) {
  const hdf5::LaunchPlan plan = plan_of(formula);
  hdf5::ResultsWriter writer(session, path, mode_of(mode), plan);
  const int runs = mode == "half" ? formula.runs / 2 : formula.runs;
  for (int run = 0; run < runs; ++run) {
    const bool takes_part = session.rank() < plan.runs[run].planned.what.gpus;
    const RunRecord record = record_of(formula, run, session.rank());
    if (!writer.is_left(run)) continue;
    if (pause_us > 0) usleep(pause_us);
    writer.write(run, takes_part ? &record : nullptr);
    if (session.is_root()) say("run", run);
  }
  if (mode == "damage" && session.is_root()) damage(path, first_ordinary_number(record_of(formula, 0, 0)));
  writer.close();
}

int write(const std::string& mode, const std::vector<std::string>& arguments, int argc, char** argv) {
  const Session session(&argc, &argv);
  const auto number = [&](std::size_t place, int otherwise) {
    return place < arguments.size() ? std::stoi(arguments[place]) : otherwise;
  };
  const Formula formula{std::stoull(arguments.at(1)), number(2, 1), number(3, 1), session.size()};
  const int files = number(5, 1);
  say("rank " + std::to_string(session.rank()) + " pid", getpid());
  for (int file = 0; file < files; ++file)
    write_file(session, mode, files > 1 ? arguments[0] + "." + std::to_string(file) : arguments[0], formula,
               number(4, 0));
  return 0;
}

// One line a file; the exit code is 1 where any is not what the formula says.
int check_all(const std::vector<std::string>& paths) {
  int bad = 0;
  for (const std::string& path : paths) {
    try {
      const Verdict verdict = check(hdf5::read_results(path));
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
  if (arguments.size() < 2) return static_cast<int>(breakeven::ExitCode::usage);
  const std::vector<std::string> rest(arguments.begin() + 1, arguments.end());
  return arguments[0] == "check" ? breakeven::check_all(rest)
                                 : breakeven::write(arguments[0], rest, argc, argv);
}
