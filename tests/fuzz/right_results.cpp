// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/right_results.h"

#include "tests/support/results_by_hand.h"

namespace breakeven::fuzz {
namespace {

constexpr std::uint32_t steps = 2;

void add_run(Results& results, const Case& what, double step_seconds) {
  const auto launch = static_cast<std::uint32_t>(results.launches.size() - 1);
  results.runs.push_back(run_by_hand(what, 0, step_seconds, launch, steps));
  RecordedRun& run = results.runs.back();
  run.label = label_of(what) + " #" + std::to_string(results.runs.size());
  run.planned.order = static_cast<std::uint32_t>(results.runs.size());
}

void add_pair(Results& results, std::uint32_t batch, Timing timing) {
  add_run(results, case_by_hand(batch, 1, "single", timing), 6e-3 + 1e-5 * batch);
  add_run(results, case_by_hand(batch, 2, "ddp", timing), batch == 16 ? 7e-3 : 5e-3);
}

void add_choice(Results& results) {
  Case what = case_by_hand(64, 2, "auto");
  what.chosen = "ddp";
  add_run(results, what, 5e-3);
  RecordedRun& run = results.runs.back();
  run.choosing_seconds = 2;
  run.candidates = {{"ddp", 2, 5e-3, 4e-3, 6e-3, 5e-3, 4.9e-3, 5.1e-3, 20}, {"zero1", 2, 6e-3, 5e-3, 7e-3}};
}

Launch launch_with_links(const std::string& started) {
  Launch launch = launch_by_hand(2);
  launch.started = started;
  launch.settings = {{"optimizer", "adam"}, {"seed", "1"}};
  launch.environment = {{"NCCL_ALGO", "Ring"}};
  launch.copy_method = copied_by_processor;
  launch.roofline.resize(2);
  for (Roofline& rank : launch.roofline) {
    rank.copy_bytes_per_second = 2e12;
    rank.flops(Precision::fp32) = 5e13;
    rank.launch_seconds = rank.node_seconds = 2e-6;
  }
  for (double& seconds : launch.message_times.of(*place_of(Transport::nccl), 2, Collective::all_reduce))
    seconds = 2e-5;
  for (double& seconds : launch.message_times.connect_seconds) seconds = 0.5;
  return launch;
}

}  // namespace

Results right_results() {
  Results results;
  for (const char* started : {"2026-01-02T03:04:05Z", "2026-01-02T03:14:05Z"}) {
    results.launches.push_back(launch_with_links(started));
    add_pair(results, 16, Timing::steps);
    add_pair(results, 64, Timing::steps);
  }
  add_pair(results, 64, Timing::phases);
  add_choice(results);
  add_run(results, case_by_hand(256, 1, "single"), 9e-3);
  results.runs.back().status = RunStatus::planned;
  return results;
}

}  // namespace breakeven::fuzz
