// SPDX-License-Identifier: Apache-2.0
// Whether one GPU is faster with other settings than those of the answer.
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "src/core/strategy/case_strategy.h"
#include "src/report/format/cells.h"
#include "src/report/format/columns.h"
#include "src/report/format/numbers.h"
#include "src/report/sections/sections.h"
#include "src/report/tidy/tidy_row.h"

namespace breakeven::report {
namespace {

// "fp32, no graph": what the baseline does not have.
std::string settings_beside(const Case& base, const Case& single) {
  std::vector<std::string> words;
  if (single.precision != base.precision) words.emplace_back(single.precision.word());
  if (single.gemm != base.gemm) words.push_back(fmt::format("gemm {}", single.gemm));
  if (single.graph != base.graph) words.emplace_back(single.graph ? "a graph" : "no graph");
  return fmt::format("{}", fmt::join(words, ", "));
}

}  // namespace

std::string faster_single_in_words(const std::vector<const analysis::CaseResult*>& lines,
                                   std::string_view one) {
  std::set<std::uint32_t> batches;
  const analysis::CaseResult* most = nullptr;
  for (const analysis::CaseResult* line : lines) {
    if (line->faster_single.single == nullptr) continue;
    batches.insert(batch_of_baseline(line->measured->what));
    if (most == nullptr ||
        line->faster_single.advantage.ratio.centre > most->faster_single.advantage.ratio.centre)
      most = line;
  }
  if (most == nullptr) return "";
  std::vector<std::string> words;
  for (const std::uint32_t batch : batches) words.push_back(format_count(batch));
  const analysis::FasterSingle& faster = most->faster_single;
  const analysis::MeasuredCase& base = *most->comparison.base;
  // By the speeds that the speed-ups are ratios of, as in the sentences around this one.
  const double base_seconds = samples_a_step(base.what) / most->comparison.base_samples_per_second;
  return fmt::format(
      "With other settings {} is faster at batch {}: at batch {} it takes {} a step with {}, instead of {}, "
      "and the speed-up over that is {}.",
      one, fmt::join(words, ", "), format_count(base.what.batch),
      format_seconds(base_seconds / faster.advantage.ratio.centre),
      settings_beside(base.what, faster.single->what), format_seconds(base_seconds),
      format_ratio(faster.speedup.ratio));
}

DeclaredColumns faster_single_columns() {
  return {words("faster_single", "", "one GPU that is faster than the baseline, with other settings"),
          datum("speedup_over_faster_single", "", "samples/s over those of it").with_interval()};
}

void add_faster_single(const analysis::SummaryResult& result, TidyRow& row) {
  const analysis::FasterSingle faster =
      result.speaks_for == nullptr ? analysis::FasterSingle{} : result.speaks_for->faster_single;
  row.add("faster_single", faster.single == nullptr ? dash_cell() : Cell(path_of(faster.single->what)))
      .add("speedup_over_faster_single", faster.speedup.ratio);
}

}  // namespace breakeven::report
