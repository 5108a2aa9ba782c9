// SPDX-License-Identifier: Apache-2.0
// Grouping of a file's cases.
#include "src/report/analysis.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <tuple>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/numbers.h"

namespace breakeven {
namespace {

// A strategy whose step cannot be a graph stands beside those whose can: so does the best single GPU.
auto group_key(const Case& what) {
  return std::tuple(what.model, what.precision, what.gemm, what.graph || !traits_of(what).capturable,
                    what.data);
}

// The single GPU stands above what is compared with it.
auto line_order(const Case& what) {
  return std::tuple(what.batch, what.gpus, what.strategy != "single", what.strategy, what.chosen,
                    what.collective, what.nccl, what.scaling);
}

void add_to_group(const MeasuredCase& measured, std::vector<Group>& groups) {
  auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& known) {
    return group_key(*known.key) == group_key(measured.what);
  });
  if (group == groups.end()) {
    group = groups.insert(groups.end(), Group{&measured.what, measured.timed().parameters, {}, {}, {}});
  }
  group->cases.push_back(&measured);
}

void sort_and_compare(Group& group, const std::vector<MeasuredCase>& cases) {
  std::sort(group.cases.begin(), group.cases.end(), [](const MeasuredCase* a, const MeasuredCase* b) {
    return line_order(a->what) < line_order(b->what);
  });
  for (const MeasuredCase* measured : group.cases) {
    const Case& what = measured->what;
    if (trained_strategy(what) == "single" && what.gpus == 1) continue;
    auto& lines = what.gpus > 1 ? group.lines : group.machinery;
    lines.push_back({measured, compare_with_base(*measured, cases)});
  }
  std::vector<Comparison*> together;
  for (Line& line : group.lines) together.push_back(&line.comparison);
  decide_together(together);
}

// After the comparisons, which a hidden case takes part in.
void hide_others(const ShownCases& shown, std::vector<Group>& groups) {
  const auto is_hidden = [&](const Line& line) { return !shown.include(line.measured->what); };
  for (Group& group : groups) {
    std::erase_if(group.cases, [&](const MeasuredCase* one) { return !shown.include(one->what); });
    std::erase_if(group.lines, is_hidden);
    std::erase_if(group.machinery, is_hidden);
  }
  std::erase_if(groups, [](const Group& group) { return group.cases.empty(); });
}

MeasuredCase by_this_instrument_alone(const CaseSummary& summary) {
  MeasuredCase alone;
  alone.what = summary.what;
  (summary.what.instrument == "phases" ? alone.phases : alone.total) = &summary;
  return alone;
}

// Of all summaries, by instrument; on more than one GPU decided as tables, one a group and instrument.
std::vector<Comparison> compare_all(const std::vector<CaseSummary>& summaries,
                                    const std::vector<MeasuredCase>& cases) {
  std::vector<Comparison> comparisons;
  for (const CaseSummary& summary : summaries)
    comparisons.push_back(compare_with_base(by_this_instrument_alone(summary), cases));
  using Family = std::tuple<std::string, std::string, std::string, bool, std::string, std::string>;
  std::map<Family, std::vector<Comparison*>> families;
  for (std::size_t i = 0; i < summaries.size(); ++i) {
    const Case& what = summaries[i].what;
    if (what.gpus > 1) {
      families[std::tuple_cat(group_key(what), std::tie(what.instrument))].push_back(&comparisons[i]);
    }
  }
  for (const auto& [family, together] : families) decide_together(together);
  return comparisons;
}

template <typename Word>
bool varies(const Analysis& analysis, Word word) {
  const auto& cases = analysis.cases();
  return std::any_of(cases.begin(), cases.end(), [&](const MeasuredCase& measured) {
    return word(measured.what) != word(cases.front().what);
  });
}

template <typename Word>
bool lines_vary(const Group& group, Word word) {
  std::set<std::string> words;
  for (const Line& line : group.lines) words.insert(word(line.measured->what));
  for (const Line& line : group.machinery) words.insert(word(line.measured->what));
  return words.size() > 1;
}

}  // namespace

Analysis::Analysis(const Results& results, std::uint64_t memory_limit_bytes, const ShownCases& shown,
                   double price_an_hour)
    : results_(results),
      summaries_(summarize_cases(results)),
      cases_(merge_instruments(summaries_)),
      memory_limit_bytes_(memory_limit_bytes),
      price_an_hour_(price_an_hour) {
  for (const MeasuredCase& measured : cases_) add_to_group(measured, groups_);
  for (Group& group : groups_) sort_and_compare(group, cases_);
  hide_others(shown, groups_);
  comparisons_ = compare_all(summaries_, cases_);
  std::stable_sort(groups_.begin(), groups_.end(), [](const Group& a, const Group& b) {
    return std::tie(a.parameters, a.key->model) < std::tie(b.parameters, b.key->model);
  });
  std::set<std::array<std::string, 3>> qualities;  // and how they were judged
  for (const Launch& launch : results.launches) {
    qualities.insert(
        {setting_of(launch, "until"), setting_of(launch, "look-every"), setting_of(launch, "smooth")});
  }
  qualities_differ_ = qualities.size() > 1;
  if (qualities.size() == 1) quality_ = qualities.begin()->front();
}

std::string Analysis::title_of(const Group& group) const {
  const Case& key = *group.key;
  std::string title = key.model;
  if (varies(*this, [](const Case& what) { return what.precision; })) title += ", " + key.precision;
  if (varies(*this, [](const Case& what) { return what.gemm; })) title += ", gemm " + key.gemm;
  if (varies(*this, [](const Case& what) { return what.graph; }))
    title += key.graph ? ", graph" : ", no graph";
  if (varies(*this, [](const Case& what) { return what.data; })) title += ", " + key.data + " data";
  return title;
}

const Line* line_timed_by(const CaseSummary& summary, const Analysis& analysis) {
  for (const Group& group : analysis.groups()) {
    for (const Line& line : group.lines) {
      if (line.comparison.timed == &summary) return &line;
    }
  }
  return nullptr;
}

Comparison comparison_in(const Group& group, const MeasuredCase& measured, const Analysis& analysis) {
  for (const std::vector<Line>* lines : {&group.lines, &group.machinery}) {
    for (const Line& line : *lines) {
      if (line.measured == &measured) return line.comparison;
    }
  }
  return compare_with_base(measured, analysis.cases());
}

std::string settings_of(const Group& group) {
  const Case& key = *group.key;
  return fmt::format(
      "{} has {} parameters. Precision {}, gemm {}, {}, {} data. The base of every speed-up is 'single' on "
      "one GPU "
      "with the same settings.",
      key.model, format_count(group.parameters), key.precision, key.gemm,
      key.graph ? "the step as one graph" : "operation by operation", key.data);
}

std::string_view verdict_word(const Case& what, const Decision& decision) {
  if (what.strategy == "single") return is_baseline.key;
  if (trained_strategy(what) == "single") return chose_one_gpu.key;
  return what.gpus == 1 ? is_overhead.key : word_of(decision.verdict);
}

std::string strategy_suffix(const Case& what, const Group& group) {
  const bool exchanges = what.collective != "none";
  std::string text;
  if (exchanges && lines_vary(group, [](const Case& line) { return line.collective; }))
    text = what.collective;
  if (exchanges && lines_vary(group, [](const Case& line) { return line.nccl; }))
    text += (text.empty() ? "" : ", ") + (what.nccl.empty() ? "NCCL as it is" : what.nccl);
  if (lines_vary(group, [](const Case& line) { return line.scaling; })) {
    text += (text.empty() ? "" : ", ") + what.scaling;
  }
  return text;
}

std::string strategy_of(const Case& what, const Group& group) {
  const std::string suffix = strategy_suffix(what, group);
  return fmt::format("{} on {}{}{}", words_of_strategy(what), what.gpus, suffix.empty() ? "" : ", ", suffix);
}

}  // namespace breakeven
