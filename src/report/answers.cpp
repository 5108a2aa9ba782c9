// SPDX-License-Identifier: Apache-2.0
// The question answered in one sentence: does it pay, from which batch on, and by how much?
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven {
namespace {

// The lines of one strategy, GPU count, collective and scaling: a sweep over batches, in rising order.
using Sweep = std::vector<const Line*>;

std::vector<Sweep> sweeps_of(const Group& group) {
  std::vector<std::pair<std::string, Sweep>> sweeps;
  for (const Line& line : group.lines) {
    const std::string name = strategy_of(line.measured->what, group);
    auto known =
        std::find_if(sweeps.begin(), sweeps.end(), [&](const auto& sweep) { return sweep.first == name; });
    if (known == sweeps.end()) known = sweeps.insert(sweeps.end(), {name, {}});
    known->second.push_back(&line);
  }
  std::vector<Sweep> only;
  for (auto& [name, sweep] : sweeps) only.push_back(std::move(sweep));
  return only;
}

Payoff verdict_of(const Line* line) { return line->comparison.decision.verdict; }

std::vector<std::uint32_t> batches_with(Payoff verdict, const Sweep& sweep) {
  std::vector<std::uint32_t> batches;
  for (const Line* line : sweep) {
    if (verdict_of(line) == verdict) batches.push_back(line->measured->what.batch);
  }
  return batches;
}

std::string measured_range(const Sweep& sweep) {
  return fmt::format("{} to {}", sweep.front()->measured->what.batch, sweep.back()->measured->what.batch);
}

// All that pay stand at the upper end of the sweep, without a gap.
bool pays_from_some_batch_on(const Sweep& sweep) {
  const auto first =
      std::find_if(sweep.begin(), sweep.end(), [](auto* line) { return verdict_of(line) == Payoff::pays; });
  return std::all_of(first, sweep.end(), [](auto* line) { return verdict_of(line) == Payoff::pays; });
}

std::string others_in_words(const Sweep& sweep) {
  std::string text;
  const auto add = [&](Payoff verdict, const std::string& words) {
    const auto batches = batches_with(verdict, sweep);
    if (!batches.empty()) text += fmt::format("; {} at batch {}", words, fmt::join(batches, ", "));
  };
  add(Payoff::same, fmt::format("the same within {:.0f} %", 100 * practical_equivalence));
  add(Payoff::undecided, "undecided");
  add(Payoff::not_measured, "not measured");
  return text;
}

std::string conclusion_for_one(const Line& line) {
  const Decision& decision = line.comparison.decision;
  switch (decision.verdict) {
    case Payoff::pays:
      return "it pays there";
    case Payoff::does_not_pay:
      return "it does not pay there";
    case Payoff::same:
      return "that is the same within 2 %";
    case Payoff::not_measured:
      return "it was not measured";
    case Payoff::undecided:
      break;
  }
  if (decision.more_blocks == 0) return "that is too near the border to be decided by more runs";
  return fmt::format("that is undecided: about {} more launches or repeats would decide it",
                     format_count(decision.more_blocks));
}

std::string conclusion(const Sweep& sweep) {
  if (sweep.size() == 1) return conclusion_for_one(*sweep.front());
  const auto pays = batches_with(Payoff::pays, sweep);
  const bool open =
      !batches_with(Payoff::undecided, sweep).empty() || !batches_with(Payoff::not_measured, sweep).empty();
  if (pays.size() == sweep.size())
    return fmt::format("it pays at every measured batch ({})", measured_range(sweep));
  std::string text;
  if (pays.empty()) {
    text = fmt::format("{} at no measured batch ({})", open ? "it is shown to pay" : "it paid",
                       measured_range(sweep));
  } else if (pays_from_some_batch_on(sweep)) {
    text = pays.size() == 1
               ? fmt::format("it pays from batch {} on, the largest measured", pays.front())
               : fmt::format("it pays from batch {} on (measured to {})", pays.front(), pays.back());
  } else {
    text = fmt::format("it pays at batch {} only", fmt::join(pays, ", "));
  }
  return text + others_in_words(sweep);
}

// What the sentences speak of: GPUs, or the host devices that stood in for them.
struct Words {
  std::string machine, one, many;
};

Words words_of(const Results& results) {
  if (ran_on_host(results)) return {machine_name(results), "one host device", "host devices"};
  return {machine_name(results), "one GPU", "GPUs"};
}

// "0.74 (0.72–0.76) times as fast as one GPU at batch 16 (one GPU: 2,422 samples/s, 6.61 ms a step)"
std::string speed_at(const Line& line, const Words& words, bool first) {
  const Case& what = line.measured->what;
  const CaseSummary& base = *line.comparison.base_timed;
  std::string text = format_ratio(line.comparison.speedup.ratio);
  if (first) text += fmt::format(" times as fast as {}", words.one);
  text += fmt::format(" at batch {} (", what.batch);
  if (what.scaling == "weak") {
    text += fmt::format("{} on each; ", what.batch / static_cast<std::uint32_t>(what.gpus));
  }
  return text + fmt::format("{}: {} samples/s, {} a step)", words.one,
                            format_rate(base.step.samples_per_second),
                            format_seconds(base.step.mean_seconds));
}

std::string sentence(const Words& words, const Analysis& analysis, const Group& group, const Sweep& sweep) {
  const Case& what = sweep.front()->measured->what;
  std::string subject =
      fmt::format("On {} for {} ({} parameters): {} on {} {}", words.machine, analysis.title_of(group),
                  format_count(group.parameters), what.strategy, what.gpus, words.many);
  const std::string suffix = strategy_suffix(what, group);
  if (!suffix.empty()) subject += fmt::format(" ({})", suffix);
  Sweep measured;
  std::copy_if(sweep.begin(), sweep.end(), std::back_inserter(measured),
               [](const Line* line) { return verdict_of(line) != Payoff::not_measured; });
  if (measured.empty()) return fmt::format("{} was not measured against {}.", subject, words.one);
  std::string speeds = speed_at(*measured.front(), words, true);
  if (measured.size() > 1) speeds += " and " + speed_at(*measured.back(), words, false);
  return fmt::format("{} is {}; {}.", subject, speeds, conclusion(sweep));
}

}  // namespace

std::vector<Answer> answer_all(const Analysis& analysis) {
  const Words words = words_of(analysis.results());
  std::vector<Answer> answers;
  for (const Group& group : analysis.groups()) {
    for (const Sweep& sweep : sweeps_of(group)) {
      answers.push_back({&group, &sweep.front()->measured->what, sentence(words, analysis, group, sweep)});
    }
  }
  return answers;
}

}  // namespace breakeven
