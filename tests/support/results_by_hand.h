// SPDX-License-Identifier: Apache-2.0
// Results as a file would hold them, made up by the test: every run's step time is what the test says.
#pragma once

#include <string>
#include <vector>

#include "src/core/records/results.h"

namespace breakeven {

inline Case case_by_hand(std::uint32_t batch, int gpus, const std::string& strategy,
                         Timing timing = Timing::steps) {
  Case what;
  what.model = "medium";
  what.batch = batch;
  what.gpus = gpus;
  what.strategy = strategy;
  what.precision = Precision::fp32;
  what.gemm = GemmKernel::tiled;
  what.transport = strategy == "single" ? Transport::none : Transport::nccl;
  what.scaling = Scaling::strong;
  what.timing = timing;
  what.graph = true;
  what.data = DataPlacement::resident;
  return what;
}

inline Case case_of_model(const std::string& model, std::uint32_t batch, int gpus,
                          const std::string& strategy) {
  Case what = case_by_hand(batch, gpus, strategy);
  what.model = model;
  return what;
}

// Phases of fixed shares of the step; the whole of it is `step_seconds` on every rank.
inline RunRecord rank_by_hand(std::uint32_t steps, double step_seconds, const Case& what) {
  RunRecord rank(steps);
  for (std::uint32_t step = 0; step < steps; ++step) {
    rank.at(step, Phase::step) = step_seconds;
    if (what.timing == Timing::phases) {
      for (const PhaseInfo& info : phases) {
        if (info.phase != Phase::step) rank.at(step, info.phase) = 0;
      }
      const bool exchanges = what.gpus > 1;
      rank.at(step, Phase::forward) = 0.3 * step_seconds;
      rank.at(step, Phase::backward) = (exchanges ? 0.2 : 0.5) * step_seconds;
      rank.at(step, Phase::exchange) = exchanges ? 0.2 * step_seconds : 0.0;
      rank.at(step, Phase::wait) = exchanges ? 0.1 * step_seconds : 0.0;
      rank.at(step, Phase::optimizer) = 0.1 * step_seconds;
      rank.at(step, Phase::overhead) = 0.1 * step_seconds;
      rank.busy_fraction = 0.8;
    }
    rank.loss[step] = 1.0;
    rank.host_seconds[step] = step_seconds;
  }
  rank.steps_device_seconds = steps * step_seconds;
  rank.steps_host_seconds = steps * step_seconds * 1.001;
  rank.setup_seconds = 0.5;
  rank.first_step_seconds = 0.01;
  rank.peak_memory_bytes = 4.0 * 1048576;
  rank.exchange_bytes = what.gpus > 1 ? 1033728.0 : 0.0;
  rank.exchange_calls = what.gpus > 1 ? 1.0 : 0.0;
  return rank;
}

inline RecordedRun run_by_hand(const Case& what, std::uint32_t repeat, double step_seconds,
                               std::uint32_t launch = 0, std::uint32_t steps = 4) {
  RecordedRun run;
  run.planned.what = what;
  run.planned.repeat = repeat;
  run.label = label_of(what) + " #" + std::to_string(repeat);
  run.launch = launch;
  run.warmup = 2;
  run.steps = steps;
  run.parameters = 258432;
  run.status = RunStatus::verified;
  for (int rank = 0; rank < what.gpus; ++rank) run.ranks.push_back(rank_by_hand(steps, step_seconds, what));
  return run;
}

inline Launch launch_by_hand(int ranks) {
  Launch launch;
  launch.started = "2026-01-02T03:04:05Z";
  launch.command_line = "breakeven run --models medium";
  launch.git_revision = "0123abc";
  launch.versions = {{"breakeven", "0.1.0"}, {"cuda", "13.0"}};
  for (int rank = 0; rank < ranks; ++rank) {
    RankInfo info;
    info.host = "node01";
    info.device.backend = "cuda";
    info.device.name = "NVIDIA H200";
    launch.topology.ranks.push_back(info);
  }
  for (int i = 0; i < ranks * ranks; ++i) {
    Link link;
    const bool self = i / ranks == i % ranks;
    link.kind = self ? "self" : "NV18";
    link.bytes_per_second = self ? not_measured : 376e9;
    link.latency_seconds = self ? not_measured : 6.2e-6;
    link.data_right = true;
    launch.topology.links.push_back(link);
  }
  return launch;
}

// One GPU against ddp on two, both timings, `repeats` blocks: base seconds vary by block, and the case
// takes base / speedup, a little more in every second block.
inline void add_pair(Results& results, std::uint32_t batch, double base_seconds, double speedup,
                     std::uint32_t repeats = 4) {
  for (std::uint32_t repeat = 0; repeat < repeats; ++repeat) {
    const double shared = base_seconds * (1 + 0.1 * repeat);
    const double own = 1 + 0.005 * (repeat % 2);
    for (const Timing timing : {Timing::steps, Timing::phases}) {
      const double observed = timing == Timing::phases ? 1.01 : 1.0;
      results.runs.push_back(
          run_by_hand(case_by_hand(batch, 1, "single", timing), repeat, shared * observed));
      results.runs.push_back(
          run_by_hand(case_by_hand(batch, 2, "ddp", timing), repeat, shared / speedup * own * observed));
    }
  }
}

// As if every run had trained for a second before it was measured.
inline void settle(Results& results, SettleEnd end = SettleEnd::steady) {
  for (RecordedRun& run : results.runs) {
    for (RunRecord& rank : run.ranks) {
      rank.settle_seconds = 1;
      rank.settle_end = static_cast<double>(end);
      rank.last_loss = 1;
    }
  }
}

inline Results results_by_hand() {
  Results results;
  results.path = "results.h5";
  results.launches.push_back(launch_by_hand(2));
  add_pair(results, 16, 6.6e-3, 0.74);
  add_pair(results, 64, 7.8e-3, 1.0);
  add_pair(results, 128, 7.6e-3, 1.5);
  return results;
}

}  // namespace breakeven
