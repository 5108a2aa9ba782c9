// SPDX-License-Identifier: Apache-2.0
#include "src/report/sections/evidence.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "src/report/format/numbers.h"
#include "src/report/sections/group_words.h"
#include "src/report/words/interval_scopes.h"
#include "src/report/words/machine.h"
#include "src/report/words/settling_words.h"

namespace breakeven::report {
namespace {

using statistics::Payoff;
using Lines = std::vector<const analysis::CaseResult*>;

// A baseline that several lines share counts once.
std::set<const analysis::CaseSummary*> sides_of(const Lines& lines) {
  const auto sides = both_sides(lines);
  return {sides.begin(), sides.end()};
}

SettledRuns settled_runs(const Lines& lines) {
  SettledRuns runs;
  for (const analysis::CaseSummary* side : sides_of(lines)) runs.add(*side);
  return runs;
}

// "settled", and what that does not say of the other cases: "; 12 of 24 runs of both sides at all batches
// still drifted".
std::string settling_in_words(const Lines& all_lines, const analysis::CaseResult& line) {
  const SettledRuns here = settled_runs({&line}), all = settled_runs(all_lines);
  const bool is_whole = all.drifting == here.drifting || all_lines.size() == 1;
  return in_words(here) + (is_whole
                               ? ""
                               : fmt::format("; {} of {} runs of both sides at all batches still drifted",
                                             all.drifting, all.runs));
}

std::string on_machines(const Results& results, const Lines& lines) {
  std::set<std::uint32_t> launches;
  for (const analysis::CaseSummary* side : sides_of(lines))
    for (const RecordedRun* run : side->done) launches.insert(run->launch);
  const std::size_t machines = count_machines(results, launches);
  return machines > 1 ? fmt::format(" on {} machines", machines) : "";
}

// "95 % CI within one launch", "no interval from 1 launch, two more are missing", or "no interval".
std::string interval_in_words(const std::string& scope, bool has_bounds) {
  constexpr std::string_view none = "none";
  if (scope.starts_with(none)) return "no interval" + scope.substr(none.size());
  return has_bounds ? "95 % CI " + scope : "no interval";
}

// "zero1, peer "; "" where the curve has one configuration.
std::string name_in(const BreakEvenCurve& curve, const Case& what) {
  return curve.is_fastest() ? fmt::format("{}{} ", what.strategy, unusual_transport(what)) : "";
}

bool has_interval(const analysis::CaseResult* line) { return line->comparison.speedup.ratio.has_bounds(); }

}  // namespace

const analysis::CaseResult* evidence_of(const BreakEvenCurve& curve) {
  const Lines& lines = curve.lines;
  const auto pays = [](const analysis::CaseResult* line) {
    return line->comparison.decision.verdict == Payoff::pays;
  };
  const auto last = std::find_if(lines.rbegin(), lines.rend(), pays);
  if (last == lines.rend()) return lines.back();
  if (last != lines.rbegin()) return *last;
  return *(std::find_if_not(lines.rbegin(), lines.rend(), pays).base());
}

statistics::RatioEstimate speedup_of(const BreakEvenCurve& curve, const analysis::CaseResult& line) {
  const auto place = std::ranges::find(curve.lines, &line) - curve.lines.begin();
  std::vector<std::vector<statistics::PairedBlock>> rivals;
  for (const auto& [name, blocks] : curve.points[place].rivals) rivals.push_back(blocks);
  const auto winner = statistics::choose_best(rivals);
  const double own = line.comparison.speedup.ratio.centre;
  return winner && winner->speedup.ratio.has_bounds() && winner->speedup.ratio.centre == own
             ? winner->speedup
             : line.comparison.speedup;
}

std::string evidence_in_brief(const BreakEvenCurve& curve) {
  const analysis::CaseResult& line = *evidence_of(curve);
  const Case& what = line.measured->what;
  const std::string place =
      curve.along == Along::batch ? batch_in_words(what) : std::string(what.model.word());
  return fmt::format("{}at {}: {}", name_in(curve, what), place, format_ratio(speedup_of(curve, line).ratio));
}

std::string evidence_in_words(const Results& results, const BreakEvenCurve& curve) {
  const analysis::CaseResult& line = *evidence_of(curve);
  const statistics::RatioEstimate speedup = speedup_of(curve, line);
  const Case& what = line.measured->what;
  std::string text = name_in(curve, what);
  if (curve.lines.size() > 1) text += fmt::format("at {} ", batch_in_words(what));
  return fmt::format("{}{} times as fast, {}{}, {}", text, format_ratio(speedup.ratio),
                     interval_in_words(statistics::scope_of(speedup), speedup.ratio.has_bounds()),
                     on_machines(results, {&line}), settling_in_words(curve.lines, line));
}

std::string scope_in_words(const Results& results, const Lines& lines) {
  return fmt::format("{}{}, {}",
                     interval_in_words(scopes_of_speedups(lines), std::ranges::any_of(lines, has_interval)),
                     on_machines(results, lines), in_words(settled_runs(lines)));
}

}  // namespace breakeven::report
