// SPDX-License-Identifier: Apache-2.0
#include "src/command/measure/auto_cases.h"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "mpi/mpi_call.h"
#include "src/autotune/candidates.h"
#include "src/autotune/probe.h"
#include "src/command/measure/planned_launch.h"
#include "src/command/measure/stopping.h"
#include "src/core/text/output.h"
#include "src/hdf5/read_results.h"
#include "src/measure/plan/possible_cases.h"
#include "src/report/format/numbers.h"

namespace breakeven::command {
namespace {

// Cases that differ only in --timing share one choice.
Case with_step_timing(Case what) {
  what.timing = Timing::steps;
  return what;
}

// The memory of the rank that has least, or --memory-limit. The program cannot use all of a device. Infinite
// if the device does not report it.
double memory_for_candidates(const LaunchSetup& setup) {
  constexpr double usable_share = 0.9;
  const auto whole = static_cast<double>(setup.device->info().memory_bytes);
  double bytes = whole > 0 ? usable_share * whole : std::numeric_limits<double>::infinity();
  MPI_CALL(MPI_Allreduce(MPI_IN_PLACE, &bytes, 1, MPI_DOUBLE, MPI_MIN, setup.session->world()));
  const auto limit = static_cast<double>(setup.options.memory_limit_bytes);
  return limit > 0 ? std::min(limit, bytes) : bytes;
}

// The step times in --evidence. Sets `wrong` if they are of another machine.
std::vector<predict::Observation> read_evidence(const LaunchSetup& setup, std::string& wrong) {
  const Results results = hdf5::read_results(setup.options.evidence);
  const std::string& here = setup.device->info().name;
  for (const Launch& launch : results.launches) {
    const auto& ranks = launch.topology.ranks;
    if (!ranks.empty() && ranks.front().device.name == here) continue;
    wrong = fmt::format(
        "--evidence '{}' was measured on {}; this launch runs on {}. Pass a results file of this machine",
        setup.options.evidence, ranks.empty() ? "nothing" : ranks.front().device.name, here);
    return {};
  }
  return predict::observations_of(analysis::FileAnalysis(results));
}

std::string print_line(const autotune::Choice& choice) {
  const auto& candidates = choice.candidates;
  const auto chosen = std::ranges::find_if(candidates, [&](const AutoCandidate& one) {
    return one.strategy == choice.what.chosen && one.gpus == choice.what.gpus;
  });
  const std::string words = fmt::format("auto: {} b{} {}: {} on {}", choice.what.model, choice.what.batch,
                                        choice.what.precision, choice.what.chosen, choice.what.gpus);
  if (candidates.size() == 1) return words + ", the only candidate";
  if (chosen->probe_steps == 0)
    return words + fmt::format(", predicted {} per step, not probed",
                               report::format_seconds(chosen->predicted_seconds));
  return words + fmt::format(", probed {} per step; {} candidates compared in {}",
                             report::format_seconds(chosen->probed_seconds), candidates.size(),
                             report::format_seconds(choice.seconds));
}

// What is wrong, or "".
std::string add_choice(const Case& what, const LaunchSetup& setup, const measure::RunContext& context,
                       double memory_bytes, std::vector<AskedChoice>& choices) {
  AskedChoice choice{with_step_timing(what), {}};
  if (std::ranges::find(choices, choice.asked, &AskedChoice::asked) != choices.end()) return "";
  const auto gpus = std::get<std::vector<int>>(measure::gpu_counts(setup.options.axes, setup.offer));
  choice.candidates =
      autotune::distinct_configurations(measure::candidates_of(choice.asked, gpus, setup.offer));
  std::erase_if(choice.candidates, [&](const Case& candidate) {
    return !(static_cast<double>(largest_memory_need(candidate, context).total()) <= memory_bytes);
  });
  choices.push_back(choice);
  if (!choice.candidates.empty()) return "";
  return fmt::format(
      "--strategies auto: no candidate for {} fits into {} of memory per rank. Use a smaller batch or more "
      "GPUs",
      label_of(what), report::format_bytes(memory_bytes));
}

}  // namespace

AskedChoices find_choices(const LaunchSetup& setup, const measure::RunContext& context) {
  AskedChoices found;
  const Session& session = *setup.session;
  const double memory_bytes = memory_for_candidates(setup);
  std::string wrong;
  for (const Case& what : setup.cases) {
    if (is_auto(what) && wrong.empty()) wrong = add_choice(what, setup, context, memory_bytes, found.all);
  }
  const bool with_evidence = !setup.options.evidence.empty();
  if (with_evidence && found.all.empty()) wrong = "--evidence works only with --strategies auto";
  if (with_evidence && wrong.empty() && session.is_root()) found.evidence = read_evidence(setup, wrong);
  if (!wrong.empty() && session.is_root()) print_error("breakeven: {}\n", wrong);
  found.code = session.agree(wrong.empty() ? ExitCode::success : ExitCode::usage);
  return found;
}

std::vector<Case> cases_to_train(const std::vector<Case>& cases, const std::vector<AskedChoice>& choices) {
  std::vector<Case> all;
  std::ranges::copy_if(cases, std::back_inserter(all), [](const Case& what) { return !is_auto(what); });
  for (const AskedChoice& choice : choices)
    all.insert(all.end(), choice.candidates.begin(), choice.candidates.end());
  return all;
}

std::optional<std::vector<autotune::Choice>> make_choices(AskedChoices asked, const Launch& launch,
                                                          measure::RunContext& context) {
  const Session& session = context.session();
  const measure::RunOptions& options = context.options();
  autotune::Chooser chooser(
      session, {options.probe_steps, options.seed}, launch.roofline.front(), launch.message_times,
      std::move(asked.evidence),
      [&](const Case& what, std::uint32_t steps) { return autotune::probe(what, steps, context); });
  std::vector<autotune::Choice> choices;
  for (const AskedChoice& query : asked.all) {
    choices.push_back(chooser.choose(query.asked, query.candidates));
    if (session.is_root()) print_error("{}\n", print_line(choices.back()));
    if (is_asked_to_stop(session)) return std::nullopt;
  }
  return choices;
}

const autotune::Choice* choice_of(const Case& chosen, const std::vector<autotune::Choice>& choices) {
  const auto found = std::ranges::find(choices, with_step_timing(chosen), &autotune::Choice::what);
  return found == choices.end() ? nullptr : &*found;
}

std::vector<Case> with_choices(const std::vector<Case>& cases, const std::vector<autotune::Choice>& choices) {
  std::vector<Case> chosen;
  for (Case what : cases) {
    const auto choice = std::ranges::find(choices, with_step_timing(what), &autotune::Choice::asked);
    if (choice != choices.end()) {
      const Level<Timing> timing = what.timing;
      what = choice->what;
      what.timing = timing;
    }
    if (std::ranges::find(chosen, what) == chosen.end()) chosen.push_back(what);
  }
  return chosen;
}

}  // namespace breakeven::command
