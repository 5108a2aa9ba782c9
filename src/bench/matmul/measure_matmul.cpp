// SPDX-License-Identifier: Apache-2.0
#include "src/bench/matmul/measure_matmul.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "mpi/mpi_call.h"
#include "mpi/pack.h"
#include "src/core/shuffled.h"
#include "src/core/terminate.h"
#include "src/statistics/sample.h"

namespace breakeven::bench {
namespace {

PartTimes slowest(const std::vector<PartTimes>& ranks) {
  return std::ranges::max(ranks, {}, &PartTimes::seconds);
}

}  // namespace

std::string label_of(const MatmulCase& what) {
  return fmt::format("{} {} {} {}x {}", what.size, what.form->name, info_of(what.precision).name, what.gpus,
                     name_of(what.kernel));
}

MatmulBench::MatmulBench(measure::RunContext& context, LinkCache& links, const MatmulProtocol& protocol,
                         measure::Progress* progress)
    : context_(context),
      links_(links),
      protocol_(protocol),
      progress_(progress),
      stream_(context.device().make_stream()),
      marks_(context.device()) {}

std::vector<MatmulSeries> MatmulBench::measure(std::span<const MatmulCase> cases) {
  const MatmulCase& first = cases.front();
  report_activity_as(
      fmt::format("the reference product of size {} in {}", first.size, info_of(first.precision).name));
  const int ranks = std::ranges::max(cases, {}, &MatmulCase::gpus).gpus;
  std::optional<Problem> problem;
  MatmulSeries empty;
  if (context_.session().rank() < ranks) {
    problem.emplace(context_.device(), *stream_, first.size, first.precision, protocol_.seed);
    const std::vector mine{problem->reference_error()};
    empty.reference_error = statistics::highest(gather_records(context_.group(ranks), mine));
    empty.error_limit = problem->error_limit();
  }
  const auto forms = make_forms(cases, problem ? &*problem : nullptr);
  std::vector<MatmulSeries> series(cases.size(), empty);
  for (std::size_t i = 0; i < cases.size(); ++i) series[i].what = cases[i];
  for (std::uint32_t block = 0; block < protocol_.repeats; ++block) {
    for (const std::size_t i : shuffled(cases.size(), protocol_.seed, block)) {
      report_activity_as(label_of(cases[i]));
      if (progress_ != nullptr) progress_->start(measured_, label_of(cases[i]));
      if (forms[i] != nullptr) series[i].samples.push_back(measure_once(cases[i], *problem, *forms[i]));
      context_.session().sleepy_barrier();
      measured_ += 1;
    }
  }
  return series;
}

std::vector<std::unique_ptr<MatmulForm>> MatmulBench::make_forms(std::span<const MatmulCase> cases,
                                                                 const Problem* problem) {
  std::vector<std::unique_ptr<MatmulForm>> forms(cases.size());
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (context_.session().rank() >= cases[i].gpus) continue;
    const FormSettings settings{problem, cases[i].kernel, links_.links(cases[i].gpus), protocol_.chunks};
    forms[i] = cases[i].form->make(settings);
  }
  return forms;
}

MatmulSample MatmulBench::measure_once(const MatmulCase& what, const Problem& problem, MatmulForm& form) {
  const MPI_Comm group = context_.group(what.gpus);
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

}  // namespace breakeven::bench
