// SPDX-License-Identifier: Apache-2.0
#include "src/matmul/measure_matmul.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "mpi/mpi_call.h"
#include "mpi/pack.h"
#include "mpi/terminate.h"
#include "src/plan/shuffled.h"
#include "src/statistics/sample.h"

namespace breakeven {
namespace {

int most_gpus(std::span<const MatmulCase> cases) {
  int most = 1;
  for (const MatmulCase& what : cases) most = std::max(most, what.gpus);
  return most;
}

PartTimes slowest(const std::vector<PartTimes>& ranks) {
  return *std::max_element(ranks.begin(), ranks.end(),
                           [](const PartTimes& a, const PartTimes& b) { return a.seconds < b.seconds; });
}

}  // namespace

std::string label_of(const MatmulCase& what) {
  return fmt::format("{} {} {} {}x {}", what.size, what.form->name, info_of(what.precision).name, what.gpus,
                     name_of(what.kernel));
}

MatmulBench::MatmulBench(Workbench& bench, LinkCache& links, const MatmulProtocol& protocol,
                         Progress* progress)
    : bench_(bench),
      links_(links),
      protocol_(protocol),
      progress_(progress),
      watchdog_(bench.options().timeout_seconds),
      stream_(bench.device().make_stream()),
      marks_(bench.device()) {}

std::vector<MatmulSeries> MatmulBench::measure(std::span<const MatmulCase> cases) {
  const int rank = bench_.session().rank();
  const auto& [size, precision] = std::pair(cases.front().size, cases.front().precision);
  report_activity_as(fmt::format("the reference product of size {} in {}", size, info_of(precision).name));
  watchdog_.arm("");  // the activity says enough
  std::optional<Problem> problem;
  double reference_error = 0;
  if (const int ranks = most_gpus(cases); rank < ranks) {
    problem.emplace(bench_.device(), *stream_, size, precision, protocol_.seed);
    reference_error = highest(gather_records(bench_.group(ranks), std::vector{problem->reference_error()}));
  }
  std::vector<std::unique_ptr<MatmulForm>> forms;
  std::vector<MatmulSeries> series;
  for (const MatmulCase& what : cases) {
    const bool mine = rank < what.gpus;
    forms.push_back(mine
                        ? what.form->make({&*problem, what.kernel, links_.links(what.gpus), protocol_.chunks})
                        : nullptr);
    series.push_back({what, reference_error, mine ? problem->error_limit() : 0, {}});
  }
  for (std::uint32_t block = 0; block < protocol_.repeats; ++block) {
    for (const std::size_t i : shuffled(cases.size(), protocol_.seed, block)) {
      report_activity_as(label_of(cases[i]));
      if (progress_ != nullptr) progress_->start(measured_, label_of(cases[i]));
      watchdog_.arm("");
      if (forms[i] != nullptr) series[i].samples.push_back(measure_once(cases[i], *problem, *forms[i]));
      bench_.session().sleepy_barrier();
      measured_ += 1;
    }
  }
  watchdog_.disarm();
  return series;
}

MatmulSample MatmulBench::measure_once(const MatmulCase& what, const Problem& problem, MatmulForm& form) {
  const MPI_Comm group = bench_.group(what.gpus);
  for (std::uint32_t product = 0; product <= protocol_.warmup; ++product) {
    form.clear(*stream_);
    stream_->synchronize();
    MPI_CALL(MPI_Barrier(group));
    form.multiply(marks_, *stream_);
    stream_->synchronize();
  }
  if (Communicator* const transport = links_.links(what.gpus).device; transport != nullptr)
    transport->check();
  const double elements = static_cast<double>(what.size) * static_cast<double>(what.size);
  const ErrorSums mine = problem.compare(form.result(), *stream_);
  return {slowest(gather_records(group, std::vector{marks_.read()})),
          relative_error(gather_records(group, std::vector{mine}), elements)};
}

}  // namespace breakeven
