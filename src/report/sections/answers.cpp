// SPDX-License-Identifier: Apache-2.0
// The answers in sentences: from which batch a configuration pays, by how much, and what causes most of the
// loss. By samples a second, and by the time to a quality if the launches trained until one.
#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/words/machine.h"
#include "src/statistics/sample_size.h"

namespace breakeven::report {
namespace {

// What a sweep is judged by.
struct Measure {
  std::string_view name;     // for machines
  std::string title;         // follows the machine: "", ", by time to loss=0.05"
  std::string_view missing;  // "not measured": of a batch
  std::string_view nowhere;  // in place of the conclusion where no batch was measured
  statistics::RatioEstimate analysis::Comparison::*speedup;
  statistics::Decision analysis::Comparison::*decision;
  std::string (*base_in_words)(const analysis::Comparison& comparison);
};

// The cases of one strategy, GPU count, collective and scaling, by rising batch.
struct Sweep {
  const Measure* measure = nullptr;
  std::vector<const analysis::CaseResult*> lines;
};

std::vector<Sweep> sweeps_of(const analysis::Group& group, const Measure& measure) {
  std::vector<std::pair<std::string, Sweep>> sweeps;
  for (const analysis::CaseResult& line : group.lines) {
    if (!line.measured->what.chosen.empty()) continue;  // another strategy at every batch
    const std::string name = strategy_of(line.measured->what, group);
    auto known =
        std::find_if(sweeps.begin(), sweeps.end(), [&](const auto& sweep) { return sweep.first == name; });
    if (known == sweeps.end()) known = sweeps.insert(sweeps.end(), {name, {&measure, {}}});
    known->second.lines.push_back(&line);
  }
  std::vector<Sweep> only;
  for (auto& [name, sweep] : sweeps) only.push_back(std::move(sweep));
  return only;
}

const statistics::Decision& decision_of(const analysis::CaseResult* line, const Sweep& sweep) {
  return line->comparison.*(sweep.measure->decision);
}

statistics::Payoff verdict_of(const analysis::CaseResult* line, const Sweep& sweep) {
  return decision_of(line, sweep).verdict;
}

// As "8,192".
std::vector<std::string> batches_with(statistics::Payoff verdict, const Sweep& sweep) {
  std::vector<std::string> batches;
  for (const analysis::CaseResult* line : sweep.lines) {
    if (verdict_of(line, sweep) == verdict) batches.push_back(batch_in_words(line->measured->what));
  }
  return batches;
}

std::string measured_range(const Sweep& sweep) {
  return fmt::format("{} to {}", batch_in_words(sweep.lines.front()->measured->what),
                     batch_in_words(sweep.lines.back()->measured->what));
}

// Every batch from the first that pays on pays too.
bool pays_from_some_batch_on(const Sweep& sweep) {
  const auto pays = [&](const analysis::CaseResult* line) {
    return verdict_of(line, sweep) == statistics::Payoff::pays;
  };
  const auto first = std::ranges::find_if(sweep.lines, pays);
  return std::all_of(first, sweep.lines.end(), pays);
}

std::string others_in_words(const Sweep& sweep) {
  std::string text;
  const auto add = [&](statistics::Payoff verdict, const std::string& words) {
    const auto batches = batches_with(verdict, sweep);
    if (!batches.empty()) text += fmt::format(" {} at batch {}.", words, fmt::join(batches, ", "));
  };
  add(statistics::Payoff::same, fmt::format("Same within {:.0f} %", 100 * statistics::practical_equivalence));
  add(statistics::Payoff::undecided, "Undecided");
  add(statistics::Payoff::not_measured, std::string(sweep.measure->missing));
  return text;
}

std::string conclusion_for_one(const statistics::Decision& decision, std::size_t units) {
  switch (decision.verdict) {
    case statistics::Payoff::pays:
      return "pays.";
    case statistics::Payoff::does_not_pay:
      return "does not pay.";
    case statistics::Payoff::same:
      return fmt::format("is as fast as one, within {:.0f} %.", 100 * statistics::practical_equivalence);
    case statistics::Payoff::not_measured:
      return "was not measured.";
    case statistics::Payoff::undecided:
      break;
  }
  if (decision.has_short_runs)
    return "is undecided, because a run ended before enough of its planned steps for a verdict.";
  if (decision.more_units == 0) return "is undecided, too close to the border for more runs to decide.";
  const std::string more =
      fmt::format("{} more {}", format_count(decision.more_units), statistics::more_of(decision));
  if (units < statistics::fewest_for_interval)
    return fmt::format("is undecided; an interval needs {}.", more);
  return fmt::format("is undecided; about {} would decide with {} probability.", more,
                     format_percent(statistics::power));
}

// What follows "ddp on 2 GPUs": the verdict first.
std::string conclusion(const Sweep& sweep) {
  const analysis::CaseResult& first = *sweep.lines.front();
  if (sweep.lines.size() == 1)
    return conclusion_for_one(decision_of(&first, sweep), (first.comparison.*sweep.measure->speedup).ratio.n);
  const auto pays = batches_with(statistics::Payoff::pays, sweep);
  const bool open = !batches_with(statistics::Payoff::undecided, sweep).empty() ||
                    !batches_with(statistics::Payoff::not_measured, sweep).empty();
  if (pays.size() == sweep.lines.size())
    return fmt::format("pays at every measured batch ({}).", measured_range(sweep));
  std::string text;
  if (pays.empty()) {
    text = fmt::format("{} measured batch ({}).", open ? "is not shown to pay at any" : "pays at no",
                       measured_range(sweep));
  } else if (pays_from_some_batch_on(sweep)) {
    text = pays.size() == 1
               ? fmt::format("pays at batch {}, the largest measured.", pays.front())
               : fmt::format("pays from batch {} (measured up to {}).", pays.front(), pays.back());
  } else {
    text = fmt::format("pays only at batch {}.", fmt::join(pays, ", "));
  }
  return text + others_in_words(sweep);
}

// What the sentences speak of: GPUs, or the host devices that stood in for them.
struct Words {
  std::string machine, one, many;
};

Words answer_words(const Results& results) {
  if (ran_on_host(results)) return {machine_name(results), "one host device", "host devices"};
  return {machine_name(results), "one GPU", "GPUs"};
}

// The speed that the speed-up is the ratio of, as in the speed table.
std::string speed_in_words(const analysis::Comparison& comparison) {
  const double rate = comparison.base_samples_per_second;
  return fmt::format("{} samples/s, {} a step", format_rate(rate),
                     format_seconds(samples_a_step(comparison.base_timed->what) / rate));
}

std::string quality_in_words(const analysis::Comparison& comparison) {
  const analysis::CaseSummary& base = *comparison.base_timed;
  return fmt::format("{}, {} samples", format_seconds(base.quality.seconds.centre),
                     format_significant(base.quality.samples.centre, 4));
}

// "0.74 (0.72–0.76) at batch 16 (one GPU: 2,422 samples/s, 6.61 ms a step)"
std::string speed_at(const analysis::CaseResult& line, const Measure& measure, const Words& words) {
  const Case& what = line.measured->what;
  std::string text = fmt::format("{} at batch {} (", format_ratio((line.comparison.*(measure.speedup)).ratio),
                                 batch_in_words(what));
  if (what.scaling == Scaling::weak) text += fmt::format("{} over all; ", format_count(what.batch));
  return text + fmt::format("{}: {})", words.one, measure.base_in_words(line.comparison));
}

// "ddp on 2 GPUs pays at batch 128, the largest measured. Its speed-up over one GPU is ..."
std::string sentence(const Words& words, const analysis::FileAnalysis& analysis, const analysis::Group& group,
                     const Sweep& sweep) {
  const Case& what = sweep.lines.front()->measured->what;
  const Measure& measure = *sweep.measure;
  std::string subject = fmt::format("{}{} on {}{}: {} on {} {}", title_of(analysis, group),
                                    parameters_in_brackets(group.parameters), words.machine, measure.title,
                                    what.strategy, what.gpus, words.many);
  const std::string suffix = strategy_suffix(what, group);
  if (!suffix.empty()) subject += fmt::format(" ({})", suffix);
  std::vector<const analysis::CaseResult*> measured;
  std::ranges::copy_if(sweep.lines, std::back_inserter(measured), [&](const analysis::CaseResult* line) {
    return verdict_of(line, sweep) != statistics::Payoff::not_measured;
  });
  if (measured.empty()) return fmt::format("{} {} {}.", subject, measure.nowhere, words.one);
  std::string speeds = speed_at(*measured.front(), measure, words);
  if (measured.size() > 1) speeds += ", and " + speed_at(*measured.back(), measure, words);
  return fmt::format("{} {} Its speed-up over {} is {}.", subject, conclusion(sweep), words.one, speeds);
}

std::vector<Measure> measures_of(const analysis::FileAnalysis& analysis) {
  std::vector<Measure> measures{{.name = "samples_per_second",
                                 .title = "",
                                 .missing = "Not measured",
                                 .nowhere = "was not measured against",
                                 .speedup = &analysis::Comparison::speedup,
                                 .decision = &analysis::Comparison::decision,
                                 .base_in_words = speed_in_words}};
  if (analysis.quality().empty()) return measures;
  measures.push_back({.name = "time_to_quality",
                      .title = fmt::format(", by time to {}", analysis.quality()),
                      .missing = "Not reached in all runs",
                      .nowhere = "cannot be compared with",
                      .speedup = &analysis::Comparison::quality_speedup,
                      .decision = &analysis::Comparison::quality_decision,
                      .base_in_words = quality_in_words});
  return measures;
}

bool shows_loss(const analysis::CaseResult& line) {
  return line.loss && line.loss->has_parts() && line.loss->is_shown();
}

// "At batch 128, 76 % of each step is lost against perfect scaling; 71 % of that loss is communication." Of a
// line that shows a loss.
std::string loss_of(const analysis::CaseResult& line) {
  const std::optional<analysis::LossBudget>& budget = line.loss;
  const auto cause = budget->largest_cause();
  const std::string lost =
      fmt::format("At batch {}, {} of each step is lost against perfect scaling",
                  batch_in_words(line.measured->what), format_percent(budget->whole / budget->step));
  if (!cause) return lost + ".";
  if (cause->seconds <= budget->whole)
    return fmt::format("{}; {} of that loss is {}.", lost, format_percent(cause->seconds / budget->whole),
                       cause->name);
  return fmt::format(
      "{}: {} takes {} of the step, but other parts are faster than perfect scaling and save {}.", lost,
      cause->name, format_percent(cause->seconds / budget->step),
      format_percent((cause->seconds - budget->whole) / budget->step));
}

}  // namespace

std::string loss_in_words(const analysis::FileAnalysis& analysis,
                          const std::vector<const analysis::CaseResult*>& lines) {
  std::vector<const analysis::CaseResult*> shown{lines.front()};
  if (lines.size() > 1) shown.push_back(lines.back());
  std::erase_if(shown, [](const analysis::CaseResult* line) { return !shows_loss(*line); });
  std::vector<std::string> sentences;
  for (const analysis::CaseResult* line : shown) sentences.push_back(loss_of(*line));
  const auto has_phases = [](const analysis::CaseResult* line) { return line->loss->by_phases; };
  if (!std::ranges::all_of(shown, has_phases)) sentences.push_back(phases_not_recorded(analysis));
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string in_words(const Answer& answer) {
  std::string text = answer.sentence;
  for (const std::string* more : {&answer.faster_single, &answer.loss, &answer.conditions})
    if (!more->empty()) text += " " + *more;
  return text;
}

std::vector<Answer> answer_all(const analysis::FileAnalysis& analysis) {
  const Words words = answer_words(analysis.results());
  const std::vector<Measure> measures = measures_of(analysis);
  std::vector<Answer> answers;
  for (const analysis::Group& group : analysis.groups()) {
    for (const Measure& measure : measures) {
      for (const Sweep& sweep : sweeps_of(group, measure)) {
        const bool is_speed = measure.speedup == &analysis::Comparison::speedup;
        answers.push_back({&group, &sweep.lines.front()->measured->what, measure.name,
                           sentence(words, analysis, group, sweep),
                           is_speed ? faster_single_in_words(sweep.lines, words.one) : "",
                           is_speed ? loss_in_words(analysis, sweep.lines) : "",
                           is_speed ? conditions_in_words(sweep.lines) : ""});
      }
    }
  }
  return answers;
}

}  // namespace breakeven::report
