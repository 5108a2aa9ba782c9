// SPDX-License-Identifier: Apache-2.0
#include "tests/file/formula.h"

#include <algorithm>
#include <array>
#include <bit>
#include <string>

#include "src/hdf5/records.h"

namespace breakeven {
namespace {

std::uint64_t mix(std::uint64_t key) {  // splitmix64's finalizer
  key = (key ^ key >> 30) * 0xBF58476D1CE4E5B9u;
  key = (key ^ key >> 27) * 0x94D049BB133111EBu;
  return key ^ key >> 31;
}

double number_of(std::uint64_t key) {
  const std::uint64_t bits = mix(key);
  switch (bits % 64) {
    case 0:
      return std::bit_cast<double>(0x7FF8000000000000u | bits >> 16);  // NaN with a payload
    case 1:
      return std::bit_cast<double>(0xFFF0000000000000u);  // minus infinity
    case 2:
      return std::bit_cast<double>(bits >> 20);  // denormal
    case 3:
      return -0.0;
    default:
      return static_cast<double>(bits >> 11) * 0x1p-63;
  }
}

RankInfo rank_info_of(int rank) {
  const std::string number = std::to_string(rank);
  return {"knot" + number + "ä",
          {"cuda", "NVIDIA H200 " + number, "GPU-" + number, "0000:1b:0" + number, 132 + rank, 90,
           (std::size_t{1} << 37) + rank, rank - 1}};
}

Link link_of(int from, int to) {
  return {from == to ? "self" : "NV18", from != to, number_of(1000 + from * 100 + to), number_of(5 + from),
          to > 0};
}

// As precisions that were not used leave them: one is not measured.
Roofline roofline_of(int rank) {
  Roofline roofline;
  roofline.copy_bytes_per_second = number_of(2000 + rank);
  roofline.flops(Precision::fp32) = number_of(3000 + rank);
  roofline.launch_seconds = number_of(4000 + rank);
  roofline.node_seconds = number_of(5000 + rank);
  return roofline;
}

// Of every fourth run: as many as the run's number leaves.
void choose(RecordedRun& recorded, int run) {
  recorded.planned.what.chosen = recorded.planned.what.strategy;
  recorded.planned.what.strategy = "auto";
  recorded.choosing_seconds = number_of(7000 + run);
  for (int place = 0; place <= run % 3; ++place) {
    const int key = 8000 + 10 * run + place;
    recorded.candidates.push_back({"ddp:buckets=" + std::to_string(place) + "MB", place + 1, number_of(key),
                                   number_of(key + 1), number_of(key + 2), number_of(key + 3),
                                   number_of(key + 4), number_of(key + 5), key + 0u});
  }
}

RecordedRun run_of(const Formula& formula, int run) {
  constexpr std::array models{"medium", "784-512-10", "large"};
  RecordedRun recorded;
  recorded.planned.what = {.model = models[run % 3],
                           .batch = 64u << run % 4,
                           .gpus = formula.ranks - run % formula.ranks,
                           .strategy = run % 2 ? "ddp" : "single",
                           .precision = Precision::fp32,
                           .gemm = GemmKernel::tiled,
                           .transport = run % 2 ? Transport::mpi : Transport::none,
                           .scaling = run % 5 ? Scaling::strong : Scaling::weak,
                           .timing = run % 7 ? Timing::steps : Timing::phases,
                           .graph = run % 3 == 1,
                           .data = run % 2 ? DataPlacement::resident : DataPlacement::streamed};
  recorded.planned.repeat = run / 6;
  recorded.planned.order = run;
  recorded.warmup = run % 11;
  recorded.steps = std::max(1, formula.steps - run % 3);
  recorded.parameters = (std::uint64_t{1} << 33) + run;
  if (run % 4 == 3) choose(recorded, run);
  return recorded;
}

}  // namespace

hdf5::LaunchPlan plan_of(const Formula& formula) {
  hdf5::LaunchPlan plan;
  Launch& launch = plan.launch;
  launch.started = "2026-01-02T03:04:05Z";
  launch.command_line = "breakeven run --models \"medium\" --größe 1";
  launch.copy_method = "kernel";
  launch.git_revision = "0123456789abcdef-dirty";
  launch.versions = {{"breakeven", "0.1.0"}, {"mpi", "Open MPI \"4.1\"\n2"}, {"a", ""}};
  launch.environment = {{"SEED", std::to_string(formula.seed)},
                        {"RUNS", std::to_string(formula.runs)},
                        {"STEPS", std::to_string(formula.steps)}};
  for (int rank = 0; rank < formula.ranks; ++rank) launch.topology.ranks.push_back(rank_info_of(rank));
  for (int rank = 0; rank < formula.ranks; ++rank) launch.roofline.push_back(roofline_of(rank));
  for (int from = 0; from < formula.ranks; ++from)
    for (int to = 0; to < formula.ranks; ++to) launch.topology.links.push_back(link_of(from, to));
  launch.message_times = MessageTimes(formula.ranks);
  std::uint64_t key = 6000;
  for (double& seconds : launch.message_times.seconds) seconds = number_of(key++);
  for (double& seconds : launch.message_times.connect_seconds) seconds = number_of(key++);
  for (int run = 0; run < formula.runs; ++run) plan.runs.push_back(run_of(formula, run));
  return plan;
}

Formula formula_of(const Launch& launch) {
  const auto value = [&](std::size_t place) { return std::stoull(launch.environment.at(place).second); };
  return {value(0), static_cast<int>(value(1)), static_cast<int>(value(2)),
          static_cast<int>(launch.topology.ranks.size())};
}

RunRecord record_of(const Formula& formula, int run, int rank) {
  RunRecord record(run_of(formula, run).steps);
  std::uint64_t key = mix(mix(mix(formula.seed) + run) + rank);
  for (const hdf5::Variable& variable : hdf5::variables())
    for (double& value : hdf5::values_of(record, variable)) value = number_of(mix(key++));
  // The reader refuses steps that nobody can measure.
  for (std::uint32_t step = 0; step < record.steps; ++step)
    record.at(step, Phase::step) = 1e-6 + static_cast<double>(mix(key++) >> 11) * 0x1p-63;
  return record;
}

bool same_bits(double left, double right) {
  return std::bit_cast<std::uint64_t>(left) == std::bit_cast<std::uint64_t>(right);
}

}  // namespace breakeven
