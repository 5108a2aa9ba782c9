// SPDX-License-Identifier: Apache-2.0
#include "src/report/advice/advice_costs.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/tidy/tidy_row.h"
#include "src/report/words/decision_words.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

struct Judgement {
  std::string_view key;         // "gpu_hours"
  std::string_view name;        // "GPU-hours"
  statistics::Interval gain{};  // of more GPUs over one, 95 %; of a purchase: money a month
  statistics::Payoff verdict = statistics::Payoff::not_measured;
  std::string here{};           // the gain in words
  statistics::Interval turn{};  // where it begins to pay, 95 %; infinite: never
  std::string turns{};          // the same in a sentence, or ""
};

std::string plain(double number) { return format_significant(number, 3); }

// "It pays from 5.90 jobs a month (2.31 to never).", of "pays from {} jobs a month".
std::string turn_in_words(const statistics::Interval& turn, statistics::Payoff verdict,
                          fmt::format_string<std::string> pays) {
  const auto end = [](double at) { return std::isinf(at) ? std::string("never") : plain(at); };
  if (std::isnan(turn.centre)) return "From where on it pays is not known.";
  if (std::isinf(turn.centre) && !std::isfinite(turn.low))
    return verdict == statistics::Payoff::does_not_pay ? "It never pays." : "At best it makes no difference.";
  if (std::isinf(turn.centre))
    return fmt::format("Best estimate: it never pays. At the other end of the interval it {}.",
                       turn.low > 0 ? fmt::format(pays, plain(turn.low)) : "always pays");
  if (turn.centre == 0 && turn.high == 0) return "It always pays.";
  std::string sentence = fmt::format("It {}", fmt::format(pays, plain(turn.centre)));
  if (!std::isnan(turn.low) && !std::isnan(turn.high))
    sentence += fmt::format(" ({} to {})", end(turn.low), end(turn.high));
  return sentence + ".";
}

// Where it is undecided whether more GPUs are faster, they may never pay.
statistics::Interval open_above(const statistics::Decision& by_time, statistics::Interval turn) {
  const bool is_open = by_time.verdict == statistics::Payoff::undecided && !std::isnan(turn.high);
  if (is_open) turn.high = std::numeric_limits<double>::infinity();
  return turn;
}

// A cost can only be saved by being faster, so a gain in it is no surer than that of time, whose verdict is
// corrected for multiple comparisons. An extrapolated speed decides nothing.
statistics::Payoff no_surer_than(const statistics::Decision& by_time, statistics::Payoff verdict) {
  if (by_time.is_extrapolated && verdict != statistics::Payoff::not_measured)
    return statistics::Payoff::undecided;
  const bool is_surer = verdict == statistics::Payoff::pays && by_time.verdict != statistics::Payoff::pays;
  return is_surer ? statistics::Payoff::undecided : verdict;
}

Judgement by_time(const predict::Configuration& more) {
  return {.key = "time",
          .name = "time",
          .gain = more.speedup,
          .verdict = more.decision.verdict,
          .here = fmt::format("the speed-up is {}", format_ratio(more.speedup))};
}

Judgement by_gpu_hours(const predict::Configuration& more) {
  const int gpus = more.what.gpus;
  const statistics::Interval gain = statistics::gain_in_gpu_hours(more.speedup, gpus);
  return {.key = "gpu_hours",
          .name = "GPU-hours",
          .gain = gain,
          .verdict = no_surer_than(more.decision, verdict_of(gain)),
          .here = fmt::format("a GPU-hour trains {} times the samples", format_ratio(gain)),
          .turns = fmt::format("It pays only above perfect scaling, a speed-up of {}.", gpus)};
}

// Without a price the GPU's hour is the unit of money.
Judgement by_money(const predict::Configuration& one, const predict::Configuration& more,
                   const statistics::HourlyCost& cost) {
  const statistics::HourlyCost in_units{cost.a_gpu > 0 ? cost.a_gpu : 1, cost.of_waiting};
  const statistics::Interval gain = statistics::gain_in_money(more.speedup, more.what.gpus, in_units);
  const statistics::Interval turn = open_above(
      more.decision, statistics::waiting_cost_needed(more.speedup, more.what.gpus, in_units.a_gpu));
  const statistics::Payoff verdict = no_surer_than(more.decision, verdict_of(gain));
  const auto of_million = [&](const predict::Configuration& config) {
    return (config.what.gpus * in_units.a_gpu + in_units.of_waiting) / 3600 * 1e6 / config.samples_per_second;
  };
  std::string here = fmt::format("the same money trains {} times the samples", format_ratio(gain));
  const SampleCount priced = samples_priced(std::fmin(of_million(more), of_million(one)));
  if (cost.a_gpu > 0)
    here += fmt::format("; a {} cost {}, on one GPU {}", priced.name,
                        plain(priced.millions * of_million(more)), plain(priced.millions * of_million(one)));
  return {
      .key = "money",
      .name = "money",
      .gain = gain,
      .verdict = verdict,
      .here = here,
      .turn = turn,
      .turns = cost.a_gpu > 0
                   ? turn_in_words(turn, verdict, "pays if an hour of waiting costs at least {}")
                   : turn_in_words(turn, verdict, "pays if an hour of waiting costs at least {} GPU-hours")};
}

// What more GPUs take to start: connecting, set-up and first step.
std::string start_in_words(double extra_seconds) {
  if (!std::isfinite(extra_seconds))
    return "start-up was not measured of both, so a short job's time is not known";
  return fmt::format("start-up takes {} {}", format_seconds(std::abs(extra_seconds)),
                     extra_seconds < 0 ? "less" : "more");
}

Judgement by_job_length(const predict::JobPair& pair, const predict::Configuration& more, double samples) {
  Judgement found{.key = "job_length",
                  .name = "job length",
                  .here = start_in_words(pair.extra_start().centre),
                  .turn = open_above(more.decision, pair.samples_needed())};
  if (samples > 0) {
    found.gain = pair.gain(samples);
    found.verdict = no_surer_than(more.decision, verdict_of(found.gain));
    found.here +=
        fmt::format("; {} samples are done {} times as fast", plain(samples), format_ratio(found.gain));
  }
  found.turns =
      turn_in_words(found.turn, samples > 0 ? found.verdict : more.decision.verdict, "pays from {} samples");
  return found;
}

std::string joules_of_million(const predict::Energy& energy) {
  const std::string text = plain(1e6 * energy.joules_a_sample.centre) + " J";
  return text + (energy.is_measured ? part_of_runs(energy.runs, energy.of_runs) : " (predicted)");
}

std::string why_no_energy(const predict::Advisor& advisor) {
  if (ran_on_host(advisor.results())) return "processor cores have no energy counter";
  const bool has_power = std::ranges::any_of(advisor.cases(), [](const analysis::MeasuredCase& measured) {
    return std::isfinite(measured.timed().readings.power_watts);
  });
  return has_power ? "no comparable run was long enough for the energy counter"
                   : "no energy counter was read";
}

Judgement by_energy(const predict::Configuration& one_gpu, const predict::Configuration& more_gpus,
                    const predict::Advisor& advisor) {
  const predict::Energy one = predict::energy_of(one_gpu, advisor),
                        more = predict::energy_of(more_gpus, advisor);
  const statistics::Interval gain = statistics::quotient(one.joules_a_sample, more.joules_a_sample);
  const std::string here =
      std::isnan(gain.centre)
          ? fmt::format("not known, because {}", why_no_energy(advisor))
          : fmt::format("a joule trains {} times the samples; a million take {}, on one GPU {}",
                        format_ratio(gain), joules_of_million(more), joules_of_million(one));
  return {.key = "energy", .name = "energy", .gain = gain, .verdict = verdict_of(gain), .here = here};
}

statistics::Payoff verdict_of_net(const statistics::Interval& net) {
  if (net.low > 0) return statistics::Payoff::pays;
  return net.high < 0 ? statistics::Payoff::does_not_pay : statistics::Payoff::undecided;
}

double jobs_of(const predict::PurchaseOutcome& outcome) {
  return outcome.jobs_needed.value_or(std::numeric_limits<double>::infinity());
}

std::string hours_in_words(const predict::PurchaseOutcome& outcome) {
  const bool saves = outcome.hours_saved_a_month >= 0;
  return fmt::format("{} hours {} a month are worth {}", plain(std::abs(outcome.hours_saved_a_month)),
                     saves ? "saved" : "lost", plain(std::abs(outcome.value_a_month)));
}

std::string purchase_in_words(const predict::Purchase& purchase, const predict::PurchaseOutcome& outcome,
                              const statistics::Interval& net, bool knows_energy) {
  std::string here =
      fmt::format("the monthly net gain is {} ({} to {}). The {}, hardware costs {}", plain(net.centre),
                  plain(net.low), plain(net.high), hours_in_words(outcome), plain(outcome.hardware_a_month));
  if (purchase.operating_a_month > 0)
    here += fmt::format(", operation {}", plain(purchase.operating_a_month));
  if (purchase.kilowatt_hour_price > 0)
    here += knows_energy ? ", energy " + plain(outcome.energy_a_month) : ", energy is not known";
  if (outcome.payback_months)
    here += fmt::format(". The hardware is paid back after {} months", plain(*outcome.payback_months));
  if (outcome.months_by_articles && purchase.operating_a_month > 0)
    here += fmt::format(" ({} by the articles' formula)", plain(*outcome.months_by_articles));
  return here;
}

// Is it worth buying the machine with more GPUs, for a job that runs so many times a month?
Judgement by_purchase(const predict::JobPair& pair, const predict::Configuration& one,
                      const predict::Configuration& more, const predict::Advisor& advisor,
                      const Costs& costs) {
  const double extra_joules = costs.job.samples * (predict::energy_of(more, advisor).joules_a_sample.centre -
                                                   predict::energy_of(one, advisor).joules_a_sample.centre);
  const double kilowatt_hours = std::isnan(extra_joules) ? 0 : extra_joules / 3.6e6;
  const predict::PurchaseBand band = pair.purchase(*costs.purchase, costs.job.samples, kilowatt_hours);
  const statistics::Interval net{band.at_centre.net_a_month, band.at_worst.net_a_month,
                                 band.at_best.net_a_month, 0};
  const statistics::Interval turn =
      open_above(more.decision, {jobs_of(band.at_centre), jobs_of(band.at_best), jobs_of(band.at_worst), 0});
  const statistics::Payoff verdict = no_surer_than(more.decision, verdict_of_net(net));
  return {.key = "purchase",
          .name = "purchase",
          .gain = net,
          .verdict = verdict,
          .here = purchase_in_words(*costs.purchase, band.at_centre, net, !std::isnan(extra_joules)),
          .turn = turn,
          .turns = turn_in_words(turn, verdict, "pays from {} jobs a month")};
}

std::vector<Judgement> all_judgements(const predict::Configuration& one, const predict::Configuration& more,
                                      const predict::Advisor& advisor, const Costs& costs) {
  const predict::JobPair pair(one, more, advisor);
  std::vector<Judgement> all{by_time(more), by_gpu_hours(more), by_money(one, more, costs.job.cost),
                             by_job_length(pair, more, costs.job.samples), by_energy(one, more, advisor)};
  if (costs.purchase) all.push_back(by_purchase(pair, one, more, advisor, costs));
  return all;
}

}  // namespace

std::vector<std::string> costs_in_words(const predict::Configuration& one, const predict::Configuration& more,
                                        const predict::Advisor& advisor, const Costs& costs) {
  std::vector<std::string> sentences;
  for (const Judgement& found : all_judgements(one, more, advisor, costs)) {
    const std::string verdict = found.verdict == statistics::Payoff::not_measured
                                    ? ""
                                    : ", it " + verb_of({.verdict = found.verdict});
    sentences.push_back(fmt::format("By {}{}: {}.{}{}", found.name, verdict, found.here,
                                    found.turns.empty() ? "" : " ", found.turns));
  }
  return sentences;
}

std::string purchase_in_brief(const predict::Configuration& one, const predict::Configuration& more,
                              const predict::Advisor& advisor, const Costs& costs) {
  if (!costs.purchase) return "";
  const Judgement found = by_purchase(predict::JobPair(one, more, advisor), one, more, advisor, costs);
  return fmt::format("Buying the machine with {} GPUs {}: the monthly net gain is {} ({} to {}). {}",
                     more.what.gpus, verb_of({.verdict = found.verdict}), plain(found.gain.centre),
                     plain(found.gain.low), plain(found.gain.high), found.turns);
}

const DeclaredTable declared_items{
    {.command = "advise",
     .title = "Whether it pays",
     .page = "advise.md#whether-it-pays",
     .columns = {words("", "By time", "verdict, gain, and from where on it pays"),
                 words("", "By GPU-hours", "the same by GPU-hours"), words("", "By money", "by `--price`"),
                 words("", "By job length", "by `--samples`"), words("", "By energy", "by joules"),
                 words("", "By purchase", "by `--hardware-cost`")}}};
const TidyTable<Judgement> cost_rows(
    {.command = "advise", .json = "costs", .page = "advise.md#whether-it-pays"},
    {{words("by", "", "by what it is judged: time, GPU-hours, money, job length, energy, purchase"),
      [](auto& one) { return Cell(one.key); }},
     {columns::verdict, [](auto& one) { return Cell(word_of(one.verdict)); }},
     {datum("gain", "", "of more GPUs over one"), &Judgement::gain},
     {datum("pays_from", "", "price, samples or jobs a month from which it pays"), &Judgement::turn},
     {words("here", "", "what is gained, in words"), [](auto& one) { return Cell(one.here); }}});

ReportTable tidy_costs(const predict::Configuration& one, const predict::Configuration& more,
                       const predict::Advisor& advisor, const Costs& costs) {
  return cost_rows.of(all_judgements(one, more, advisor, costs));
}

}  // namespace breakeven::report
