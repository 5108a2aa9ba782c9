// SPDX-License-Identifier: Apache-2.0
// Warnings on what makes the numbers of a file less trustworthy than they look. Each function adds those that
// are true of the file.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "src/analysis/file_analysis.h"
#include "src/report/format/document.h"

namespace breakeven::report {

using Sentences = std::vector<std::string>;

// What a warning is about: the first words of the warning, and a row of docs/troubleshooting.md.
namespace symptom {
inline constexpr std::string_view wrong_numbers = "Wrong numbers", processor_cores = "Processor cores",
                                  quality = "Quality", straggler = "Straggler", no_baseline = "No baseline",
                                  few_repeats = "Few repeats", few_steps = "Few steps",
                                  timing_overhead = "Timing overhead", clocks = "Clocks",
                                  throttling = "Throttling", overflow = "Overflow",
                                  missing_times = "Missing times", outliers = "Outliers",
                                  unsettled = "Unsettled", drift = "Drift", idle_gpus = "Idle GPUs",
                                  warm_up = "Warm-up", unsteady = "Not steady", loss_budget = "Loss budget",
                                  wrong_data = "Wrong data", few_launches = "Few launches",
                                  machines = "Machines", builds = "Builds", step_times = "Step times";
inline constexpr std::array all{wrong_numbers, processor_cores, quality,         straggler,   no_baseline,
                                few_repeats,   few_steps,       timing_overhead, clocks,      throttling,
                                overflow,      missing_times,   outliers,        unsettled,   drift,
                                idle_gpus,     warm_up,         unsteady,        loss_budget, wrong_data,
                                few_launches,  machines,        builds,          step_times};
}  // namespace symptom

inline const std::string warnings_heading =
    "Read before trusting these numbers (remedies: docs/troubleshooting.md)";

// Where its row is: "troubleshooting.md#few-launches".
std::string page_of_warning(const std::string& warning);
std::vector<std::string> pages_of_warnings(const Sentences& sentences);

// With their heading, each with a link to its row. Nothing without warnings.
void print_warnings(const Sentences& sentences, Document& document);

// The first ones, for the gravest come first, and how many more `--sections warnings` prints.
Sentences in_brief(Sentences sentences);

// No warning if the sentence is empty.
void add_warning(std::string_view about, std::string_view sentence, Sentences& sentences);

// measurement_warnings.cpp: how the steps were measured.
void warn_wrong_numbers(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_timing_overhead(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_clocks(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_throttling(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_skipped_steps(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_outliers(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_idle_gpus(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_settling(const analysis::FileAnalysis& analysis, Sentences& sentences);
void warn_steadiness(const analysis::FileAnalysis& analysis, Sentences& sentences);

// short_runs_warning.cpp: runs that ended before enough of their planned steps.
void warn_short_runs(const analysis::FileAnalysis& analysis, Sentences& sentences);

// step_times_warning.cpp: where the step times come from.
void warn_step_times(const analysis::FileAnalysis& analysis, Sentences& sentences);

}  // namespace breakeven::report
