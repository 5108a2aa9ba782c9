// SPDX-License-Identifier: Apache-2.0
#include "src/report/sections/group_words.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/format/numbers.h"

namespace breakeven::report {
namespace {

bool lines_vary(const analysis::Group& group, Axis axis) {
  std::set<std::string> words;
  for (const analysis::CaseResult& line : group.lines) words.insert(word_of(axis, line.measured->what));
  for (const analysis::CaseResult& line : group.on_one_gpu) words.insert(word_of(axis, line.measured->what));
  return words.size() > 1;
}

std::string words_of_setting(Axis axis, const Case& what) {
  const std::string value = word_of(axis, what);
  const AxisInfo& info = info_of(axis);
  if (!info.phrase_without.empty() && (value.empty() || value == "off"))
    return std::string(info.phrase_without);
  return fmt::format(fmt::runtime(info.phrase), value);
}

}  // namespace

std::string settings_in_title(const analysis::FileAnalysis& analysis, const Case& key) {
  std::string settings;
  for (const Axis axis : setting_axes)
    if (analysis.varies(axis)) settings += (settings.empty() ? "" : ", ") + words_of_setting(axis, key);
  return settings;
}

std::string title_of(const analysis::FileAnalysis& analysis, const analysis::Group& group) {
  const std::string settings = settings_in_title(analysis, *group.key);
  return group.key->model.word() + (settings.empty() ? "" : ", " + settings);
}

std::string settings_of(const analysis::Group& group) {
  const Case& key = *group.key;
  return fmt::format("{} has {} parameters. Settings: precision {}, gemm {}, {}{}.", key.model,
                     group.parameters > 0 ? format_count(group.parameters) : "an unknown number of",
                     key.precision, key.gemm, key.graph ? "the step as one graph" : "operation by operation",
                     key.data.word().empty() ? "" : fmt::format(", {} data", key.data));
}

std::string_view verdict_word(const Case& what, const statistics::Decision& decision) {
  if (what.strategy == single_gpu_strategy) return is_baseline.key;
  if (trained_strategy(what) == single_gpu_strategy) return chose_one_gpu.key;
  return what.gpus == 1 ? is_overhead.key : word_of(decision.verdict);
}

std::string case_in_words(const Case& what) {
  return fmt::format("{} batch {} {} on {}{}", what.model, what.batch, words_of_strategy(what), what.gpus,
                     unusual_transport(what));
}

std::string batch_in_words(const Case& what) {
  return format_count(batch_of_baseline(what)) + (what.scaling == Scaling::weak ? " a GPU" : "");
}

std::string scaling_in_words(Scaling scaling, const analysis::Group& group) {
  if (scaling == Scaling::strong && !lines_vary(group, Axis::scaling)) return "";
  return fmt::format(", {} scaling", name_of(scaling));
}

std::string transport_suffix(const Case& what, const analysis::Group& group) {
  const bool exchanges = what.transport != Transport::none;
  std::string text;
  if (exchanges && lines_vary(group, Axis::transport)) text = what.transport.word();
  if (exchanges && lines_vary(group, Axis::nccl))
    text += (text.empty() ? "" : ", ") + words_of_setting(Axis::nccl, what);
  return text;
}

std::string strategy_suffix(const Case& what, const analysis::Group& group) {
  std::string text = transport_suffix(what, group);
  if (what.scaling == Scaling::weak || lines_vary(group, Axis::scaling))
    text += fmt::format("{}{}", text.empty() ? "" : ", ", what.scaling);
  return text;
}

std::string strategy_of(const Case& what, const analysis::Group& group) {
  const std::string suffix = strategy_suffix(what, group);
  return fmt::format("{} on {}{}{}", words_of_strategy(what), what.gpus, suffix.empty() ? "" : ", ", suffix);
}

}  // namespace breakeven::report
