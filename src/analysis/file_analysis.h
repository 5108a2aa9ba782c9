// SPDX-License-Identifier: Apache-2.0
// Everything that is computed about a file's cases, once: report, page, advice, prediction and comparison
// read it from here.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "src/analysis/case_result.h"
#include "src/analysis/fastest.h"
#include "src/analysis/shown_cases.h"
#include "src/analysis/stragglers.h"
#include "src/core/axes.h"

namespace breakeven::analysis {

// Cases that share baselines: alike in all group_axes.
struct Group {
  const Case* key = nullptr;  // any of its cases
  std::uint64_t parameters = 0;
  CaseResults cases = {};       // by batch, GPUs, strategy; the single GPU among them
  CaseResults lines = {};       // more than one GPU, in the same order; their verdicts are corrected together
  CaseResults on_one_gpu = {};  // an exchanging strategy on one GPU: the strategy's overhead
  std::vector<FastestConfiguration> fastest = {};  // of the lines
  std::vector<CaseWork> rank_work = {};            // of the lines with own work measured
  std::vector<JudgedChoice> choices = {};          // of `auto`; their verdicts are corrected together
};

struct AnalysisScope {
  ShownCases shown = {};                 // only the groups are restricted to them
  std::uint64_t memory_limit_bytes = 0;  // of a rank; 0: no limit
  double price_an_hour = 0;              // of a GPU; 0: no prices
};

class FileAnalysis {
 public:
  // `results` are kept by reference.
  explicit FileAnalysis(const Results& results, const AnalysisScope& scope = {});
  FileAnalysis(const FileAnalysis&) = delete;  // its parts point at each other

  const Results& results() const { return results_; }
  const std::vector<CaseSummary>& summaries() const { return summaries_; }  // one per timing
  const std::vector<MeasuredCase>& cases() const { return cases_; }
  const std::vector<CaseResult>& case_results() const { return case_results_; }  // of cases()
  const std::vector<Group>& groups() const { return groups_; }                   // smaller models first
  bool varies(Axis axis) const { return varies_[index_of(axis)]; }               // among cases()

  // `summary` is one of summaries().
  const SummaryResult& result_of(const CaseSummary& summary) const {
    return summary_results_[static_cast<std::size_t>(&summary - summaries_.data())];
  }

  std::uint64_t memory_limit_bytes() const { return scope_.memory_limit_bytes; }
  double price_an_hour() const { return scope_.price_an_hour; }

  // The value of --until, "loss=0.05"; "" if no launch has it, or if launches differ: then their times cannot
  // be combined.
  const std::string& quality() const { return quality_; }
  bool qualities_differ() const { return qualities_differ_; }

 private:
  void find_varying_axes();
  void compare_cases();
  void make_groups();
  void decide_by_group();
  void complete_cases();
  void complete_groups();
  void make_summary_results();
  void find_quality();

  const Results& results_;
  AnalysisScope scope_;
  std::vector<CaseSummary> summaries_;
  std::vector<MeasuredCase> cases_;
  std::array<bool, axis_count> varies_{};
  std::vector<CaseResult> case_results_;        // [case]
  std::vector<SummaryResult> summary_results_;  // [summary]
  std::vector<Group> groups_;
  std::string quality_;
  bool qualities_differ_ = false;
};

}  // namespace breakeven::analysis
