// SPDX-License-Identifier: Apache-2.0
// The answer first, then why, then what would change it, then how good predictions are.
#include "src/report/advice/advice_report.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "src/core/failure.h"
#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"
#include "src/report/advice/advice_break_evens.h"
#include "src/report/advice/advice_quality.h"
#include "src/report/advice/advice_tables.h"
#include "src/report/advice/no_prediction.h"
#include "src/report/format/columns.h"
#include "src/report/format/document.h"
#include "src/report/format/numbers.h"
#include "src/report/report.h"
#include "src/report/warnings/warnings.h"
#include "src/report/words/decision_words.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

// Everything that the report prints, computed once for all formats.
struct Advice {
  Advice(const analysis::FileAnalysis& file, const AdviceRequest& request)
      : request(request),
        file(file),
        results(file.results()),
        advisor(file),
        configs(advisor.configurations(request.query)),
        reviews(predict::review_held_out(advisor.model())),
        measured(measured_range(file)) {
    if (configs.empty()) return;
    more = predict::fastest_shared(configs);
    if (more != nullptr) one = predict::fastest_single(configs, more->what.precision);
    turnings = look_around(advisor, file, request.query, one);
    if (request.costs.job.samples > 0) jobs = predict::estimate_jobs(configs, request.costs.job, advisor);
  }
  bool has_rivals() const { return one != nullptr && more != nullptr; }
  CaseRange asked_of(const predict::Configuration& config) const {
    return case_range_of(config.what, advisor.parameters_of(request.query.model));
  }

  const AdviceRequest& request;
  const analysis::FileAnalysis& file;
  const Results& results;
  predict::Advisor advisor;
  std::vector<predict::Configuration> configs;
  std::vector<predict::HeldOutReview> reviews;
  CaseRange measured;
  const predict::Configuration* one = nullptr;   // the fastest single GPU
  const predict::Configuration* more = nullptr;  // the fastest on more, in the same precision
  std::vector<Turning> turnings;
  std::vector<predict::JobEstimate> jobs;
};

// "It pays", if both sides of the speed-up were measured, or "By prediction it pays".
std::string verdict_sentence(const predict::Configuration& config) {
  return (config.measured_speedup != nullptr ? "It " : "By prediction it ") + verb_of(config.decision);
}

std::string choice_in_words(const Advice& advice) {
  const predict::Configuration& best = advice.configs.front();
  const predict::Query& query = advice.request.query;
  std::string text;
  if (!best.fits) {
    text = fmt::format("No configuration fits into the {} of a GPU. Without this limit, ",
                       format_bytes(static_cast<double>(query.memory_limit_bytes)));
  }
  text += fmt::format("{}{} is the fastest to train {}{} at batch {} on {}: {} a step, {} samples/s ({}).",
                      name_of_configuration(best),
                      best.fits ? "" : fmt::format(" (needs {})", format_bytes(best.memory_bytes)),
                      query.model, parameters_in_brackets(advice.advisor.parameters_of(query.model)),
                      format_count(query.batch), machine_name(advice.results), format_seconds(best.seconds),
                      format_rate(best.samples_per_second, best.seconds),
                      best.is_measured
                          ? std::string("measured")
                          : prediction_in_words(basis_of(best), advice.asked_of(best), advice.measured));
  if (best.what.gpus > 1 && advice.one == nullptr) {
    const bool was_one = std::ranges::any_of(advice.configs, [](const predict::Configuration& config) {
      return config.what.gpus == 1 && !config.fits;
    });
    return text + (was_one ? " One GPU cannot train it: the model and its batch do not fit into its memory."
                           : " The file has no single GPU to compare it with.");
  }
  if (best.what.gpus > 1) {
    return text + fmt::format(" {}: its speed-up over the fastest single GPU is {}.{}",
                              verdict_sentence(best), format_ratio(best.speedup),
                              why_undecided(best.decision, best.speedup));
  }
  const auto rival = std::ranges::find_if(
      advice.configs, [](const predict::Configuration& config) { return config.what.gpus > 1; });
  if (rival == advice.configs.end()) return text + " The file has no configuration on more GPUs.";
  return text + fmt::format(" The fastest on more GPUs is {}. {}: its speed-up over one GPU is {}.{}",
                            name_of_configuration(*rival), verdict_sentence(*rival),
                            format_ratio(rival->speedup), why_undecided(rival->decision, rival->speedup));
}

std::string answer(const Advice& advice) {
  std::vector<statistics::Decision> decisions;
  for (const predict::Configuration& config : advice.configs) decisions.push_back(config.decision);
  const std::string next = how_to_decide(decisions, recorded_by(advice.results));
  return choice_in_words(advice) + (next.empty() ? "" : " ") + next;
}

std::vector<std::string> warnings_of(const Advice& advice) {
  return advice_warnings(advice.advisor, advice.file, advice.request.query, advice.configs.front());
}

std::string deadline_of(const Advice& advice) {
  return deadline_in_words(advice.jobs, advice.request.costs.job, advice.request.query, advice.advisor);
}

const DeclaredTable declared_advice{
    {.command = "advise",
     .page = "advise.md",
     .format = "breakeven advice",
     .version = 2,
     .columns = {columns::format, columns::version, columns::file, columns::answer,
                 datum("warnings", "", "what to read before trusting the answer").typed(JsonType::texts),
                 datum("configurations", "", "the rows of the CSV, fastest first"),
                 datum("costs", "", "of more GPUs over one"), datum("jobs", "", "of `--samples`"),
                 words("deadline", "", "the sentences of `--deadline`"),
                 datum("break_evens", "", "bands of every plan, and of the fastest by direction"),
                 datum("turning_points", "", "every value tried, by direction"),
                 datum("predictions", "", "how good they are"),
                 datum("coverage", "", "of the intervals of predicted speed-ups"),
                 datum("selectors", "", "how often each is right"),
                 datum("map", "", "of `--map`: predicted speed-ups").elsewhere()}}};

ReportTable way_rows(const Advice& advice) {
  std::vector<statistics::Interval> break_evens;
  for (const predict::Configuration& config : advice.configs)
    break_evens.push_back(break_even_batch(config.what, advice.turnings));
  return tidy_configurations(advice.configs, break_evens);
}

nlohmann::ordered_json as_json(const Advice& advice) {
  const AdviceRequest& request = advice.request;
  nlohmann::ordered_json json{
      {"file", advice.results.path},
      {"answer", answer(advice)},
      {"warnings", warnings_of(advice)},
      {"configurations", render_json(way_rows(advice))},
      {"costs", nlohmann::ordered_json::array()},
      {"jobs", render_json(job_table(advice.jobs, request.costs.job))},
      {"deadline", deadline_of(advice)},
      {"break_evens", render_json(tidy_bands(advice.turnings))},
      {"turning_points", render_json(turning_points_table(advice.turnings))},
      {"predictions", render_json(prediction_quality_table(advice.advisor.model()))},
      {"coverage", render_json(coverage_table(advice.reviews))},
      {"selectors", render_json(selectors_table(advice.reviews, advice.advisor.cases()))}};
  if (advice.has_rivals())
    json["costs"] = render_json(tidy_costs(*advice.one, *advice.more, advice.advisor, request.costs));
  if (request.with_map)
    json["map"] = render_json(map_table(predict::map_speedups(advice.advisor, request.query)));
  return json;
}

void print_answer(const Advice& advice, Document& document, bool) {
  document.item(answer(advice));
  const std::string purchase =
      advice.has_rivals() ? purchase_in_brief(*advice.one, *advice.more, advice.advisor, advice.request.costs)
                          : "";
  for (const std::string& sentence : {purchase, deadline_of(advice)})
    if (!sentence.empty()) document.item(sentence);
  for (const std::string& sentence : turnings_in_words(advice.turnings)) document.item(sentence);
}

void print_all_warnings(const Advice& advice, Document& document, bool is_brief) {
  print_warnings(is_brief ? in_brief(warnings_of(advice)) : warnings_of(advice), document);
}

void print_configurations(const Advice& advice, Document& document, bool is_brief) {
  constexpr std::size_t most_in_brief = 8;  // the fastest
  document.heading(2, "The configurations");
  for (ReportTable table : {configurations_table(advice.configs),
                            without_unknown_columns(job_table(advice.jobs, advice.request.costs.job))}) {
    const std::size_t rows = table.rows.size();
    if (is_brief && rows > most_in_brief) table.rows.resize(most_in_brief);
    const std::size_t left_out = rows - table.rows.size();
    document.table(std::move(table));
    if (left_out > 0) document.item(fmt::format("{} more: --sections configurations.", left_out));
  }
}

void print_costs(const Advice& advice, Document& document, bool) {
  if (!advice.has_rivals()) return;
  const std::string beyond = beyond_in_words(advice.asked_of(*advice.more), advice.measured);
  document.heading(2, fmt::format("Whether it pays: {} against the fastest single GPU{}",
                                  name_of_configuration(*advice.more), beyond.empty() ? "" : ", " + beyond));
  for (const std::string& sentence :
       costs_in_words(*advice.one, *advice.more, advice.advisor, advice.request.costs))
    document.item(sentence);
}

void print_why(const Advice& advice, Document& document, bool) {
  document.heading(2, "Why, and what would change the answer");
  if (advice.has_rivals() && has_formula(advice.more->what))
    document.table(why_table(*advice.more, *advice.one));
  document.table(bands_table(advice.turnings));
  document.table(turning_points_table(advice.turnings));
}

void print_predictions(const Advice& advice, Document& document, bool) {
  document.heading(2, "How good the predictions are");
  if (const std::string words = interpolation_in_words(advice.advisor.between_batches()); !words.empty())
    document.paragraph(words);
  if (advice.advisor.model().families().empty()) return;
  document.paragraph(
      "Each measured case was predicted as if it had not been measured, in three ways. Calibrated: with the "
      "other cases of its model. Fitted: without any case of its model. Roofline: from the roofline and the "
      "factors of one GPU alone. Each has the median error, and the error that 95 % should stay within.");
  document.table(prediction_quality_table(advice.advisor.model()));
  document.table(coverage_table(advice.reviews));
  for (const std::string& sentence : selectors_in_words(advice.reviews)) document.item(sentence);
  document.table(selectors_table(advice.reviews, advice.advisor.cases()));
}

struct AdviceSection {
  std::string_view name;
  std::string_view holds;
  void (*print)(const Advice& advice, Document& document, bool is_brief);
  bool in_brief = true;
};

constexpr std::array sections{
    AdviceSection{"answer", "the fastest configuration, and where that changes", print_answer},
    AdviceSection{"warnings", "what to read before trusting the numbers", print_all_warnings},
    AdviceSection{"configurations", "each with its step, speed-up and memory", print_configurations},
    AdviceSection{"costs", "whether it pays by time, GPU-hours, money, job length, energy", print_costs},
    AdviceSection{"why", "where the time goes, and what would change the answer", print_why, false},
    AdviceSection{"predictions", "how good predictions are", print_predictions, false}};

Document document_of(const Advice& advice) {
  const std::vector<std::string>& asked = advice.request.sections;
  const auto is_asked = [&](std::string_view name) { return std::ranges::find(asked, name) != asked.end(); };
  Document document;
  document.heading(1, "breakeven advise: " + advice.results.path);
  std::vector<std::string> left_out;
  for (const AdviceSection& section : sections) {
    if (asked.empty() ? section.in_brief : is_asked(section.name) || is_asked(every_section))
      section.print(advice, document, asked.empty());
    else
      left_out.emplace_back(section.name);
  }
  if (asked.empty()) {
    document.heading(2, "More");
    document.paragraph(fmt::format("{} Left out: {}.", how_to_print_more, join_list(left_out)));
  }
  return document;
}

}  // namespace

std::vector<std::string> advice_section_names() {
  std::vector<std::string> names;
  for (const AdviceSection& section : sections) names.emplace_back(section.name);
  return names;
}

std::vector<std::string> described_advice_sections() {
  std::vector<std::string> words;
  for (const AdviceSection& section : sections)
    words.push_back(fmt::format("{} ({})", section.name, section.holds));
  return words;
}

std::string make_advice_report(const analysis::FileAnalysis& analysis, const AdviceRequest& request,
                               ReportFormat format) {
  const Advice advice(analysis, request);
  if (request.query.most_gpus > advice.advisor.most_gpus()) {
    if (recorded_by(advice.results) != RecordedBy::run)  // which `predict` cannot extrapolate
      throw Failure(ExitCode::usage,
                    fmt::format("--gpus {} is more than the {} that '{}' measured", request.query.most_gpus,
                                advice.advisor.most_gpus(), advice.results.path));
    throw Failure(
        ExitCode::usage,
        fmt::format("--gpus {} is more than the {} that '{}' measured. For more, run: breakeven predict "
                    "{} --model {} --batch {} --gpus {}",
                    request.query.most_gpus, advice.advisor.most_gpus(), advice.results.path,
                    advice.results.path, request.query.model, request.query.batch, request.query.most_gpus));
  }
  if (advice.configs.empty()) throw Failure(ExitCode::file, why_no_prediction(advice.file, request.query));
  return print({.whole = declared_advice,
                .document = [&] { return document_of(advice); },
                .rows = [&] { return way_rows(advice); },
                .json = [&] { return as_json(advice); },
                .docs = request.docs},
               format);
}

}  // namespace breakeven::report
