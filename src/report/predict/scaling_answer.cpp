// SPDX-License-Identifier: Apache-2.0
#include "src/report/predict/scaling_answer.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/strategy/case_strategy.h"
#include "src/core/text/lists.h"
#include "src/report/advice/advice_tables.h"
#include "src/report/advice/measured_range.h"
#include "src/report/advice/no_prediction.h"
#include "src/report/format/numbers.h"
#include "src/report/predict/scaling_tables.h"
#include "src/report/words/decision_words.h"
#include "src/report/words/machine.h"

namespace breakeven::report {
namespace {

using Points = std::vector<predict::ScalePoint>;

const predict::ScalePoint& point_on(int gpus, const Points& points) {
  return *std::ranges::find_if(points,
                               [&](const predict::ScalePoint& one) { return one.best.what.gpus == gpus; });
}

// "2, 4 and 8 to 64": numbers of `all` that follow each other there, three or more, are drawn together. What
// is not in `all`, such as what does not fit, stands alone.
std::string in_words(const std::vector<int>& some, const std::vector<int>& all) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < some.size();) {
    const auto place = std::ranges::find(all, some[i]);
    const auto following = static_cast<std::size_t>(all.end() - place);
    std::size_t length = 1;
    while (i + length < some.size() && length < following &&
           some[i + length] == place[static_cast<std::ptrdiff_t>(length)])
      ++length;
    if (length < 3) length = 1;
    parts.push_back(length == 1 ? fmt::format("{}", some[i])
                                : fmt::format("{} to {}", some[i], some[i + length - 1]));
    i += length;
  }
  if (parts.size() < 2) return join_list(parts);
  const std::string last = parts.back();
  parts.pop_back();
  return fmt::format("{} and {}", join_list(parts), last);
}

// The request, and the measurements and size of its model.
struct Asked {
  const ScalingRequest& request;
  CaseRange measured;
  std::uint64_t parameters;
};

std::string speed_in_words(const predict::Configuration& config, const Asked& asked) {
  std::string text = fmt::format(
      "{} a step, {} samples/s ({})", range_of(config.seconds),
      format_rate(config.samples_per_second, config.seconds),
      config.is_measured
          ? "measured"
          : prediction_in_words("predicted", case_range_of(config.what, asked.parameters), asked.measured));
  if (config.what.gpus == 1 || std::isnan(config.speedup.centre)) return text;
  return fmt::format("{} times as fast as one GPU, {}", format_ratio(config.speedup), text);
}

bool is_too_large_for_one(const Points& points) {
  return std::ranges::any_of(
      points, [](const predict::ScalePoint& point) { return point.best.what.gpus == 1 && !point.best.fits; });
}

// What to do, and how sure that is.
std::string recommendation_in_words(const predict::ScaleAnswer& found, const Points& points,
                                    const Asked& asked) {
  const predict::Configuration& config = point_on(found.recommended, points).best;
  const std::string name = config.what.gpus == 1 ? fmt::format("one GPU{}", in_precision(config.what))
                                                 : name_of_configuration(config);
  const std::string text = fmt::format("Use {}: {}.", name, speed_in_words(config, asked));
  if (is_too_large_for_one(points)) return text + " One GPU cannot hold the model and its batch.";
  if (config.what.gpus > 1)
    return fmt::format(
        "{} {} {}{}.", text, config.measured_speedup != nullptr ? "It" : "By prediction it",
        verb_of(config.decision),
        config.decision.verdict == statistics::Payoff::pays
            ? fmt::format(": its whole 95 % interval is above {:.2f}", 1 + statistics::practical_equivalence)
            : "");
  if (!found.faster.empty() || found.tried.empty()) return text;
  if (found.tried.size() == 1) return fmt::format("{} {} GPUs are not faster.", text, found.tried.front());
  return fmt::format("{} No number of GPUs tried ({}) is faster.", text, in_words(found.tried, found.tried));
}

// " More GPUs (8 to 64) are not faster."; "" where others of those that can be recommended are.
std::string slower_in_words(const predict::ScaleAnswer& found, const Points& points) {
  const predict::Configuration& config = point_on(found.recommended, points).best;
  if (config.what.gpus == 1) return "";
  std::vector<int> slower;
  for (const predict::ScalePoint& point : points)
    if (point.best.what.gpus > config.what.gpus && point.recommended == predict::Recommendation::yes &&
        !(point.best.samples_per_second > config.samples_per_second))
      slower.push_back(point.best.what.gpus);
  return slower.empty() ? "" : fmt::format(" More GPUs ({}) are not faster.", in_words(slower, found.tried));
}

// " Not recommended: ..."; "" where all are.
std::string refusals_in_words(const predict::ScaleAnswer& found, const Points& points,
                              double least_efficiency) {
  std::vector<std::string> parts;
  const auto add = [&](predict::Recommendation why, const std::string& reason) {
    std::vector<int> gpus;
    for (const predict::ScalePoint& point : points)
      if (point.recommended == why && point.best.what.gpus > 1) gpus.push_back(point.best.what.gpus);
    if (!gpus.empty()) parts.push_back(fmt::format("{} GPUs ({})", in_words(gpus, found.tried), reason));
  };
  add(predict::Recommendation::does_not_fit, "memory");
  add(predict::Recommendation::uncertain,
      fmt::format("the interval spans a factor of {} or more", predict::uncertain_span));
  add(predict::Recommendation::inefficient,
      fmt::format("efficiency under {}", format_percent(least_efficiency)));
  return parts.empty() ? "" : fmt::format(" Not recommended: {}.", join_list(parts));
}

std::string alternative_in_words(const predict::ScaleAnswer& found, const Points& points,
                                 const Asked& asked) {
  if (found.alternative == 0) return "";
  const predict::Configuration& config = point_on(found.alternative, points).best;
  return fmt::format(" By the best estimate {} is faster: {}. But that is {}.{}",
                     name_of_configuration(config), speed_in_words(config, asked),
                     found.recommended == 1 ? "not certain" : "less certain",
                     why_undecided(config.decision, config.speedup));
}

// The nearest numbers of GPUs over which the batch divides evenly: "2, 4 or 8".
std::string even_numbers_near(std::uint32_t batch, const std::vector<int>& gpus) {
  std::set<int> numbers;
  for (const int count : gpus) {
    int below = count - 1, above = count + 1;
    while (below > 1 && !uneven_batch(batch, below).empty()) --below;
    while (static_cast<std::uint32_t>(above) < batch && !uneven_batch(batch, above).empty()) ++above;
    if (below > 1) numbers.insert(below);
    if (static_cast<std::uint32_t>(above) <= batch) numbers.insert(above);
  }
  if (numbers.size() < 2) return fmt::format("{}", fmt::join(numbers, ""));
  const int last = *numbers.rbegin();
  numbers.erase(last);
  return fmt::format("{} or {}", fmt::join(numbers, ", "), last);
}

std::string uneven_in_words(const std::vector<int>& gpus, std::uint32_t batch) {
  const std::string near = even_numbers_near(batch, gpus);
  return fmt::format("batch {} does not divide evenly over {} GPUs{}", format_count(batch),
                     in_words(gpus, gpus), near.empty() ? "" : fmt::format(" (use {})", near));
}

std::string choice_in_words(const Points& points, const Asked& asked, const Results& results) {
  const ScalingRequest& request = asked.request;
  const predict::ScaleAnswer found = predict::answer_of(points);
  std::string answer = "No number of GPUs can be recommended.";
  if (found.recommended > 0)
    answer = recommendation_in_words(found, points, asked) + slower_in_words(found, points);
  answer +=
      refusals_in_words(found, points, request.least_efficiency) + alternative_in_words(found, points, asked);
  return fmt::format("{} This is for {} ({} parameters) at batch {}{} on {}, from measurements on {}.",
                     answer, request.query.model, format_count(asked.parameters),
                     format_count(request.query.batch), request.scaling == Scaling::weak ? " a GPU" : "",
                     request.machine.name, machine_name(results));
}

}  // namespace

std::string scaling_answer(const Points& points, const ScalingRequest& request,
                           const analysis::FileAnalysis& analysis) {
  const Results& results = analysis.results();
  const ModelShape shape = std::get<ModelShape>(parse_model(request.query.model));
  std::vector<statistics::Decision> decisions;
  for (const predict::ScalePoint& point : points) decisions.push_back(point.best.decision);
  std::string text = choice_in_words(
      points, {.request = request, .measured = measured_range(analysis), .parameters = shape.parameters()},
      results);
  for (const std::string& sentence :
       {how_to_decide(decisions, recorded_by(results)), missing_precisions_in_words(results, request.query)})
    text += (sentence.empty() ? "" : " ") + sentence;
  return text;
}

std::string left_out_in_words(const Points& points, const ScalingRequest& request) {
  const std::uint32_t batch = request.query.batch;
  std::vector<int> uneven, impossible;
  for (const int gpus : request.gpus) {
    const auto is_there = [&](const predict::ScalePoint& point) { return point.best.what.gpus == gpus; };
    if (gpus == 1 || std::ranges::any_of(points, is_there)) continue;
    const bool is_uneven = request.scaling == Scaling::strong && !uneven_batch(batch, gpus).empty();
    (is_uneven ? uneven : impossible).push_back(gpus);
  }
  std::vector<std::string> reasons;
  if (!uneven.empty()) reasons.push_back(uneven_in_words(uneven, batch));
  if (!impossible.empty())
    reasons.push_back(fmt::format("no measured strategy can train {} at batch {} on {} GPUs",
                                  request.query.model, format_count(batch),
                                  in_words(impossible, impossible)));
  return reasons.empty() ? "" : fmt::format("Left out of --gpus: {}.", fmt::join(reasons, "; "));
}

}  // namespace breakeven::report
