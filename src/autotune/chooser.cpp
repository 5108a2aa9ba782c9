// SPDX-License-Identifier: Apache-2.0
#include "src/autotune/chooser.h"

#include <cmath>

#include <fmt/format.h>

#include "mpi/mpi_call.h"
#include "src/autotune/probe.h"
#include "src/core/failure.h"
#include "src/measure/clocks.h"

namespace breakeven::autotune {
namespace {

// Gives every rank rank 0's numbers.
void agree(const Session& session, std::vector<double>& numbers) {
  MPI_CALL(MPI_Bcast(numbers.data(), static_cast<int>(numbers.size()), MPI_DOUBLE, 0, session.world()),
           "agreeing on a choice");
}

void agree(const Session& session, std::vector<AutoCandidate>& candidates) {
  for (AutoCandidate& one : candidates) {
    std::vector<double> numbers{one.predicted_seconds, one.predicted_low, one.predicted_high};
    agree(session, numbers);
    one.predicted_seconds = numbers[0];
    one.predicted_low = numbers[1];
    one.predicted_high = numbers[2];
  }
}

// The case as the file stores it: as asked for, with the candidate's GPUs and what its strategy implies.
Case with_choice(const Case& asked, const Case& candidate) {
  Case what = asked;
  what.chosen = candidate.strategy;
  what.gpus = candidate.gpus;
  what.transport = candidate.transport;
  what.graph = candidate.graph;
  return what;
}

}  // namespace

Chooser::Chooser(const Session& session, const HalvingSettings& settings, const Roofline& roofline,
                 const MessageTimes& times, std::vector<predict::Observation> known, ProbeCase probe)
    : session_(session),
      settings_(settings),
      roofline_(roofline),
      times_(times),
      known_(std::move(known)),
      probe_(std::move(probe)) {}

Choice Chooser::choose(const Case& asked, const std::vector<Case>& candidates) {
  const double start = measure::host_seconds();
  Choice choice;
  choice.asked = asked;
  choice.candidates = predict(candidates);
  agree(session_, choice.candidates);
  const Probe probe = [&](std::size_t place, std::uint32_t steps) {
    std::vector<double> batch_means = probe_(candidates[place], steps);
    batch_means.resize(probe_batches);
    agree(session_, batch_means);
    choice.candidates[place].probe_steps += steps_of_probe(candidates[place], steps);
    return batch_means;
  };
  const std::vector<std::size_t> field = worth_probing(choice.candidates);
  const std::size_t place = choose_by_halving(field, settings_, probe, choice.candidates);
  if (field.size() > 1 && !std::isfinite(choice.candidates[place].probed_seconds))
    throw Failure(ExitCode::wrong_numbers,
                  fmt::format("no candidate for {} could be timed", label_of(asked)));
  learn(candidates, choice.candidates);
  choice.what = with_choice(asked, candidates[place]);
  std::vector<double> seconds{measure::host_seconds() - start};
  agree(session_, seconds);
  choice.seconds = seconds.front();
  return choice;
}

// Without evidence the prediction is the sum of the step's terms, without bounds.
std::vector<AutoCandidate> Chooser::predict(const std::vector<Case>& cases) const {
  std::vector<AutoCandidate> candidates;
  const predict::StepModel model(session_.is_root() ? known_ : std::vector<predict::Observation>{});
  for (const Case& what : cases) {
    AutoCandidate& candidate = candidates.emplace_back();
    candidate.strategy = what.strategy;
    candidate.gpus = what.gpus;
    const auto terms = session_.is_root() ? predict::terms_of_case(what, roofline_, times_) : std::nullopt;
    if (!terms) continue;
    candidate.predicted_seconds = predict::sum_of(*terms);
    if (const auto prediction = model.predict(what, *terms)) {
      candidate.predicted_seconds = prediction->seconds;
      candidate.predicted_low = prediction->low;
      candidate.predicted_high = prediction->high;
    }
  }
  return candidates;
}

void Chooser::learn(const std::vector<Case>& cases, const std::vector<AutoCandidate>& seen) {
  for (std::size_t place = 0; session_.is_root() && place < cases.size(); ++place) {
    const double seconds = seen[place].probed_seconds;
    const auto terms = predict::terms_of_case(cases[place], roofline_, times_);
    if (terms && std::isfinite(seconds)) known_.push_back({cases[place], *terms, seconds});
  }
}

}  // namespace breakeven::autotune
