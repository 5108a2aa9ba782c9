// SPDX-License-Identifier: Apache-2.0
#include "src/bench/kernels/measure_task.h"

#include <algorithm>
#include <memory>

#include "kernels/timed_operations.h"
#include "src/bench/kernels/exact_sample.h"
#include "src/core/shuffled.h"

namespace breakeven::bench {
namespace {

constexpr std::size_t MiB = 1u << 20;

// A candidate's two captured series of launches. Warm: repeated launches on set 0, after one that is not
// timed. Cold: one launch on every set, after the caches were emptied.
struct Series {
  std::unique_ptr<TimedOperations> warm;
  std::unique_ptr<TimedOperations> cold;
  int launches;
  int cold_launches;
  bool slow;
};

// One launch between events: exact for long launches, and enough to choose how many make a series.
double seconds_of_launch(Device& device, Stream& stream, const Product& product) {
  const auto start = device.make_event();
  const auto end = device.make_event();
  start->record(stream);
  device.gemm(product, stream);
  end->record(stream);
  stream.synchronize();
  return end->seconds_since(*start);
}

// The first launch may load a library, so a long one is repeated.
double estimate_seconds(Device& device, Stream& stream, const Product& product, double slow_seconds) {
  double seconds = seconds_of_launch(device, stream, product);
  if (seconds > slow_seconds) seconds = seconds_of_launch(device, stream, product);
  return seconds > slow_seconds ? seconds : seconds_of_launch(device, stream, product);
}

// The duration of a launch, estimated before anything is captured.
struct Estimate {
  Candidate candidate;
  double seconds;
  double fastest_seconds;  // of all candidates in its precision
};

std::vector<Estimate> estimate_all(Device& device, Stream& stream, const Operands& operands,
                                   std::span<const Candidate> candidates, double slow_seconds) {
  std::vector<Estimate> all;
  for (const Candidate& candidate : candidates) {
    const double seconds = estimate_seconds(device, stream, operands.product(candidate, 0), slow_seconds);
    all.push_back({candidate, seconds, seconds});
  }
  for (Estimate& one : all) {
    for (const Estimate& other : all) {
      if (other.candidate.precision != one.candidate.precision) continue;
      one.fastest_seconds = std::min(one.fastest_seconds, other.seconds);
    }
  }
  return all;
}

Series capture_series(Device& device, Stream& stream, const Operands& operands, const Estimate& estimate,
                      const BenchSizes& sizes, const TimedOperations::Operations& empty_caches) {
  const Candidate& candidate = estimate.candidate;
  const Product product = operands.product(candidate, 0);
  Series series{};
  series.slow = is_slow(estimate.seconds, estimate.fastest_seconds, sizes);
  const double wanted = std::clamp(sizes.warm_seconds / estimate.seconds, 2.0, double(sizes.most_launches));
  const bool one_is_enough = series.slow || estimate.seconds > 5 * sizes.warm_seconds;
  series.launches = one_is_enough ? 1 : static_cast<int>(wanted);
  series.cold_launches = series.slow ? 1 : operands.sets();
  const auto launch = [&device, &stream, product](int times) {
    for (int i = 0; i < times; ++i) device.gemm(product, stream);
  };
  series.warm = std::make_unique<TimedOperations>(
      device, stream, [launch, slow = series.slow] { launch(slow ? 0 : 1); },
      [launch, times = series.launches] { launch(times); });
  const auto launch_all_sets = [&device, &stream, &operands, candidate, sets = series.cold_launches] {
    for (int set = 0; set < sets; ++set) device.gemm(operands.product(candidate, set), stream);
  };
  series.cold = std::make_unique<TimedOperations>(device, stream, empty_caches, launch_all_sets);
  return series;
}

void measure_once(Operands& operands, Stream& stream, Series& series, ExactSample& sample,
                  Measured& measured) {
  operands.clear_result();
  series.warm->launch();
  const auto found = operands.read_rows(measured.candidate, sample.rows());
  measured.warm_seconds.push_back(series.warm->seconds() / series.launches);
  const Dtype dtype = info_of(measured.candidate.precision).dtype;
  measured.errors.push_back(sample.error_of(found, dtype, measured.candidate.fused));
  series.cold->launch();
  stream.synchronize();
  measured.cold_seconds.push_back(series.cold->seconds() / series.cold_launches);
}

std::vector<Precision> precisions_in(std::span<const Candidate> candidates) {
  std::vector<Precision> all;
  for (const Candidate& candidate : candidates) all.push_back(candidate.precision);
  return all;
}

}  // namespace

BenchSizes bench_sizes(const DeviceInfo& info) {
  if (info.is_host()) return {1e-4, 4, 0.5, 0.1, 8 * MiB, 16 * MiB};
  return {2e-4, 64, 0.04, 1e-3, 256 * MiB, 512 * MiB};
}

bool is_slow(double seconds, double fastest_seconds, const BenchSizes& sizes) {
  constexpr double far_behind = 10;
  const bool is_far_behind = seconds > far_behind * fastest_seconds;
  return seconds > sizes.slow_launch_seconds || (is_far_behind && seconds > sizes.long_launch_seconds);
}

TaskBench::TaskBench(Device& device, Stream& stream, const BenchProtocol& protocol)
    : device_(device),
      stream_(stream),
      protocol_(protocol),
      sizes_(bench_sizes(device.info())),
      scratch_(device, sizes_.cold_bytes, false, "flushing caches"),
      sum_(device, sizeof(double), false, "flushing caches"),
      state_(device, sizeof(StepState), false, "flushing caches") {}

std::vector<Measured> TaskBench::measure(const GemmTask& task, std::span<const Candidate> candidates,
                                         std::uint32_t rounds) {
  Operands operands(device_, stream_, task, precisions_in(candidates), sizes_.operand_bytes);
  const std::uint64_t first_seed = protocol_.seed + (++tasks_ << 32);
  operands.randomize(first_seed);
  const auto empty_caches = [&] {
    device_.sum_of_squares(scratch_.bytes() / sizeof(float), scratch_.as<float>(), state_.as<StepState>(),
                           {sum_.as<double>(), 1}, stream_);
  };
  empty_caches();  // its first call sets it up, which must not be captured
  std::vector<Series> series;
  std::vector<Measured> measured;
  for (const Estimate& estimate :
       estimate_all(device_, stream_, operands, candidates, sizes_.slow_launch_seconds)) {
    series.push_back(capture_series(device_, stream_, operands, estimate, sizes_, empty_caches));
    measured.push_back({estimate.candidate, series.back().launches, {}, {}, {}});
  }
  for (std::uint32_t round = 0; round < rounds; ++round) {
    if (round > 0) operands.randomize(first_seed + round);
    ExactSample sample(task, first_seed + round);
    for (const std::size_t i : shuffled(candidates.size(), protocol_.seed + tasks_, round)) {
      if (round > 0 && series[i].slow) continue;
      measure_once(operands, stream_, series[i], sample, measured[i]);
    }
  }
  return measured;
}

}  // namespace breakeven::bench
