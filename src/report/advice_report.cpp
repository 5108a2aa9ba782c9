// SPDX-License-Identifier: Apache-2.0
// The answer first, then why, then what would change it, then how good predictions are.
#include "src/report/advice_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/report/advice_tables.h"
#include "src/report/columns.h"
#include "src/report/document.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/sections.h"

namespace breakeven::report {
namespace {

const predict::Configuration* fastest_single(const std::vector<predict::Configuration>& ways,
                                             const Level<Precision>& precision) {
  const predict::Configuration* best = nullptr;
  for (const predict::Configuration& way : ways) {
    const bool single = way.what.gpus == 1 && way.what.precision == precision && way.fits;
    if (single && (best == nullptr || way.seconds.centre < best->seconds.centre)) best = &way;
  }
  return best;
}

const predict::Configuration* fastest_shared(const std::vector<predict::Configuration>& ways) {
  const auto way = std::ranges::find_if(
      ways, [](const predict::Configuration& one) { return one.what.gpus > 1 && one.fits; });
  return way == ways.end() ? nullptr : &*way;
}

std::string samples(double at) { return format_count(static_cast<std::uint64_t>(std::llround(at))); }
std::string times(double at) { return format_significant(at, 3) + "×"; }

std::vector<Turning> look_around(const predict::Advisor& advisor, const predict::Query& query) {
  return {{"batch", "batch", "batches", samples, predict::scan_batches(advisor, query)},
          {"link_bandwidth", "link bandwidth", "link bandwidths (multiples of this machine's)", times,
           predict::scan_links(advisor, query)},
          {"hidden_widths", "hidden widths", "hidden widths (multiples of this model's)", times,
           predict::scan_widths(advisor, query)}};
}

// Everything that the report prints, computed once for all formats.
struct Advice {
  Advice(const analysis::FileAnalysis& file, const AdviceRequest& request)
      : request(request),
        file(file),
        results(file.results()),
        advisor(file),
        ways(advisor.configurations(request.query)) {
    if (ways.empty()) return;
    more = fastest_shared(ways);
    if (more != nullptr) one = fastest_single(ways, more->what.precision);
    turnings = look_around(advisor, request.query);
    if (request.costs.job.samples > 0) jobs = predict::estimate_jobs(ways, request.costs.job, advisor);
  }
  bool has_rivals() const { return one != nullptr && more != nullptr; }

  const AdviceRequest& request;
  const analysis::FileAnalysis& file;
  const Results& results;
  predict::Advisor advisor;
  std::vector<predict::Configuration> ways;
  const predict::Configuration* one = nullptr;   // the fastest single GPU
  const predict::Configuration* more = nullptr;  // the fastest on more, in the same precision
  std::vector<Turning> turnings;
  std::vector<predict::JobEstimate> jobs;
};

std::string answer(const Advice& advice) {
  const predict::Configuration& best = advice.ways.front();
  const predict::Query& query = advice.request.query;
  const ModelShape shape = std::get<ModelShape>(parse_model(query.model));
  std::string text = fmt::format(
      "{} is the fastest to train {} ({} parameters) at batch {} on {}: {} a step, {} samples/s ({}).",
      name_of_way(best), query.model, format_count(shape.parameters()), query.batch,
      machine_name(advice.results), format_seconds(best.seconds), format_rate(best.samples_per_second),
      best.is_measured ? std::string("measured") : fmt::format("predicted, {}", name_of(best.basis)));
  if (!best.fits) {
    text += fmt::format(" But no configuration fits into the {} of a GPU: this one needs {}.",
                        format_bytes(static_cast<double>(query.memory_limit_bytes)),
                        format_bytes(best.memory_bytes));
  }
  if (best.what.gpus > 1 && advice.one == nullptr) {
    const bool was_one = std::ranges::any_of(
        advice.ways, [](const predict::Configuration& way) { return way.what.gpus == 1 && !way.fits; });
    return text + (was_one ? " One GPU is no rival: the model and its batch do not fit into its memory."
                           : " The file tells of no single GPU to compare it with.");
  }
  if (best.what.gpus > 1) {
    return text + fmt::format(" It {}: its speed-up over the fastest single GPU is {}.",
                              verb_of(best.decision), format_ratio(best.speedup));
  }
  const auto rival =
      std::ranges::find_if(advice.ways, [](const predict::Configuration& way) { return way.what.gpus > 1; });
  if (rival == advice.ways.end()) return text + " The file tells of no configuration on more GPUs.";
  return text + fmt::format(" The fastest on more GPUs is {}. It {}: its speed-up over one GPU is {}.",
                            name_of_way(*rival), verb_of(rival->decision), format_ratio(rival->speedup));
}

// Where the question leaves what was measured; "" where it does not.
std::string beyond_in_words(std::string_view what, std::uint64_t asked,
                            const std::vector<std::uint64_t>& measured) {
  if (measured.empty()) return "";
  const auto [least, most] = std::ranges::minmax(measured);
  if (asked >= least && asked <= most) return "";
  return fmt::format(
      "{} {} is beyond those measured ({} to {}): times there are extrapolated, and their intervals do "
      "not cover that.",
      what, format_count(asked), format_count(least), format_count(most));
}

// What a reader must know before trusting the answer.
std::vector<std::string> warnings_of(const Advice& advice) {
  const predict::Query& query = advice.request.query;
  std::vector<std::uint64_t> batches, sizes;
  for (const analysis::CaseSummary& summary : advice.file.summaries()) {
    if (summary.done.empty()) continue;
    batches.push_back(summary.what.batch);
    sizes.push_back(summary.parameters);
  }
  const ModelShape shape = std::get<ModelShape>(parse_model(query.model));
  std::vector<std::string> sentences{beyond_in_words("Batch", query.batch, batches),
                                     beyond_in_words("A number of parameters of", shape.parameters(), sizes)};
  std::erase(sentences, "");
  std::ranges::copy(warnings(advice.file), std::back_inserter(sentences));
  return sentences;
}

// What would make a job meet its deadline.
std::string rescue_in_words(const predict::Rescue& rescue) {
  const auto plain = [](double number) { return format_significant(number, 3); };
  std::vector<std::string> changes;
  if (rescue.samples > 0) {
    changes.push_back(fmt::format("with {} samples", plain(rescue.samples)));
    changes.push_back(fmt::format("with steps {} times as fast", format_ratio(rescue.speedup)));
  } else {
    changes.push_back("with a shorter start, which alone takes longer");
  }
  if (rescue.batch > 0)
    changes.push_back(
        fmt::format("at batch {}, if training needs no more samples there", format_count(rescue.batch)));
  if (rescue.link_factor > 0)
    changes.push_back(fmt::format("on a link of {} times the bandwidth", plain(rescue.link_factor)));
  return fmt::format("It would be in time {}.", fmt::join(changes, ", or "));
}

// Which configuration is the cheapest that meets the deadline; where none surely does, what would have to
// change. "" where there is no deadline.
std::string deadline_in_words(const Advice& advice) {
  const predict::Job& job = advice.request.costs.job;
  if (!(job.deadline_seconds > 0)) return "";
  const std::string wanted = fmt::format("{} samples in {}", format_significant(job.samples, 3),
                                         format_duration(job.deadline_seconds));
  const predict::JobEstimate* best = predict::best_in_time(advice.jobs);
  if (best == nullptr)
    return fmt::format("Not known: no start was measured of a configuration that could train {}.", wanted);
  const std::string cost = std::isnan(best->cost) ? format_significant(best->gpu_hours, 3) + " GPU-hours"
                                                  : "at a cost of " + format_significant(best->cost, 3);
  const std::string found =
      fmt::format("{}: {}, {}.", name_of_way(*best->configuration), format_duration(best->seconds), cost);
  if (best->in_time == predict::InTime::surely)
    return fmt::format("The cheapest configuration that trains {} is {}", wanted, found);
  const std::string rescue =
      rescue_in_words(predict::rescue_of(*best, job, advice.request.query, advice.advisor));
  if (best->in_time == predict::InTime::perhaps)
    return fmt::format("It is undecided whether any configuration trains {}. The cheapest that may is {} {}",
                       wanted, found, rescue);
  return fmt::format("No configuration trains {}. The nearest is {} {}", wanted, found, rescue);
}

std::vector<std::string> turnings_in_words(const std::vector<Turning>& turnings) {
  std::vector<std::string> sentences;
  for (const Turning& turning : turnings) {
    if (turning.points.size() < 2) continue;
    std::vector<statistics::BreakEvenPoint> places;
    for (const predict::ScanPoint& point : turning.points) places.push_back(point.place);
    sentences.push_back(fmt::format("At other {}, more GPUs are {}.", turning.what,
                                    break_evens_in_words(places, turning.unit)));
  }
  return sentences;
}

const DeclaredTable declared_whole{
    {.command = "advise",
     .page = "advise.md",
     .columns = {columns::format, columns::version, columns::file, columns::answer,
                 datum("warnings", "", "what to read before trusting the answer"),
                 datum("ways", "", "the rows of the CSV, fastest first"),
                 datum("costs", "", "of more GPUs over one"), datum("jobs", "", "of `--samples`"),
                 datum("deadline", "", "the sentences of `--deadline`"),
                 datum("turning_points", "", "by direction"), datum("predictions", "", "how good they are"),
                 datum("selectors", "", "how often each is right"),
                 datum("map", "", "of `--map`: predicted speed-ups")}}};

nlohmann::ordered_json as_json(const Advice& advice) {
  const AdviceRequest& request = advice.request;
  nlohmann::ordered_json json{{"file", advice.results.path},
                              {"answer", answer(advice)},
                              {"warnings", warnings_of(advice)},
                              {"ways", render_json(ways_table(advice.ways))},
                              {"costs", nlohmann::ordered_json::array()},
                              {"jobs", render_json(job_table(advice.jobs, request.costs.job))},
                              {"deadline", deadline_in_words(advice)},
                              {"turning_points", render_json(turning_points_table(advice.turnings))},
                              {"predictions", render_json(prediction_quality_table(advice.advisor.model()))},
                              {"selectors", render_json(selectors_table(advice.advisor))}};
  if (advice.has_rivals())
    json["costs"] = render_json(tidy_costs(*advice.one, *advice.more, advice.advisor, request.costs));
  if (request.with_map)
    json["map"] = render_json(map_table(predict::map_speedups(advice.advisor, request.query)));
  return json;
}

void add_costs(const Advice& advice, Document& document) {
  if (!advice.has_rivals()) return;
  document.heading(
      2, fmt::format("Whether it pays: {} against the fastest single GPU", name_of_way(*advice.more)));
  for (const std::string& sentence :
       costs_in_words(*advice.one, *advice.more, advice.advisor, advice.request.costs))
    document.item(sentence);
}

Document document_of(const Advice& advice) {
  Document document;
  document.heading(1, "breakeven advise: " + advice.results.path);
  document.item(answer(advice));
  const std::string deadline = deadline_in_words(advice);
  if (!deadline.empty()) document.item(deadline);
  for (const std::string& sentence : turnings_in_words(advice.turnings)) document.item(sentence);
  const std::vector<std::string> sentences = warnings_of(advice);
  if (!sentences.empty()) document.heading(2, "Read before trusting these numbers");
  for (const std::string& sentence : sentences) document.item(sentence);
  document.heading(2, "The configurations");
  document.table(ways_table(advice.ways));
  document.table(job_table(advice.jobs, advice.request.costs.job));
  add_costs(advice, document);
  document.heading(2, "Why, and what would change the answer");
  if (advice.has_rivals()) document.table(why_table(*advice.more, *advice.one));
  document.table(turning_points_table(advice.turnings));
  document.heading(2, "How good the predictions are");
  document.paragraph(
      "Each measured case was predicted as if it had not been measured, in three ways. Calibrated: with the "
      "other cases of its model. Fitted: without any case of its model. Roofline: from the roofline and the "
      "factors of one GPU alone. Each has the median error, and the error that 95 % should stay within.");
  document.table(prediction_quality_table(advice.advisor.model()));
  document.table(selectors_table(advice.advisor));
  return document;
}

}  // namespace

std::string make_advice_report(const analysis::FileAnalysis& analysis, const AdviceRequest& request,
                               ReportFormat format) {
  const Advice advice(analysis, request);
  if (advice.ways.empty()) {
    throw Failure(ExitCode::file,
                  fmt::format("'{}' has no measurements from which {} at batch {} can be predicted",
                              advice.results.path, request.query.model, request.query.batch));
  }
  return print({.name = "breakeven advice",
                .version = advice_report_version,
                .document = [&] { return document_of(advice); },
                .rows = [&] { return ways_table(advice.ways); },
                .json = [&] { return as_json(advice); }},
               format);
}

}  // namespace breakeven::report
