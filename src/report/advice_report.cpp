// SPDX-License-Identifier: Apache-2.0
// The answer first, then why, then what would turn it, then how good predictions are.
#include "src/report/advice_report.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "kernels/failure.h"
#include "src/report/document.h"
#include "src/report/machine.h"
#include "src/report/numbers.h"
#include "src/report/prediction_quality.h"
#include "src/report/turning_points.h"

namespace breakeven {
namespace {

const Way* fastest_single(const std::vector<Way>& ways, const std::string& precision) {
  const Way* best = nullptr;
  for (const Way& way : ways) {
    const bool single = way.what.gpus == 1 && way.what.precision == precision && way.fits;
    if (single && (best == nullptr || way.seconds.centre < best->seconds.centre)) best = &way;
  }
  return best;
}

std::string basis_of(const Way& way) {
  return way.is_measured ? std::string("measured") : fmt::format("predicted, {}", name_of(way.basis));
}

std::string name_of_way(const Way& way) {
  return fmt::format("{}{} on {} in {}", way.what.strategy, nccl_suffix(way.what),
                     way.what.gpus == 1 ? std::string("one GPU") : fmt::format("{} GPUs", way.what.gpus),
                     way.what.precision);
}

std::string answer(const std::vector<Way>& ways, const Question& question, const Results& results) {
  const Way& best = ways.front();
  const ModelShape shape = std::get<ModelShape>(parse_model(question.model));
  std::string text = fmt::format(
      "On {}, {} ({} parameters) at batch {} is trained fastest by {}: {} a step, {} samples/s ({})",
      machine_name(results), question.model, format_count(shape.parameters()), question.batch,
      name_of_way(best), format_seconds(best.seconds), format_rate(best.samples_per_second), basis_of(best));
  if (best.what.gpus > 1) {
    return text + fmt::format(". That is {} times as fast as the fastest single GPU: {}.",
                              format_ratio(best.speedup), phrase_of({.verdict = best.verdict}));
  }
  const auto rival = std::ranges::find_if(ways, [](const Way& way) { return way.what.gpus > 1; });
  if (rival == ways.end()) return text + "; no way on more than one GPU is known for it.";
  return text + fmt::format(". The fastest way on more, {}, is {} times as fast: {}.", name_of_way(*rival),
                            format_ratio(rival->speedup), phrase_of({.verdict = rival->verdict}));
}

ReportTable ways_table(const std::vector<Way>& ways) {
  ReportTable table{"Ways to train it, the fastest first; 95 % intervals",
                    {{"gpus", "GPUs"},
                     {"strategy", "Strategy", Align::left},
                     {"precision", "Precision", Align::left},
                     {"step_seconds", "Step", Align::left},
                     {"samples_per_second", "Samples/s"},
                     {"speedup", "Speed-up", Align::left},
                     {"verdict", "Verdict", Align::left},
                     {"memory_bytes", "Memory of a rank"},
                     {"fits", "Fits", Align::left},
                     {"basis", "Basis", Align::left}},
                    {}};
  for (const Way& way : ways) {
    table.rows.push_back({exact(static_cast<std::uint64_t>(way.what.gpus)),
                          way.what.strategy + nccl_suffix(way.what), way.what.precision,
                          Cell(format_seconds(way.seconds), way.seconds.centre),
                          Cell(format_rate(way.samples_per_second), way.samples_per_second),
                          Cell(format_ratio(way.speedup), way.speedup.centre),
                          way.what.gpus > 1 ? phrase_of({.verdict = way.verdict}) : "base",
                          Cell(format_bytes(way.memory_bytes), way.memory_bytes),
                          Cell(way.fits ? "yes" : "no", way.fits), basis_of(way)});
  }
  return table;
}

// Of the best way and of the fastest single GPU: what their steps are made of, by the model.
ReportTable why_table(const Way& best, const Way& single) {
  ReportTable table{"Why: what a step is made of, by the fitted model",
                    {{"part", "Part", Align::left},
                     {"single_seconds", "One GPU"},
                     {"best_seconds", best.what.strategy},
                     {"meaning", "What it is", Align::left}},
                    {}};
  for (std::size_t i = 0; i < step_term_count; ++i) {
    table.rows.push_back(
        {std::string(step_terms[i].name), Cell(format_seconds(single.parts[i]), single.parts[i]),
         Cell(format_seconds(best.parts[i]), best.parts[i]), std::string(step_terms[i].meaning)});
  }
  return table;
}

const Way* fastest_shared(const std::vector<Way>& ways) {
  const auto way = std::ranges::find_if(ways, [](const Way& one) { return one.what.gpus > 1 && one.fits; });
  return way == ways.end() ? nullptr : &*way;
}

std::string money(const Way& single, const Way& shared, double price_an_hour) {
  const auto cost = [&](const Way& way) {
    return way.what.gpus * price_an_hour / 3600 * 1e6 / way.samples_per_second;
  };
  return fmt::format("At {:g} an hour and GPU a million samples cost {} on one GPU and {} by {}.",
                     price_an_hour, format_significant(cost(single), 3), format_significant(cost(shared), 3),
                     name_of_way(shared));
}

nlohmann::ordered_json as_json(const std::vector<Way>& ways, const Advisor& advisor, const Results& results,
                               const AdviceRequest& request) {
  return {{"advice_version", advice_report_version},
          {"file", results.path},
          {"answer", answer(ways, request.question, results)},
          {"ways", render_json(ways_table(ways))},
          {"turning_points", render_json(turning_points_table(look_around(advisor, request.question)))},
          {"predictions", render_json(prediction_quality_table(advisor.model()))},
          {"selectors", render_json(selectors_table(advisor))}};
}

Document document_of(const std::vector<Way>& ways, const Advisor& advisor, const Results& results,
                     const AdviceRequest& request) {
  Document document;
  document.heading(1, "breakeven advise: " + results.path);
  document.item(answer(ways, request.question, results));
  const Way* shared = fastest_shared(ways);
  const Way* single = shared == nullptr ? nullptr : fastest_single(ways, shared->what.precision);
  if (single != nullptr && request.price_an_hour > 0)
    document.item(money(*single, *shared, request.price_an_hour));
  const std::vector<Turning> turnings = look_around(advisor, request.question);
  for (const std::string& sentence : turning_points(turnings)) document.item(sentence);
  document.table(ways_table(ways));
  if (single != nullptr) document.table(why_table(*shared, *single));
  document.table(turning_points_table(turnings));
  document.heading(2, "How good the predictions are");
  document.paragraph(prediction_quality_in_words());
  document.table(prediction_quality_table(advisor.model()));
  document.table(selectors_table(advisor));
  return document;
}

}  // namespace

std::string make_advice_report(const Results& results, const AdviceRequest& request, ReportFormat format) {
  const Advisor advisor(results);
  const std::vector<Way> ways = advisor.ways(request.question);
  if (ways.empty()) {
    throw Failure(ExitCode::file, fmt::format("'{}' holds nothing from which {} at batch {} could be told",
                                              results.path, request.question.model, request.question.batch));
  }
  if (format == ReportFormat::csv) return render_csv(ways_table(ways));
  if (format == ReportFormat::json)
    return as_json(ways, advisor, results, request)
               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
  const Document document = document_of(ways, advisor, results, request);
  return format == ReportFormat::markdown ? document.markdown() : document.text();
}

}  // namespace breakeven
