// SPDX-License-Identifier: Apache-2.0
// The parts of the report that are more than one table; each comment names the file. Those that are one table
// each are in src/report/tables.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "src/report/format/table.h"
#include "src/report/sections/group_words.h"

namespace breakeven::report {

// answers.cpp: one sentence for each model and configuration; and a second one on the time to a quality, if
// the launches trained until one.
struct Answer {
  const analysis::Group* group = nullptr;
  const Case* what = nullptr;  // of its first line; batch says nothing
  std::string_view measure;    // "samples_per_second" or "time_to_quality"
  std::string sentence;
  std::string faster_single;  // with other settings; "" where no single GPU is shown to be faster
  std::string loss;           // of the speed's answer; "" where nothing is known to be lost
  std::string conditions;     // how long and at which clocks both sides were measured
};
std::vector<Answer> answer_all(const analysis::FileAnalysis& analysis);
std::string in_words(const Answer& answer);  // all sentences

// break_evens.cpp: from which batch, and from which model size on, each configuration is faster, and where
// that is undecided. One row for each model and configuration, and one for each batch and configuration; no
// rows for a single batch and model.
ReportTable break_even_table(const analysis::FileAnalysis& analysis);
ReportTable break_even_table_in_brief(const analysis::FileAnalysis& analysis);
ReportTable tidy_break_evens(const analysis::FileAnalysis& analysis);

// speed.cpp: is it faster, batch by batch, and which of several strategies is the fastest?
ReportTable speed_table(const analysis::Group& group);
ReportTable fastest_table(const analysis::Group& group);
ReportTable fastest_rows(const analysis::Group& group);  // with what the title says
// In a brief report, of a model with many cases: a row for each strategy and a column for each batch.
ReportTable verdict_overview(const analysis::Group& group);

// autotuning.cpp: what did `auto` choose, among what, at which cost, and how good was it? No rows without
// such cases.
ReportTable autotuning_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);
ReportTable candidates_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);

// time_to_quality.cpp: what are the steps worth? No rows, and no sentence, where no launch trained until a
// quality.
ReportTable time_to_quality_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);
std::string fastest_to_quality(const analysis::FileAnalysis& analysis, const analysis::Group& group);

// communication.cpp: where does the time of more than one GPU go?
std::vector<ReportTable> communication_tables(const analysis::Group& group);
std::vector<ReportTable> rank_tables(const analysis::Group& group);

// exchange.cpp: do the messages of a step take what such calls take on this machine, and do a pipeline's
// stages idle as its formula says? The first has no rows where no launch measured its exchange.
ReportTable exchange_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);
ReportTable bubble_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);

// answers.cpp: the largest part of the loss against perfect scaling, at the first and the last of the lines;
// "" where no loss is shown.
std::string loss_in_words(const analysis::FileAnalysis& analysis,
                          const std::vector<const analysis::CaseResult*>& lines);

// faster_single.cpp: of the cases of one answer, at which batches one GPU is faster with other settings, and
// where it matters most with which settings, by how much, and the speed-up over that single GPU. `one` is
// "one GPU" or "one host device". "" where none is shown to be faster.
std::string faster_single_in_words(const std::vector<const analysis::CaseResult*>& lines,
                                   std::string_view one);

// conditions.cpp: under which conditions the cases of one answer and their baselines were measured: what the
// intervals cover, "Settling took 1.2 s, measuring 0.50 s.", or that they are
// bursts; and where the power limit slows one GPU more than several, at which batch and by how much. "" where
// nothing was measured.
std::string conditions_in_words(const std::vector<const analysis::CaseResult*>& lines);

// loss_budget.cpp: the time that is lost against perfect scaling, by cause. No rows if no part of it is
// known; the notes say what the parts do not explain. Without phases: why, and how to record them.
ReportTable loss_budget_table(const analysis::Group& group);
ReportTable loss_share_table(const analysis::Group& group);
std::vector<std::string> loss_budget_notes(const analysis::FileAnalysis& analysis,
                                           const analysis::Group& group);
std::string phases_not_recorded(const analysis::FileAnalysis& analysis);
ReportTable tidy_budgets(const analysis::FileAnalysis& analysis);

// costs.cpp: what does a million samples take of GPU time, money and energy?
statistics::Interval money_of_million(const analysis::SampleCosts& costs, double price_an_hour);
ReportTable cost_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);

// stragglers.cpp: does any rank take longer than the others for its own work? The notes name it, and say
// which steps were slow on all ranks.
ReportTable stragglers_table(const analysis::Group& group);
std::vector<std::string> straggler_notes(const analysis::FileAnalysis& analysis,
                                         const analysis::Group& group);
std::string straggler_in_words(const analysis::FileAnalysis& analysis);  // the worst; "" where there is none

// claims.cpp: what the articles say of numbers, checked on this file: one sentence for each that is decided.
// The table has the others too. Nothing where no case concerns any of them.
std::vector<std::string> claims_in_words(const analysis::FileAnalysis& analysis);
std::string claims_in_brief(const analysis::FileAnalysis& analysis);  // how many hold
ReportTable tidy_claims(const analysis::FileAnalysis& analysis);

// timeline.cpp: a step on one GPU beside the same step on more, as bars of one scale.
std::vector<std::string> timelines(const analysis::Group& group);

// roofline.cpp: how far is each phase from what this machine could do at best? No rows where no roofline was
// measured.
ReportTable roofline_table(const analysis::Group& group);

// memory.cpp: what does a rank need, does it fit, and what is the largest batch that does?
ReportTable memory_table(const analysis::FileAnalysis& analysis, const analysis::Group& group);

// warnings.cpp: what a reader must know before trusting a number; one sentence each, none where all is well.
std::vector<std::string> warnings(const analysis::FileAnalysis& analysis);

// figures_of_merit.cpp: one line a case for ReFrame, Ramble and grep.
std::string figures_of_merit(const analysis::FileAnalysis& analysis);
std::string path_of(const Case& what);  // all axes but the timing: "medium/b64/2x/ddp/fp32/tiled/..."

// tidy.cpp: one row for each case. tidy_runs.cpp: one row for each rank of a case, and for each finished run.
ReportTable tidy_cases(const analysis::FileAnalysis& analysis);
ReportTable tidy_ranks(const analysis::FileAnalysis& analysis);
ReportTable tidy_runs(const analysis::FileAnalysis& analysis);

}  // namespace breakeven::report
