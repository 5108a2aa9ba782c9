// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice_costs.h"
#include "src/report/columns.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/advice_purchase.h"
#include "src/report/numbers.h"
#include "src/report/tidy_row.h"

namespace breakeven {
namespace {

Judgement by_time(const Interval& speedup) {
  return {
      "time", "time", speedup, verdict_of(speedup), fmt::format("{} times as fast", format_ratio(speedup)),
      {},     ""};
}

Judgement by_gpu_hours(const Interval& speedup, int gpus) {
  const Interval gain = gain_in_gpu_hours(speedup, gpus);
  return {"gpu_hours",
          "GPU-hours",
          gain,
          verdict_of(gain),
          fmt::format("{} times the samples of a GPU-hour", format_ratio(gain)),
          {},
          fmt::format("from a speed-up of {} on, more than linear", gpus)};
}

// Without a price the GPU's hour is the unit of money.
Judgement by_money(const Configuration& one, const Configuration& more, const HourlyCost& cost) {
  const HourlyCost in_units{cost.a_gpu > 0 ? cost.a_gpu : 1, cost.of_waiting};
  const Interval gain = gain_in_money(more.speedup, more.what.gpus, in_units);
  const Interval turn = waiting_cost_needed(more.speedup, more.what.gpus, in_units.a_gpu);
  const auto of_million = [&](const Configuration& way) {
    return (way.what.gpus * in_units.a_gpu + in_units.of_waiting) / 3600 * 1e6 / way.samples_per_second;
  };
  std::string here = fmt::format("{} times as cheap", format_ratio(gain));
  if (cost.a_gpu > 0)
    here += fmt::format(": a million samples cost {}, on one {}", plain_number(of_million(more)),
                        plain_number(of_million(one)));
  const std::string_view unit = cost.a_gpu > 0 ? "" : " GPU-hours";
  return {"money",
          "money",
          gain,
          verdict_of(gain),
          here,
          turn,
          turn_in_words(turn, fmt::format("{} for an hour of waiting", unit))};
}

Judgement by_job_length(const Configuration& one, const Configuration& more, const Advisor& advisor,
                        double samples) {
  const Interval start = start_seconds(one, advisor), longer_start = start_seconds(more, advisor);
  const Interval extra{longer_start.centre - start.centre, longer_start.low - start.high,
                       longer_start.high - start.low, 0};
  const Interval turn = samples_needed(more.speedup, times(one.seconds, 1 / samples_a_step(one.what)), extra);
  Judgement found{
      "job_length", "job length", {}, Payoff::not_measured, "", turn, turn_in_words(turn, " samples")};
  found.here = fmt::format("starts {} later", format_seconds(extra.centre));
  if (!(samples > 0)) return found;
  found.gain = quotient(job_seconds(one, samples, start), job_seconds(more, samples, longer_start));
  found.verdict = verdict_of(found.gain);
  found.here += fmt::format("; {} samples {} times as fast", plain_number(samples), format_ratio(found.gain));
  return found;
}

std::string joules_of_million(const Energy& energy) {
  std::string text = format_significant(1e6 * energy.joules_a_sample.centre, 3) + " J";
  if (!energy.is_measured) return text + " (predicted)";
  return text + part_of_runs(energy.runs, energy.of_runs);
}

Judgement by_energy(const Energy& one, const Energy& more) {
  const Interval gain = quotient(one.joules_a_sample, more.joules_a_sample);
  Judgement found{"energy", "energy", gain, verdict_of(gain), "", {}, ""};
  if (std::isnan(gain.centre)) {
    found.here = "not known: no alike run was long enough for the energy counter";
    return found;
  }
  found.here = fmt::format("{} times as thrifty: a million samples take {}, on one {}", format_ratio(gain),
                           joules_of_million(more), joules_of_million(one));
  return found;
}

std::vector<Judgement> all_judgements(const Configuration& one, const Configuration& more,
                                      const Advisor& advisor, const Costs& costs) {
  std::vector<Judgement> all{by_time(more.speedup), by_gpu_hours(more.speedup, more.what.gpus),
                             by_money(one, more, costs.job.cost),
                             by_job_length(one, more, advisor, costs.job.samples),
                             by_energy(energy_of(one, advisor), energy_of(more, advisor))};
  if (costs.purchase) all.push_back(judge_purchase(one, more, advisor, costs));
  return all;
}

// "It pays from 20 jobs a month on", "It never pays by the estimate, at best from ..."
std::string pays_in_words(const std::string& turns) {
  for (const std::string_view adverb : {"never", "always"})
    if (turns.starts_with(adverb)) return fmt::format("It {} pays{}", adverb, turns.substr(adverb.size()));
  return "It pays " + turns;
}

}  // namespace

std::vector<std::string> costs_in_words(const Configuration& one, const Configuration& more,
                                        const Advisor& advisor, const Costs& costs) {
  std::vector<std::string> sentences;
  for (const Judgement& found : all_judgements(one, more, advisor, costs)) {
    std::string sentence = fmt::format("By {}: ", found.name);
    if (found.verdict != Payoff::not_measured) sentence += phrase_of({.verdict = found.verdict}) + "; ";
    sentence += found.here;
    if (!found.turns.empty()) sentence += ". " + pays_in_words(found.turns);
    sentences.push_back(sentence + ".");
  }
  return sentences;
}

const DeclaredTable declared_items{
    {.command = "advise",
     .title = "Whether it pays",
     .page = "advise.md#whether-it-pays",
     .columns = {words("", "By time", "verdict, gain, and from where on it pays"),
                 words("", "By GPU-hours", "the same by GPU-hours"), words("", "By money", "by `--price`"),
                 words("", "By job length", "by `--samples`"), words("", "By energy", "by joules"),
                 words("", "By purchase", "by `--hardware-cost`")}}};
const DeclaredTable declared_costs_of_advice{
    {.command = "advise",
     .json = "costs",
     .page = "advise.md#whether-it-pays",
     .columns = {
         datum("by", "", "by what it is judged: time, GPU-hours, money, job length, energy, purchase"),
         columns::verdict, datum("gain", "", "of more GPUs over one").with_interval(),
         datum("pays_from", "", "price, samples or jobs a month from which it pays").with_interval(),
         datum("here", "", "what is gained, in words")}}};

ReportTable tidy_costs(const Configuration& one, const Configuration& more, const Advisor& advisor,
                       const Costs& costs) {
  ReportTable table = declared_costs_of_advice.empty();
  for (const Judgement& found : all_judgements(one, more, advisor, costs)) {
    TidyRow row;
    row.add("by", found.key)
        .add("verdict", std::string(word_of(found.verdict)))
        .add("gain", found.gain.centre)
        .add("gain_low", found.gain.low)
        .add("gain_high", found.gain.high)
        .add("pays_from", found.turn.centre)
        .add("pays_from_low", found.turn.low)
        .add("pays_from_high", found.turn.high)
        .add("here", found.here);
    append(std::move(row), table);
  }
  return table;
}

}  // namespace breakeven
